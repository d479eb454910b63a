package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/permission"
)

// Proof is what may be written.
type Proof struct {
	// Files are the changes of all plans that were proven, Plans these plans.
	Files []engine.FileChange
	Plans []*engine.Plan
	// Refused are the others.
	Refused []engine.Refused
	// Permissions are what identities may do more and less than before, and what OLM can do for extensions.
	Permissions permission.Report
}

// Writes are the changes as the repository takes them.
func (p Proof) Writes() []repo.Write { return engine.Merged{Files: p.Files}.Writes() }

// Prove carries the plans out in memory and proves the outcome. Plans that are found guilty of a difference which nobody
// declared are dropped, with those that need them, and the rest is proven again. The error is about the machinery, not
// about a plan: a file could not be read.
func Prove(c *engine.Context, plans []*engine.Plan) (Proof, error) {
	var proof Proof
	w := newBeforeAfter(c)
	for {
		combined, err := engine.Merge(c, plans)
		if err != nil {
			return proof, err
		}
		proof.Refused = append(proof.Refused, combined.Refused...)
		plans, proof.Refused = engine.Without(plans, proof.Refused)
		permissions, faults, err := w.examine(combined.Files, plans)
		if err != nil {
			return proof, err
		}
		if len(faults) == 0 {
			proof.Files, proof.Plans, proof.Permissions = combined.Files, plans, permissions
			return proof, nil
		}
		before := len(plans)
		blamed, err := w.blame(faults, plans)
		if err != nil {
			return proof, err
		}
		plans, proof.Refused = engine.Without(plans, append(proof.Refused, blamed...))
		if len(plans) == before {
			return proof, fmt.Errorf("a fault that no plan can be blamed for: %s", faults[0].reason)
		}
	}
}

// fault is a difference that nobody declared, and the plans that are to blame; with none, all are.
type fault struct {
	plans  []*engine.Plan
	reason string
}

// maxAlone is how many plans are tried one by one, for each takes a build of what it changes.
const maxAlone = 32

// blame finds the plans that are refused for faults. Where a fault leaves open which plan it is, those are to blame that fail
// by themselves; if none does, all of them.
func (w *beforeAfter) blame(faults []fault, plans []*engine.Plan) ([]engine.Refused, error) {
	unclear := slices.ContainsFunc(faults, func(f fault) bool { return len(f.plans) != 1 })
	if !unclear || len(plans) == 1 || len(plans) > maxAlone {
		return refusals(faults, plans), nil
	}
	var guilty []engine.Refused
	for _, plan := range plans {
		alone := withNeeds(plan, nil)
		combined, err := engine.Merge(w.c, alone)
		if err != nil {
			return nil, err
		}
		_, faults, err := w.examine(combined.Files, alone)
		if err != nil {
			return nil, err
		}
		if len(faults) > 0 {
			guilty = append(guilty, refusals(faults[:1], []*engine.Plan{plan})...)
		}
	}
	if len(guilty) == 0 {
		return refusals(faults, plans), nil
	}
	return guilty, nil
}

// withNeeds lists a plan and all that it needs.
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

// refusals gives each plan that is to blame its first fault as the reason.
func refusals(faults []fault, all []*engine.Plan) []engine.Refused {
	var refused []engine.Refused
	blamed := map[*engine.Plan]bool{}
	for _, f := range faults {
		guilty := f.plans
		if len(guilty) == 0 {
			guilty = all
		}
		for _, p := range guilty {
			if !blamed[p] && slices.Contains(all, p) {
				blamed[p] = true
				refused = append(refused, engine.Refused{Plan: p, Reason: "the fix could not be proven: " + f.reason})
			}
		}
	}
	return refused
}

// examine looks for faults, first in the files, and when their contents are as declared, in the units. Without faults it
// says what the changes do to permissions.
func (w *beforeAfter) examine(changes []engine.FileChange, plans []*engine.Plan) (permission.Report, []fault, error) {
	var none permission.Report
	var faults []fault
	for _, change := range changes {
		if err := checkFile(change); err != nil {
			faults = append(faults, fault{change.Plans, fmt.Sprintf("%s: %v", change.Path, err)})
		}
	}
	if len(faults) > 0 || len(changes) == 0 {
		return none, faults, nil
	}
	if err := w.change(changes); err != nil {
		return none, nil, err
	}
	faults = claimed(w.before, changes)
	rank := map[*engine.Plan]int{}
	for i, plan := range plans {
		rank[plan] = i
	}
	var reports []permission.Report
	for _, pair := range w.changed() {
		e := newExaminer(pair, plansIn(pair, changes, rank))
		e.podSpecs = w.c.Policy.PodSpecs
		e.examine()
		faults = append(faults, e.faults...)
		reports = append(reports, e.permissions)
	}
	return permission.Merge(reports...), faults, nil
}

// plansIn lists the plans that change a file of a unit, in the order of all plans.
func plansIn(p pair, changes []engine.FileChange, rank map[*engine.Plan]int) []*engine.Plan {
	var plans []*engine.Plan
	for _, file := range p.read {
		at, _ := slices.BinarySearchFunc(changes, file, func(c engine.FileChange, file string) int { return strings.Compare(c.Path, file) })
		plans = append(plans, changes[at].Plans...)
	}
	slices.SortFunc(plans, func(a, b *engine.Plan) int { return rank[a] - rank[b] })
	return slices.Compact(plans)
}
