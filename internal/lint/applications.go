package lint

import (
	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
)

// notesOnApplications says what applications apply that was not looked at.
func notesOnApplications(set *applications.Set) []finding.Finding {
	var notes []finding.Finding
	for _, p := range loader.OfApplications(set) {
		notes = append(notes, notRead(p))
	}
	return notes
}

// Remotes are those of the tree before.
func (t *mendedTree) Remotes() []string { return loader.RemotesOf(t.Tree) }
