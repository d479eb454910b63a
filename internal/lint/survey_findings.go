package lint

import (
	"context"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// judgements returns the findings about each extension that count, with their fixes. Mixed are the units with mixed extensions.
func (r *run) judgements(ctx context.Context, found [][]judgedFinding, mixed map[*objects.Unit]bool) ([][]Judgment, error) {
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
	if err := r.judgeInFolders(ctx, judged, all, mixed); err != nil {
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

// judgeInPaths sets [Judgment.InPaths] of the findings without a fix that have one if only the units in the paths change, or if the paths
// limit nothing, only their unit.
func (r *run) judgeInPaths(ctx context.Context, judged []Judgment, found []judgedFinding) error {
	if !r.Fixes.Shared {
		return nil
	}
	paths := r.pathScope()
	var units []*objects.Unit // nil for all units in the paths
	refused := map[*objects.Unit][]int{}
	for n := range judged {
		unit := found[n].unit
		switch {
		case judged[n].Refused == "" || paths == nil && len(unit.Kustomizations) == 0:
			continue
		case paths != nil:
			unit = nil
		}
		if refused[unit] == nil {
			units = append(units, unit)
		}
		refused[unit] = append(refused[unit], n)
	}
	for _, unit := range units[:min(len(units), maxUnitsAlone)] {
		scope := paths
		if unit != nil {
			scope = r.unitScope(unit)
		}
		if err := r.judgeInScope(ctx, scope, judged, found, refused[unit]); err != nil {
			return err
		}
	}
	return nil
}

// maxUnitsAlone is the number of units for which fixes of the unit alone are tried.
const maxUnitsAlone = 50

// judgeInScope sets [Judgment.InPaths] of the findings at some indexes that have a fix in a scope.
func (r *run) judgeInScope(ctx context.Context, scope *engine.Scope, judged []Judgment, found []judgedFinding, indexes []int) error {
	again, err := r.judgedInScope(ctx, scope, found, indexes)
	if err != nil {
		return err
	}
	for i, n := range indexes {
		if again[i].Refused == "" && again[i].Fix != nil {
			judged[n].InPaths = &again[i]
		}
	}
	return nil
}

// judgeInFolders sets [Judgment.InFolder] of the findings about some units.
func (r *run) judgeInFolders(ctx context.Context, judged []Judgment, found []judgedFinding, mixed map[*objects.Unit]bool) error {
	if !r.Fixes.Shared {
		return nil
	}
	var units []*objects.Unit
	of := map[*objects.Unit][]int{}
	for n := range found {
		unit := found[n].unit
		if !mixed[unit] || len(unit.Kustomizations) == 0 {
			continue
		}
		if of[unit] == nil {
			units = append(units, unit)
		}
		of[unit] = append(of[unit], n)
	}
	for _, unit := range units[:min(len(units), maxUnitsAlone)] {
		again, err := r.judgedInScope(ctx, r.unitScope(unit), found, of[unit])
		if err != nil {
			return err
		}
		for i, n := range of[unit] {
			judged[n].InFolder = &again[i]
		}
	}
	return nil
}

// judgedInScope returns the findings at some indexes with the fixes that a scope allows.
func (r *run) judgedInScope(ctx context.Context, scope *engine.Scope, found []judgedFinding, indexes []int) ([]Judgment, error) {
	chosen := make([]judgedFinding, len(indexes))
	for i, n := range indexes {
		chosen[i] = found[n]
	}
	fixes := r.newFixRun(ctx)
	fixes.context.Scope = scope
	return r.judged(fixes, chosen)
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
