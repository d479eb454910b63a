package lint

import (
	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// fileFinding returns a finding about a file that concerns no object in it.
func fileFinding(rule programRule, file string, at finding.Range, message string) finding.Finding {
	if at.EndLine == 0 {
		at.EndLine, at.EndColumn = at.Line, at.Column
	}
	return finding.Finding{Rule: rule.name, Severity: rule.severity, Message: message, File: file, Range: at}
}

// programRules begins the names of the rules that have no policy.
const programRules = "repo/"

// programRule is a rule that has no policy.
type programRule struct {
	name     string
	severity finding.Severity
}

// ruleOrphaned is the rule about objects that nothing uses, also in the run that removes their last use.
const ruleOrphaned = "olm/installer-orphaned"

// RuleFailed is the rule about rules that failed. No baseline contains it.
const RuleFailed = "repo/rule-failed"

var (
	ruleUnparsable    = programRule{"repo/unparsable", finding.Error}
	ruleUnfixable     = programRule{"repo/unfixable", finding.Note}
	ruleNotChecked    = programRule{"repo/not-checked", finding.Note}
	ruleSettings      = programRule{"repo/settings-changed", finding.Note}
	ruleFailed        = programRule{RuleFailed, finding.Error}
	ruleTargetUnknown = programRule{"repo/target-unknown", finding.Note}
)

// problemFinding returns a problem as a finding.
func problemFinding(p loader.Problem) finding.Finding {
	rule := ruleNotChecked
	if p.Invalid {
		rule = ruleUnparsable
	}
	f := fileFinding(rule, p.Position.File, finding.Range{
		Line: p.Position.Line, Column: p.Position.Column, Start: p.Offset, End: p.Offset,
	}, p.Message)
	for _, place := range p.Related {
		f.Related = append(f.Related, finding.Related{File: place.Position.File, Line: place.Position.Line, Message: place.Message})
	}
	return f
}

// notesOnUnits returns what of the units was not checked in the form in which it is applied.
func notesOnUnits(units []*objects.Unit) []finding.Finding {
	var notes []finding.Finding
	seen := map[reportedKey]bool{}
	problems := unlistedFiles(units)
	for _, unit := range units {
		problems = append(problems, loader.OfUnit(unit)...)
	}
	for _, problem := range problems {
		if note := problemFinding(problem); !seen[placeKey(note)] { // units can share a base
			seen[placeKey(note)] = true
			notes = append(notes, note)
		}
	}
	return notes
}

// notesOnApplications returns what applications apply that was not checked.
func notesOnApplications(set *applications.Set) []finding.Finding {
	var notes []finding.Finding
	for _, p := range loader.OfApplications(set) {
		notes = append(notes, problemFinding(p))
	}
	return notes
}
