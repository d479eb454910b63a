package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
)

const (
	// Hidden replaces what must not be shown.
	Hidden = "<hidden>"
	// tabWidth is the maximum width of a tab; a frame keeps tabs unchanged.
	tabWidth = 8

	ellipsis = "…"
)

// cell is a unit with its own columns in a frame: a character with its combining marks, or a hidden part.
type cell struct {
	text  string
	width int
	span  manifest.Span
}

// Frame is a line of source with the marks below it.
type Frame struct{ Text, Marks string }

// Frame returns the first line of a range, at most width columns wide. ok is false if the line does not exist, is empty,
// or is hidden as a whole.
func (s *File) Frame(r finding.Range, width int) (Frame, bool) {
	line, ok := s.Line(r.Line)
	if !ok || s.isHidden(line) {
		return Frame{}, false
	}
	marked := s.marked(r, line)
	cells, cutLeft, cutRight := s.window(line, marked, width)
	var f Frame
	if cutLeft {
		f.Text, f.Marks = ellipsis, " "
	}
	for i, c := range cells {
		if i > 1 && cells[i-2].text+cells[i-1].text+c.text == safetext.RunnerCommand {
			c.text, c.width = safetext.Bracket, len(safetext.Bracket)
			cells[i] = c
		}
		f.Text += c.text
	}
	f.Marks += marksUnder(cells, marked)
	if cutRight {
		f.Text += ellipsis
	}
	if r.EndLine > r.Line+1 || r.EndLine == r.Line+1 && r.EndColumn > 1 {
		f.Marks += fmt.Sprintf(" to line %d", r.EndLine)
	}
	return f, true
}

// isHidden returns whether nothing of a line but white space can be shown.
func (s *File) isHidden(line manifest.Span) bool {
	text := s.Data[line.Start:line.End]
	start := line.Start + len(text) - len(bytes.TrimLeft(text, " \t"))
	h, ok := s.hiddenAt(start)
	return start == line.End || ok && h.Start <= start && h.End >= line.End
}

// window cuts a line to the width. The marked part begins in the first third, or at its own column if the line is short
// enough.
func (s *File) window(line, marked manifest.Span, width int) (cells []cell, cutLeft, cutRight bool) {
	// A column takes about two bytes. Only the surroundings of the window are read, because lines can be megabytes long.
	near := s.clip(manifest.Span{Start: marked.Start - 2*width, End: marked.Start + 4*width}, line)
	cells = s.cells(near)
	if near == line && widthOf(cells) <= width {
		return cells, false, false
	}
	mark := slices.IndexFunc(cells, func(c cell) bool { return c.span.End > marked.Start })
	if mark < 0 {
		mark = len(cells)
	}
	first, room := mark, width/3
	for first > 0 && cells[first-1].width <= room {
		first--
		room -= cells[first].width
	}
	last := first
	for room = width - 2; last < len(cells) && cells[last].width <= room; last++ {
		room -= cells[last].width
	}
	cutLeft = first > 0 || near.Start > line.Start
	cutRight = last < len(cells) || near.End < line.End
	return cells[first:last], cutLeft, cutRight
}

// clip cuts a span to a line and moves its ends to the boundaries of characters.
func (s *File) clip(span, line manifest.Span) manifest.Span {
	span.Start, span.End = max(span.Start, line.Start), min(span.End, line.End)
	for i := 1; i < utf8.UTFMax && span.Start > line.Start && !utf8.RuneStart(s.Data[span.Start]); i++ {
		span.Start--
	}
	for i := 1; i < utf8.UTFMax && span.End < line.End && !utf8.RuneStart(s.Data[span.End]); i++ {
		span.End++
	}
	return span
}

// cells splits a part of a line into cells.
func (s *File) cells(span manifest.Span) []cell {
	var cells []cell
	for pos := span.Start; pos < span.End; {
		end := span.End
		if h, ok := s.hiddenAt(pos); ok && h.Start <= pos {
			end = min(end, h.End)
			cells = append(cells, cell{Hidden, len(Hidden), manifest.Span{Start: pos, End: end}})
			pos = end
			continue
		} else if ok {
			end = min(end, h.Start)
		}
		cells = appendCells(cells, s.Data[pos:end], pos)
		pos = end
	}
	return cells
}

func appendCells(cells []cell, text []byte, pos int) []cell {
	for state := -1; len(text) > 0; {
		var cluster []byte
		cluster, text, _, state = uniseg.FirstGraphemeCluster(text, state)
		c := cell{span: manifest.Span{Start: pos, End: pos + len(cluster)}, text: "\t", width: tabWidth}
		if string(cluster) != "\t" {
			c.text = safetext.Text(string(cluster))
			c.width = uniseg.StringWidth(c.text)
		}
		cells = append(cells, c)
		pos = c.span.End
	}
	return cells
}

func widthOf(cells []cell) int {
	total := 0
	for _, c := range cells {
		total += c.width
	}
	return total
}

// marksUnder returns the line of marks below the cells. Tabs are repeated, so that both lines align at any tab width.
func marksUnder(cells []cell, marked manifest.Span) string {
	var b strings.Builder
	done := false
	for _, c := range cells {
		inside := c.span.Start < marked.End && c.span.End > marked.Start
		switch {
		case !inside && c.span.Start >= marked.Start:
			if !done {
				b.WriteByte('^')
			}
			return b.String()
		case c.text == "\t":
			b.WriteByte('\t')
		case inside:
			b.WriteString(strings.Repeat("^", c.width))
			done = done || c.width > 0
		default:
			b.WriteString(strings.Repeat(" ", c.width))
		}
	}
	if !done {
		b.WriteByte('^')
	}
	return b.String()
}
