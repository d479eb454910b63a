package lint

import (
	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// ruleOrphaned is the rule about objects that nothing uses, also in the run that removes their last use.
const ruleOrphaned = "olm/installer-orphaned"

// notesOnUnits returns what of the units was not checked in the form in which it is applied.
func notesOnUnits(units []*objects.Unit) []finding.Finding {
	var notes []finding.Finding
	seen := map[finding.Identity]bool{}
	problems := unlistedFiles(units)
	for _, unit := range units {
		problems = append(problems, loader.OfUnit(unit)...)
	}
	for _, problem := range problems {
		if note := problem.Finding(); !seen[note.Shown()] { // units can share a base
			seen[note.Shown()] = true
			notes = append(notes, note)
		}
	}
	return notes
}

// notesOnApplications returns what applications apply that was not checked.
func notesOnApplications(set *applications.Set) []finding.Finding {
	var notes []finding.Finding
	for _, p := range loader.OfApplications(set) {
		notes = append(notes, p.Finding())
	}
	return notes
}
