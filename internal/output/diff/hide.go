package diff

import (
	"fmt"

	"github.com/aymanbagabas/go-udiff"
)

// HiddenError says that a change cannot be shown without lines that must not be.
type HiddenError struct {
	Path string
	Line int
}

func (e *HiddenError) Error() string {
	return fmt.Sprintf("%s:%d: the change cannot be shown without the data of a Secret: --fix makes it unseen", e.Path, e.Line)
}

// hide takes hidden lines out of the context around the changes of each hunk. What remains still applies: context only
// serves to find the place again, and the line numbers name it, too. Lines are those of the old file, counted from 1.
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
				case i > tail && i < keepTo: // one line of context must follow: without any, git looks at the end of the file
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

// contexts gives the number of lines before the first change, and the index of the first line behind the last one.
func contexts(lines []udiff.Line) (head, tail int) {
	head, tail = len(lines), 0
	for i, l := range lines {
		if l.Kind != udiff.Equal {
			head, tail = min(head, i), i+1
		}
	}
	return head, tail
}
