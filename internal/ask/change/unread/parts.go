package unread

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/coverage"
	"github.com/salint/salint/internal/kube/objects"
)

// Parts are what is unknown.
type Parts []Part

// MarkEdited marks the reason why neither state shows what a unit makes of a changed file. What only one of them shows is marked as such
// already, and what is gone is no new power.
func (p *Parts) MarkEdited(file string, gap coverage.Gap) {
	for i, n := range *p {
		if n.Place.File != gap.Cause.File || n.Place.Line != gap.Cause.Line {
			continue
		}
		if n.Before && n.After && !n.New && !n.follows {
			(*p)[i].Edited, (*p)[i].Changed = append(n.Edited, file), true
		}
		return
	}
	*p = append(*p, Part{
		Message: gap.Reason, Place: objects.Position{File: file, Line: 1, Column: 1}, Places: 1, Before: true, After: true, Changed: true, Edited: []string{file},
	})
}

// AddContent adds content of the later state that decides, cannot be read, and is new or changed, unless it is known that it is new.
func (p *Parts) AddContent(at objects.Position, message string) {
	i := slices.IndexFunc(*p, func(n Part) bool { return n.After && n.Place == at && (n.New || n.Places == 1) })
	switch {
	case i < 0:
		*p = append(*p, Part{Message: message, Place: at, Places: 1, After: true, New: true})
	case !(*p)[i].New:
		(*p)[i].Message, (*p)[i].New = message, true
	}
}

// Settle takes it that content which is not read, and is new, decides nothing.
func (p *Parts) Settle(at objects.Position) {
	for i, n := range *p {
		if n.Place == at {
			(*p)[i].New = false
		}
	}
}

// AddRevision adds what is not read in either state and is another release of the same source.
func (p *Parts) AddRevision(at objects.Position, message, was, is string) {
	*p = append(*p, Part{
		Message: message, Place: at, Places: 1, Before: true, After: true, Changed: true,
		From: revisionName(was), To: revisionName(is),
	})
}

// Sort sorts by weight: what is new comes first.
func (p Parts) Sort() {
	slices.SortStableFunc(p, func(a, b Part) int {
		return cmp.Or(b.weight()-a.weight(), strings.Compare(a.Place.File, b.Place.File))
	})
}

// MarkUnparsable adds a changed file of which nothing shows what it holds, unless it is known that it was not read. Before is set if that was so at the
// revision, too.
func (p *Parts) MarkUnparsable(gap coverage.Gap, before bool) {
	if slices.ContainsFunc(*p, func(n Part) bool { return n.Place.File == gap.Cause.File }) {
		return
	}
	n := Part{Message: gap.Reason, Place: gap.Cause, Places: 1, Before: before, After: true, New: !before}
	if before {
		n.Changed, n.Edited = true, []string{gap.Cause.File}
	}
	*p = append(*p, n)
}
