package judging

import (
	"slices"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// fileFindings returns the findings that are not about an object.
func (r *Report) fileFindings() []finding.Finding {
	findings := slices.Concat(r.snapshot.Findings, r.withoutRule(notesOnUnits(r.snapshot.Written)), notesOnApplications(r.snapshot.Applications), r.judge.notChecked, r.unusedBundles())
	for _, u := range r.snapshot.Collection.Unread {
		if u.Reading == loader.NotText {
			continue // already among the findings
		}
		findings = append(findings, u.Problem().Finding())
		r.result.Incomplete = r.result.Incomplete || u.Reading == loader.Unreadable && r.Reported(u.File)
	}
	findings = append(findings, r.targetUnknown()...)
	findings = append(findings, r.unusedSignals()...)
	findings = append(findings, r.notesOnFiles(findings)...)
	var kept []finding.Finding
	for _, f := range findings {
		if r.Configure(&f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// withoutRule makes what is not delivered notes about what was not checked where the rule about it is off.
func (r *Report) withoutRule(findings []finding.Finding) []finding.Finding {
	for i, f := range findings {
		if f.Rule == finding.RuleNotDelivered.Name && !r.Configure(&f) {
			findings[i].Rule, findings[i].Severity = finding.RuleNotChecked.Name, finding.RuleNotChecked.Severity
		}
	}
	return findings
}

// notesOnUnits returns what of the units was not checked in the form in which it is applied. A chart that fails with its own values
// is not applied with them if others render it with theirs.
func notesOnUnits(units []*objects.Unit) []finding.Finding {
	units = slices.DeleteFunc(slices.Clone(units), func(u *objects.Unit) bool { return u.NotBuilt && u.Replaced() })
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
