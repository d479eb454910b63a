package diff

import (
	"fmt"

	"github.com/aymanbagabas/go-udiff"
)

// HiddenError is the error for a change that cannot be shown without lines that must stay hidden.
type HiddenError struct {
	Path string
	Line int
}

func (e *HiddenError) Error() string {
	return fmt.Sprintf("%s:%d: the change is not shown because it includes data of a Secret, or a line that the runner of a workflow would obey: --fix applies it without showing it", e.Path, e.Line)
}

// hide removes hidden lines from the context around the changes of each hunk. The result still applies, because context
// only helps to find the place and the line numbers are correct. Lines are those of the old file, counted from 1.
func hide(path string, hunks []*udiff.Hunk, hidden func(line int) bool) error {
	for _, h := range hunks {
		head, tail := contexts(h.Lines)
		line := h.FromLine
		keepFrom, keepTo := 0, len(h.Lines)
		for i, l := range h.Lines {
			if l.Kind == udiff.Insert {
				continue
			}
			if hidden(line) {
				switch {
				case i < head:
					keepFrom = i + 1
				case i > tail && i < keepTo: // keep one line of context: without it, git looks for the change at the end of the file
					keepTo = i
				case i < keepTo:
					return &HiddenError{path, line}
				}
			}
			line++
		}
		h.Lines = h.Lines[keepFrom:keepTo]
		h.FromLine += keepFrom
		h.ToLine += keepFrom
	}
	return nil
}

// split divides hunks where hidden lines lie between two changes, so that only the context of each change remains. A hunk stays as it is
// where no line would remain behind the first of them.
func split(hunks []*udiff.Hunk, hidden func(line int) bool) []*udiff.Hunk {
	var all []*udiff.Hunk
	for _, h := range hunks {
		for rest := h; rest != nil; {
			first, second := splitOnce(rest, hidden)
			all, rest = append(all, first), second
		}
	}
	return all
}

// splitOnce divides a hunk at its first hidden lines between two changes; second is nil if there are none.
func splitOnce(h *udiff.Hunk, hidden func(line int) bool) (first, second *udiff.Hunk) {
	head, tail := contexts(h.Lines)
	from, to := h.FromLine, h.ToLine
	cut := -1
	for i, l := range h.Lines {
		switch {
		case i <= head || i >= tail:
		case l.Kind != udiff.Equal:
			if cut >= 0 {
				return &udiff.Hunk{FromLine: h.FromLine, ToLine: h.ToLine, Lines: h.Lines[:cut]}, second
			}
		case hidden(from):
			if cut < 0 && h.Lines[i-1].Kind == udiff.Equal {
				cut = i
			}
			second = &udiff.Hunk{FromLine: from + 1, ToLine: to + 1, Lines: h.Lines[i+1:]}
		}
		if l.Kind != udiff.Insert {
			from++
		}
		if l.Kind != udiff.Delete {
			to++
		}
	}
	return h, nil
}

// contexts returns the number of lines before the first change, and the index of the first line after the last one.
func contexts(lines []udiff.Line) (head, tail int) {
	head, tail = len(lines), 0
	for i, l := range lines {
		if l.Kind != udiff.Equal {
			head, tail = min(head, i), i+1
		}
	}
	return head, tail
}
