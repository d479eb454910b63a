package lint

import (
	"github.com/salint/salint/internal/applications"
	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/world"
)

// notesOnApplications says what applications apply that was not looked at.
func notesOnApplications(set *applications.Set) []finding.Finding {
	var notes []finding.Finding
	for _, p := range world.OfApplications(set) {
		notes = append(notes, notRead(p))
	}
	return notes
}

// Remotes are those of the tree before.
func (t *mendedTree) Remotes() []string { return world.RemotesOf(t.Tree) }
