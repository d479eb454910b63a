package session

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/fixing"
)

// addLaterFixes adds to the findings of the first round the fixes that only later rounds make, because the diff has them too. A note
// that such a finding is not fixed would be false. Findings that are alike in a file keep their notes: which of them is fixed is unknown.
func (r *roundResults) addLaterFixes(first *Outcome) {
	later := map[finding.Identity]finding.Fix{}
	for _, f := range r.previewed {
		fix := *f.Fix
		fix.Edits = nil // they are about the files as earlier rounds leave them
		later[f.Lasting()] = fix
	}
	alike := map[finding.Identity]int{}
	for _, f := range first.Findings {
		alike[f.Lasting()]++
	}
	findings := slices.Clone(first.Findings)
	var fixed []finding.Finding
	for i, f := range findings {
		key := f.Lasting()
		if fix, ok := later[key]; ok && f.Fix == nil && alike[key] == 1 {
			findings[i].Fix = &fix
			fixed = append(fixed, f)
		}
	}
	first.Findings = slices.DeleteFunc(findings, func(f finding.Finding) bool { return isNoteOnAny(f, fixed) })
}

// isNoteOnAny reports whether a finding is the note that one of some findings, and no other, is not fixed.
func isNoteOnAny(note finding.Finding, findings []finding.Finding) bool {
	return note.Rule == finding.RuleUnfixable.Name && !strings.Contains(note.Message, fixing.SameReason) &&
		slices.ContainsFunc(findings, func(f finding.Finding) bool {
			return note.File == f.File && note.Range.Line == f.Range.Line && note.Range.Column == f.Range.Column && note.Path == f.Path && note.Resource == f.Resource &&
				strings.HasPrefix(note.Message, fixing.UnfixablePrefix(f.Rule))
		})
}
