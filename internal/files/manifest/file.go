package manifest

import (
	"bytes"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
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

	index atomic.Pointer[positionIndex]
}

// positionIndex finds lines and columns. Only a file of which a position is asked for has one.
type positionIndex struct {
	data []byte

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
	index := f.index.Load()
	if index == nil {
		f.index.CompareAndSwap(nil, &positionIndex{data: f.Data})
		index = f.index.Load()
	}
	return index.position(offset)
}

func (x *positionIndex) position(offset int) (line, column int) {
	x.lineOnce.Do(x.indexLines)
	offset = min(max(offset, 0), len(x.data))
	line = sort.SearchInts(x.lines, offset+1)
	start := x.lines[line-1]
	if line == 1 && bytes.HasPrefix(x.data, byteOrderMark) {
		start = min(len(byteOrderMark), offset)
	}
	if offset-start <= countEvery {
		return line, utf8.RuneCount(x.data[start:offset]) + 1
	}
	return line, x.codePoints(offset) - x.codePoints(start) + 1
}

// codePoints counts the code points before an offset.
func (x *positionIndex) codePoints(offset int) int {
	x.countOnce.Do(x.count)
	i := sort.SearchInts(x.countAt, offset+1) - 1
	return x.counts[i] + utf8.RuneCount(x.data[x.countAt[i]:offset])
}

// count fills countAt and counts. No offset lies inside a code point, so that adjacent counts add up.
func (x *positionIndex) count() {
	x.counts, x.countAt = []int{0}, []int{0}
	for last, runes := 0, 0; last+countEvery < len(x.data); {
		next := last + countEvery
		for i := 0; i < utf8.UTFMax-1 && next < len(x.data) && !utf8.RuneStart(x.data[next]); i++ {
			next++
		}
		runes += utf8.RuneCount(x.data[last:next])
		x.counts, x.countAt = append(x.counts, runes), append(x.countAt, next)
		last = next
	}
}

func (x *positionIndex) indexLines() {
	x.lines = append(make([]int, 0, bytes.Count(x.data, []byte("\n"))+1), 0)
	for i, c := range x.data {
		if c == '\n' {
			x.lines = append(x.lines, i+1)
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
