package lsp

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// text is the content of a document, with the starts of its lines.
type text struct {
	content string
	lines   []int
}

func newText(content string) *text { return &text{content, lineStarts(content)} }

// lineStarts returns the offsets at which lines begin. In the protocol, \n, \r\n, and \r end a line.
func lineStarts(content string) []int {
	starts := []int{0}
	for i := 0; i < len(content); i++ {
		switch content[i] {
		case '\r':
			if i+1 < len(content) && content[i+1] == '\n' {
				continue
			}
			starts = append(starts, i+1)
		case '\n':
			starts = append(starts, i+1)
		}
	}
	return starts
}

// line returns a line without its end, and the offset at which it begins.
func (t *text) line(n int) (line string, start int) {
	start, end := t.lines[n], len(t.content)
	if n+1 < len(t.lines) {
		end = t.lines[n+1]
	}
	return strings.TrimRight(t.content[start:end], "\r\n"), start
}

// offset converts a position to an offset. A position behind the end of a line or of the text is that end, as in the protocol.
func (t *text) offset(p position, encoding string) (int, error) {
	if p.Line < 0 || p.Character < 0 {
		return 0, fmt.Errorf("the position %d:%d is negative", p.Line, p.Character)
	}
	if p.Line >= len(t.lines) {
		return len(t.content), nil
	}
	line, start := t.line(p.Line)
	if encoding == utf8Encoding {
		at := min(p.Character, len(line))
		for at < len(line) && at > 0 && !utf8.RuneStart(line[at]) {
			at-- // not inside of a character
		}
		return start + at, nil
	}
	units := 0
	for i, r := range line {
		if units >= p.Character {
			return start + i, nil
		}
		if units += unitsOf(r); units > p.Character { // between the two units of a character: its start
			return start + i, nil
		}
	}
	return start + len(line), nil
}

// unitsOf returns the number of units of a character in UTF-16.
func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// position converts an offset to a position.
func (t *text) position(offset int, encoding string) position {
	offset = max(0, min(offset, len(t.content)))
	n := sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > offset }) - 1
	line, start := t.line(n)
	before := line[:min(offset-start, len(line))]
	if encoding == utf8Encoding {
		return position{n, len(before)}
	}
	units := 0
	for _, r := range before {
		units += unitsOf(r)
	}
	return position{n, units}
}

// span converts two offsets to a range.
func (t *text) span(start, end int, encoding string) span {
	return span{t.position(start, encoding), t.position(end, encoding)}
}

// offsets converts a range to offsets. The error reports a range that ends before it begins.
func (t *text) offsets(s span, encoding string) (start, end int, err error) {
	start, err = t.offset(s.Start, encoding)
	if err != nil {
		return 0, 0, err
	}
	end, err = t.offset(s.End, encoding)
	if err != nil {
		return 0, 0, err
	}
	if end < start {
		return 0, 0, errors.New("the range ends before it begins")
	}
	return start, end, nil
}

// changed applies changes in their order: each is about the text that the one before leaves.
func (t *text) changed(changes []contentChange, encoding string) (*text, error) {
	for _, c := range changes {
		if c.Range == nil {
			t = newText(c.Text)
			continue
		}
		start, end, err := t.offsets(*c.Range, encoding)
		if err != nil {
			return nil, err
		}
		t = newText(t.content[:start] + c.Text + t.content[end:])
	}
	return t, nil
}

// reportedLine returns the offsets of a line as findings count lines: only \n ends one. The line is counted from 1 and returned without
// its indentation.
func reportedLine(content string, line int) (start, end int) {
	for ; line > 1; line-- {
		next := strings.IndexByte(content[start:], '\n')
		if next < 0 {
			break
		}
		start += next + 1
	}
	end = len(content)
	if next := strings.IndexByte(content[start:], '\n'); next >= 0 {
		end = start + next
	}
	whole := content[start:end]
	end = start + len(strings.TrimRight(whole, " \t\r"))
	start += len(whole) - len(strings.TrimLeft(whole, " \t"))
	return min(start, end), end
}
