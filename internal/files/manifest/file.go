package manifest

import (
	"bytes"
	"fmt"
	"sort"
	"sync"
	"unicode/utf8"
)

// Span is a range of bytes of a file: from Start up to, not including, End.
type Span struct{ Start, End int }

// File is a manifest file: its bytes and its documents.
type File struct {
	// Path is relative to the root of the repository, with slashes.
	Path string
	Data []byte
	// Docs are the documents with content, in file order. Text between two markers that holds only comments is not a
	// document.
	Docs []*Document

	lineOnce sync.Once
	lines    []int // offset of the first byte of each line

	countOnce sync.Once
	counts    []int // code points before each offset in countAt
	countAt   []int // the offsets, every countEvery bytes
}

// countEvery is the distance between the offsets whose code points are counted once. A file can be one line of many
// megabytes, so a position must not cost a count of the whole line.
const countEvery = 4 << 10

var byteOrderMark = []byte("\xef\xbb\xbf")

// Position returns the line and column of a byte offset, both 1-based. Lines end with a line feed, as in editors; columns
// count code points; a byte order mark has no width.
func (f *File) Position(offset int) (line, column int) {
	f.lineOnce.Do(f.indexLines)
	offset = min(max(offset, 0), len(f.Data))
	line = sort.SearchInts(f.lines, offset+1)
	start := f.lines[line-1]
	if line == 1 && bytes.HasPrefix(f.Data, byteOrderMark) {
		start = min(len(byteOrderMark), offset)
	}
	if offset-start <= countEvery {
		return line, utf8.RuneCount(f.Data[start:offset]) + 1
	}
	return line, f.codePoints(offset) - f.codePoints(start) + 1
}

// codePoints counts the code points before an offset.
func (f *File) codePoints(offset int) int {
	f.countOnce.Do(f.count)
	i := sort.SearchInts(f.countAt, offset+1) - 1
	return f.counts[i] + utf8.RuneCount(f.Data[f.countAt[i]:offset])
}

// count fills countAt and counts. No offset lies inside a code point, so that adjacent counts add up.
func (f *File) count() {
	f.counts, f.countAt = []int{0}, []int{0}
	for last, runes := 0, 0; last+countEvery < len(f.Data); {
		next := last + countEvery
		for i := 0; i < utf8.UTFMax-1 && next < len(f.Data) && !utf8.RuneStart(f.Data[next]); i++ {
			next++
		}
		runes += utf8.RuneCount(f.Data[last:next])
		f.counts, f.countAt = append(f.counts, runes), append(f.countAt, next)
		last = next
	}
}

func (f *File) indexLines() {
	f.lines = append(make([]int, 0, bytes.Count(f.Data, []byte("\n"))+1), 0)
	for i, c := range f.Data {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
}

// SyntaxError describes why a document cannot be read, and where.
type SyntaxError struct {
	File         string
	Line, Column int
	Message      string
	// Limit is true for a document that exceeds a limit on its size. It can be valid.
	Limit bool
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// RefusedError describes why an edit is not possible without touching unrelated bytes.
type RefusedError struct {
	File   string
	Line   int
	Reason string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}
