package judging

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// BaselineUse is what a run did with the baseline.
type BaselineUse struct {
	// Known are the findings that the baseline silenced, also notes on findings that are not fixed.
	Known []finding.Finding
	// Kept are entries that match nothing in this run, and that another run can need: this one did not look at their files, rules, or
	// targets. Gone are those that no longer match anything.
	Kept, Gone []silence.BaselineEntry
}

// useBaseline sets the use of the baseline after it was applied, and returns the note on the entries that no longer match anything.
func (r *Report) useBaseline(known []finding.Finding) []finding.Finding {
	use := BaselineUse{Known: known}
	failed := r.failedFiles()
	for _, e := range r.options.Baseline.Unmatched() {
		if r.couldFind(e) && !failed(e.File) {
			use.Gone = append(use.Gone, e)
		} else {
			use.Kept = append(use.Kept, e)
		}
	}
	r.result.Baseline = use
	note, ok := goneNote(r.options.BaselineFile, use.Gone)
	if !ok || !r.Configure(&note) {
		return nil
	}
	return []finding.Finding{note}
}

// failedFiles returns a function that reports whether a file could not be read, or a unit that reads it could not be built.
func (r *Report) failedFiles() func(file string) bool {
	failed := map[string]bool{}
	for _, u := range r.snapshot.Unread() {
		failed[u.File] = true
	}
	incomplete := slices.DeleteFunc(slices.Clone(r.snapshot.Units), func(u *objects.Unit) bool { return len(u.Problems) == 0 })
	return func(file string) bool {
		if _, known := failed[file]; !known {
			failed[file] = slices.ContainsFunc(incomplete, func(u *objects.Unit) bool { return u.Reads(file) })
		}
		return failed[file]
	}
}

// couldFind reports whether this run would have the finding of an entry if there still were one: it looked at the file with the rule
// for the target.
func (r *Report) couldFind(e silence.BaselineEntry) bool {
	if r.options.Revision.Changed != nil && !r.options.Revision.Changed[e.File] || !r.options.Severities.enabled[e.Rule] || !r.snapshot.Selected(e.File) || r.result.Incomplete || r.leavesOutNotes(e.Rule) {
		return false
	}
	if e.Target == "" || !r.options.requestsTarget() {
		return true
	}
	target, err := olm.ParseTarget(r.options.Target)
	return err == nil && target.Name == e.Target
}

// leavesOutNotes reports whether flags can leave out what the program itself says with a rule: much of it is about what other rules did
// not check or fix, and one note is about targets that are unknown.
func (r *Report) leavesOutNotes(rule string) bool {
	switch {
	case !strings.HasPrefix(rule, finding.ProgramRules):
		return false
	case rule == finding.RuleTargetUnknown.Name && r.options.requestsTarget():
		return true
	}
	return len(r.options.Only)+len(r.options.Disable) > 0
}

// goneNote is the note on entries that no longer match anything. Notes on findings that are not fixed come and go with these findings.
func goneNote(file string, gone []silence.BaselineEntry) (note finding.Finding, ok bool) {
	gone = slices.DeleteFunc(slices.Clone(gone), func(e silence.BaselineEntry) bool { return e.Rule == finding.RuleUnfixable.Name })
	if len(gone) == 0 {
		return note, false
	}
	entries := "the entry for %s in %s no longer matches a finding"
	if more := len(gone) - 1; more > 0 {
		entries = "the entry for %s in %s and " + words.Count(more, "other") + " no longer match a finding"
	}
	message := fmt.Sprintf(entries, gone[0].Rule, gone[0].File) + ": write the baseline again with --write-baseline"
	return finding.Finding{
		Rule: silence.NoteRule, Severity: finding.Note, Message: message, File: file,
		Range: finding.Range{Line: gone[0].Line},
	}, true
}
