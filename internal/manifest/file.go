package manifest

import (
	"bytes"
	"fmt"
	"sort"
	"sync"
	"unicode/utf8"
)

// Span is a stretch of the bytes of a file: from Start up to, not including, End.
type Span struct{ Start, End int }

// File is a manifest file: its bytes, and the documents in them.
type File struct {
	// Path is relative to the root of the repository, with slashes.
	Path string
	Data []byte
	// Docs are the documents with content, in their order. A stretch between two markers that holds nothing but
	// comments is no document.
	Docs []*Document

	lineOnce sync.Once
	lines    []int // offset of the first byte of each line
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// Position gives the line and column of a byte offset, both 1-based. Lines end with a line feed, as in editors; columns
// count code points; a byte order mark has no width.
func (f *File) Position(offset int) (line, column int) {
	f.lineOnce.Do(f.indexLines)
	offset = min(max(offset, 0), len(f.Data))
	line = sort.SearchInts(f.lines, offset+1)
	start := f.lines[line-1]
	if line == 1 && bytes.HasPrefix(f.Data, byteOrderMark) {
		start = min(len(byteOrderMark), offset)
	}
	return line, utf8.RuneCount(f.Data[start:offset]) + 1
}

func (f *File) indexLines() {
	f.lines = append(make([]int, 0, bytes.Count(f.Data, []byte("\n"))+1), 0)
	for i, c := range f.Data {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
}

// SyntaxError says why a document cannot be read, and where in its file.
type SyntaxError struct {
	File         string
	Line, Column int
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// RefusedError says why an edit is not possible without touching bytes that are none of its business.
type RefusedError struct {
	File   string
	Line   int
	Reason string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}
