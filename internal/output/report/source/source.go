package source

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/redact"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// File is the text of a file with indexes for positions. Lines end with a line feed, and columns count code points
// without a byte order mark, as in manifest.File.
type File struct {
	// Data are the bytes of the file.
	Data   []byte
	starts []int // first byte of each line
	// hidden are the bytes that must not be shown, sorted.
	hidden []manifest.Span
	// counts holds the number of code points before every few kilobytes. A file can be one line of megabytes with thousands of
	// findings, and counting each column from the start of its line would be quadratic.
	counts []runeCount
}

// runeCount is the number of code points before an offset.
type runeCount struct{ offset, runes int }

// countEvery is the distance between two counts, in bytes.
const countEvery = 4096

// New returns a file with its bytes. The name determines which of them must not be shown.
func New(file string, data []byte) *File {
	return &File{Data: data, starts: lineStarts(data), hidden: redact.Spans(file, data), counts: runeCounts(data)}
}

func lineStarts(data []byte) []int {
	starts := []int{0}
	for i := 0; ; {
		next := bytes.IndexByte(data[i:], '\n')
		if next < 0 {
			return starts
		}
		i += next + 1
		starts = append(starts, i)
	}
}

func runeCounts(data []byte) []runeCount {
	counts := []runeCount{{}}
	for last := counts[0]; last.offset+countEvery < len(data); counts = append(counts, last) {
		next := last.offset + countEvery
		for i := 0; i < utf8.UTFMax-1 && next < len(data) && !utf8.RuneStart(data[next]); i++ {
			next++
		}
		last = runeCount{next, last.runes + utf8.RuneCount(data[last.offset:next])}
	}
	return counts
}

// Files reads each file of a result once. It keeps few files, because findings are sorted by file.
type Files struct {
	read func(file string) []byte
	kept map[string]*File
}

const maxKept = 32

// FilesOf returns the files of a result.
func FilesOf(r *finding.Result) *Files {
	return &Files{read: r.Source, kept: map[string]*File{}}
}

// Get returns the text of a file, or nil if there is none.
func (s *Files) Get(file string) *File {
	if src, ok := s.kept[file]; ok {
		return src
	}
	if s.read == nil {
		return nil
	}
	if len(s.kept) >= maxKept {
		clear(s.kept)
	}
	s.kept[file] = nil
	if data := s.read(file); data != nil {
		s.kept[file] = New(file, data)
	}
	return s.kept[file]
}

// Line returns the bytes of a line, without the byte order mark and the line end.
func (s *File) Line(n int) (manifest.Span, bool) {
	if n < 1 || n > len(s.starts) {
		return manifest.Span{}, false
	}
	start, end := s.starts[n-1], len(s.Data)
	if n < len(s.starts) {
		end = s.starts[n] - 1
	}
	if n == 1 && bytes.HasPrefix(s.Data, byteOrderMark) {
		start = len(byteOrderMark)
	}
	if end > start && s.Data[end-1] == '\r' {
		end--
	}
	return manifest.Span{Start: start, End: end}, true
}

// Position returns the line and column of an offset.
func (s *File) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(s.Data))
	line = sort.SearchInts(s.starts, offset+1)
	start := s.starts[line-1]
	if line == 1 && bytes.HasPrefix(s.Data, byteOrderMark) {
		start = min(len(byteOrderMark), offset)
	}
	return line, s.runesBefore(offset) - s.runesBefore(start) + 1
}

func (s *File) runesBefore(offset int) int {
	i := sort.Search(len(s.counts), func(i int) bool { return s.counts[i].offset > offset }) - 1
	return s.counts[i].runes + utf8.RuneCount(s.Data[s.counts[i].offset:offset])
}

// offset returns the offset of a column in a line, at most the line's end.
func (s *File) offset(line manifest.Span, column int) int {
	before := s.runesBefore(line.Start) + max(column, 1) - 1
	i := sort.Search(len(s.counts), func(i int) bool { return s.counts[i].runes > before }) - 1
	pos, left := s.counts[i].offset, before-s.counts[i].runes
	for ; left > 0 && pos < line.End; left-- {
		_, size := utf8.DecodeRune(s.Data[pos:])
		pos += size
	}
	return min(max(pos, line.Start), line.End)
}

// marked returns the bytes of a range in its first line. It uses byte offsets if the range has them, because counting
// columns takes time proportional to the line.
func (s *File) marked(r finding.Range, line manifest.Span) manifest.Span {
	start, end := r.Start, r.End
	if end == 0 || start < line.Start || start > line.End {
		start, end = s.offset(line, r.Column), line.End
		if r.EndLine == r.Line {
			end = s.offset(line, r.EndColumn)
		}
	}
	end = max(start, min(end, line.End))
	if end > start && r.EndLine > r.Line {
		end = start + len(bytes.TrimRight(s.Data[start:end], " \t\r"))
	}
	return manifest.Span{Start: start, End: end}
}

// hiddenAt returns the hidden span that covers an offset, or the next one after it.
func (s *File) hiddenAt(offset int) (manifest.Span, bool) {
	i := sort.Search(len(s.hidden), func(i int) bool { return s.hidden[i].End > offset })
	if i == len(s.hidden) {
		return manifest.Span{}, false
	}
	return s.hidden[i], true
}
