package lint

import (
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// aboutFile makes a finding that is about a file and no object in it.
func aboutFile(rule programRule, file string, at finding.Range, message string) finding.Finding {
	if at.EndLine == 0 {
		at.EndLine, at.EndColumn = at.Line, at.Column
	}
	return finding.Finding{Rule: rule.name, Severity: rule.severity, Message: message, File: file, Range: at}
}

// programRule is a rule whose findings do not come out of a policy.
type programRule struct {
	name     string
	severity finding.Severity
}

// ruleOrphaned is the rule for what nothing uses any more, also in the run that takes the use away.
const ruleOrphaned = "olm/installer-orphaned"

var (
	ruleUnparsable = programRule{"repo/unparsable", finding.Error}
	ruleUnfixable  = programRule{"repo/unfixable", finding.Note}
	ruleNotChecked = programRule{"repo/not-checked", finding.Note}
)

// notRead reports what was not read, and why.
func notRead(p loader.Problem) finding.Finding {
	rule := ruleNotChecked
	if p.Invalid {
		rule = ruleUnparsable
	}
	f := aboutFile(rule, p.Position.File, finding.Range{
		Line: p.Position.Line, Column: p.Position.Column, Start: p.Offset, End: p.Offset,
	}, p.Message)
	for _, place := range p.Related {
		f.Related = append(f.Related, finding.Related{File: place.Position.File, Line: place.Position.Line, Message: place.Message})
	}
	return f
}

// notesOnUnits says what of the units was not looked at as it is applied.
func notesOnUnits(units []*objects.Unit) []finding.Finding {
	var notes []finding.Finding
	seen := map[findingKey]bool{}
	problems := unlisted(units)
	for _, unit := range units {
		problems = append(problems, loader.OfUnit(unit)...)
	}
	for _, problem := range problems {
		if note := notRead(problem); !seen[keyOf(note)] { // units may share a base
			seen[keyOf(note)] = true
			notes = append(notes, note)
		}
	}
	return notes
}
