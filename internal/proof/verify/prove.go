package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/permission"
)

// Proof is what can be written.
type Proof struct {
	// Files are the changes of all verified plans, Plans these plans.
	Files []engine.FileChange
	Plans []*engine.Plan
	// Steps are the changes in the sequence in which they are written: see engine.Steps.
	Steps []commit.Write
	// Refused are the other plans.
	Refused []engine.Refused
	// Permissions are what identities gain and lose, and what OLM can do for extensions.
	Permissions permission.Report
	// Changed are the units whose applied objects the changes change.
	Changed []ChangedUnit
}

// Writes returns the changes in the form that package commit takes.
func (p Proof) Writes() []commit.Write { return engine.Merged{Files: p.Files}.Writes() }

// Prove applies the plans in memory and verifies the result. Plans with undeclared differences are dropped, together with
// those that need them, and the rest is verified again. The error is a technical one, such as an unreadable file, and not
// about a plan.
func Prove(c *engine.Context, plans []*engine.Plan) (Proof, error) {
	var proof Proof
	w := newBeforeAfter(c)
	for {
		merged, err := engine.Merge(c, plans)
		if err != nil {
			return proof, err
		}
		proof.Refused = append(proof.Refused, merged.Refused...)
		plans, proof.Refused = engine.Without(plans, proof.Refused)
		permissions, violations, err := w.examine(merged.Files, plans)
		if err != nil {
			return proof, err
		}
		if len(violations) == 0 {
			proof.Files, proof.Plans, proof.Permissions, proof.Changed = merged.Files, plans, permissions, w.changedUnits(merged.Files)
			proof.Steps, err = engine.Steps(c, plans, merged.Files)
			return proof, err
		}
		before := len(plans)
		blamed, err := w.blame(violations, plans)
		if err != nil {
			return proof, err
		}
		plans, proof.Refused = engine.Without(plans, append(proof.Refused, blamed...))
		if len(plans) == before {
			return proof, fmt.Errorf("internal error: a violation that no plan causes: %s", violations[0].reason)
		}
	}
}

// violation is an undeclared difference, and the plans that cause it; if there are none, all do.
type violation struct {
	plans  []*engine.Plan
	reason string
}

// maxAlone limits the plans that are verified one by one, because each of them needs a build.
const maxAlone = 32

// blame returns the plans that are refused because of violations. If a violation does not determine the plan, those are
// refused that fail by themselves; if none does, all of them.
func (w *beforeAfter) blame(violations []violation, plans []*engine.Plan) ([]engine.Refused, error) {
	unclear := slices.ContainsFunc(violations, func(f violation) bool { return len(f.plans) != 1 })
	if !unclear || len(plans) == 1 || len(plans) > maxAlone {
		return refusals(violations, plans), nil
	}
	var guilty []engine.Refused
	for _, plan := range plans {
		alone := withNeeds(plan, nil)
		merged, err := engine.Merge(w.c, alone)
		if err != nil {
			return nil, err
		}
		_, violations, err := w.examine(merged.Files, alone)
		if err != nil {
			return nil, err
		}
		if len(violations) > 0 {
			guilty = append(guilty, refusals(violations[:1], []*engine.Plan{plan})...)
		}
	}
	if len(guilty) == 0 {
		return refusals(violations, plans), nil
	}
	return guilty, nil
}

// withNeeds returns a plan and all plans that it needs.
func withNeeds(plan *engine.Plan, known []*engine.Plan) []*engine.Plan {
	if slices.Contains(known, plan) {
		return known
	}
	known = append(known, plan)
	for _, need := range plan.Needs {
		known = withNeeds(need, known)
	}
	return known
}

// refusals returns each violating plan with its first violation as the reason.
func refusals(violations []violation, all []*engine.Plan) []engine.Refused {
	var refused []engine.Refused
	blamed := map[*engine.Plan]bool{}
	for _, f := range violations {
		guilty := f.plans
		if len(guilty) == 0 {
			guilty = all
		}
		for _, p := range guilty {
			if !blamed[p] && slices.Contains(all, p) {
				blamed[p] = true
				refused = append(refused, engine.Refused{Plan: p, Reason: "the fix could not be verified: " + f.reason})
			}
		}
	}
	return refused
}

// examine looks for violations, first in the files, and if there are none, in the units. Without violations it returns how
// the changes affect permissions.
func (w *beforeAfter) examine(changes []engine.FileChange, plans []*engine.Plan) (permission.Report, []violation, error) {
	var none permission.Report
	var violations []violation
	failed := make([]error, len(changes))
	after := make([]*manifest.File, len(changes))
	_ = parallel.Do(context.Background(), len(changes), func(i int) { after[i], failed[i] = checkFile(changes[i]) }) // never done, so without an error
	for i, change := range changes {
		if failed[i] != nil {
			violations = append(violations, violation{change.Plans, fmt.Sprintf("%s: %v", change.Path, failed[i])})
		}
	}
	if len(violations) > 0 || len(changes) == 0 {
		return none, violations, nil
	}
	if err := w.change(changes, after); err != nil {
		return none, nil, err
	}
	violations = changedInputs(w.before, changes)
	rank := map[*engine.Plan]int{}
	for i, plan := range plans {
		rank[plan] = i
	}
	deleted := map[string]bool{}
	for _, change := range changes {
		deleted[change.Path] = change.After == nil
	}
	own := &ownAccounts{units: w.before}
	var reports []permission.Report
	for _, pair := range w.changed() {
		e := newExaminer(pair, plansIn(pair, changes, rank))
		e.podSpecs, e.own, e.others = w.c.Policy.PodSpecs, own, w.others
		e.deleted = deleted
		e.keepsOutside(w.c.Scope)
		e.examine()
		violations = append(violations, e.violations...)
		if !e.before.Replaced() { // its permissions are compared, but no one has them
			reports = append(reports, e.permissions)
		}
	}
	return permission.Merge(reports...), violations, nil
}

// plansIn returns the plans that change a file of a unit, in the order of all plans.
func plansIn(p pair, changes []engine.FileChange, rank map[*engine.Plan]int) []*engine.Plan {
	var plans []*engine.Plan
	for _, file := range p.read {
		at, _ := slices.BinarySearchFunc(changes, file, func(c engine.FileChange, file string) int { return strings.Compare(c.Path, file) })
		plans = append(plans, changes[at].Plans...)
	}
	slices.SortFunc(plans, func(a, b *engine.Plan) int { return rank[a] - rank[b] })
	return slices.Compact(plans)
}
