package lint

import (
	"context"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
)

// judgements returns the findings about each extension that count, with their fixes.
func (r *run) judgements(ctx context.Context, found [][]judgedFinding) ([][]Judgment, error) {
	var all []judgedFinding
	var of []int
	for i := range found {
		for _, f := range found[i] {
			if r.counts(&f.Finding) {
				all, of = append(all, f), append(of, i)
			}
		}
	}
	fixes := r.newFixRun(ctx)
	results, _, err := fixes.planFixes(all)
	if err != nil {
		return nil, err
	}
	out := make([][]Judgment, len(found))
	for n := range results {
		fixes.checkCreation(&results[n])
		results[n].describeRefusedObjects()
		out[of[n]] = append(out[of[n]], Judgment{results[n].Finding, results[n].refused})
	}
	return out, nil
}

// counts sets the configured severity of a finding unless it is an error. It returns false if the rule is off for its file.
func (r *run) counts(f *finding.Finding) bool {
	if f.Severity == finding.Error {
		return true
	}
	return r.configure(f)
}

// meantFor returns the findings about mistyped subjects that were meant for the identity of an extension without an account.
func meantFor(t task, found []judgedFinding) []judgedFinding {
	extension, _ := olm.ReadExtension(t.object.Node)
	switch extension.Account.State {
	case olm.Absent, olm.Null:
	default:
		return nil
	}
	var meant []judgedFinding
	for _, f := range found {
		if f.Rule != ruleMistyped || f.unit != t.unit || len(f.report.Path) < 2 {
			continue
		}
		subject := f.report.Object.Node.Lookup(f.report.Path[:2])
		_, name, _, ok := olm.Mistyped(subject.Get("kind").String(), subject.Get("name").String())
		if ok && (name == olm.Group || name == olm.User(extension.Name)) {
			meant = append(meant, f)
		}
	}
	return meant
}
