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
