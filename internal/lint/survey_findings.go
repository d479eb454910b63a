package lint

import (
	"context"

	"github.com/salint/salint/fixers/engine"
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
	judged, err := r.judged(r.newFixRun(ctx), all)
	if err != nil {
		return nil, err
	}
	if err := r.judgeInPaths(ctx, judged, all); err != nil {
		return nil, err
	}
	out := make([][]Judgment, len(found))
	for n := range judged {
		out[of[n]] = append(out[of[n]], judged[n])
	}
	return out, nil
}

// judged returns findings with the fixes of a run.
func (r *run) judged(fixes *fixRun, found []judgedFinding) ([]Judgment, error) {
	results, _, err := fixes.planFixes(found)
	if err != nil {
		return nil, err
	}
	out := make([]Judgment, len(results))
	for n := range results {
		fixes.checkCreation(&results[n])
		results[n].describeRefusedObjects()
		out[n] = Judgment{Finding: results[n].Finding, Refused: results[n].refused, Edited: editedBy(results[n].plan)}
	}
	return out, nil
}

// judgeInPaths sets [Judgment.InPaths] of the findings without a fix that have one if only the units in the paths change.
func (r *run) judgeInPaths(ctx context.Context, judged []Judgment, found []judgedFinding) error {
	scope := r.pathScope()
	if scope == nil || !r.Fixes.Shared {
		return nil
	}
	var refused []judgedFinding
	var of []int
	for n := range judged {
		if judged[n].Refused != "" {
			refused, of = append(refused, found[n]), append(of, n)
		}
	}
	if len(refused) == 0 {
		return nil
	}
	fixes := r.newFixRun(ctx)
	fixes.context.Scope = scope
	again, err := r.judged(fixes, refused)
	if err != nil {
		return err
	}
	for i := range again {
		if again[i].Refused == "" && again[i].Fix != nil {
			judged[of[i]].InPaths = &again[i]
		}
	}
	return nil
}

// editedBy returns the files that a plan edits; nil without a plan.
func editedBy(p *engine.Plan) []string {
	if p == nil {
		return nil
	}
	return p.EditedFiles()
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
