package prune

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
)

// unitRemoval is the removal of a leftover, as a part of what is removed from its unit.
type unitRemoval struct {
	*leftover
	gone unitRemovals
}

// planRemovals makes the plans that remove accounts from single units.
func (p *Pruner) planRemovals() {
	for _, cand := range p.candidates {
		if len(cand.removals) > 0 {
			cand.plan = &engine.Plan{Kind: finding.Prune, Object: cand.object}
		}
	}
	for _, cand := range p.candidates {
		if len(cand.removals) == 0 {
			continue
		}
		if err := p.planRemoval(cand); err != nil {
			cand.plan, cand.removals, cand.refusal = nil, nil, err
		}
	}
}

// planRemoval adds the patches for all units in which an account is left.
func (p *Pruner) planRemoval(cand *candidate) error {
	units := cand.unitsLeft()
	for _, r := range cand.removals {
		if err := p.planUnit(cand.plan, r); err != nil {
			return err
		}
	}
	for _, plan := range cand.plans {
		changes := func(a engine.AppliedChange) bool { return slices.Contains(units, a.Unit) }
		if slices.ContainsFunc(plan.Applied, changes) {
			addNeed(cand.plan, plan)
		}
	}
	cand.plan.Description = "Remove " + engine.NameOf(cand.object).String() + " from " + engine.UnitList(units) + ", where it is no longer used"
	return nil
}

// planUnit adds what removes the account of one unit, with its grants. An object that other accounts of the unit also need needs
// their plans.
func (p *Pruner) planUnit(plan *engine.Plan, r unitRemoval) error {
	u := r.form.Unit
	all := append([]*objects.Object{r.form.Object}, r.secrets...)
	for _, b := range r.grants {
		loss := subjects.GrantChange(b, engine.Pruned)
		loss.Unit = u
		plan.Losses = append(plan.Losses, loss)
		if !slices.Contains(all, b.Object) {
			all = append(all, b.Object)
		}
	}
	for _, b := range r.grants {
		if role := b.RoleObject; role != nil && slices.Contains(r.gone.roles, role) && !slices.Contains(all, role) {
			all = append(all, role)
		}
	}
	for _, o := range all {
		if err := p.removeFrom(plan, applied.Form{Unit: u, Object: o}); err != nil {
			return err
		}
		for _, other := range r.gone.by[applied.SourceRef(o)] {
			if other.candidate.plan != nil {
				addNeed(plan, other.candidate.plan)
			}
		}
	}
	return nil
}

// removeFrom removes an object from a unit: its manifest if no other unit applies it, and otherwise by a patch.
func (p *Pruner) removeFrom(plan *engine.Plan, o applied.Form) error {
	forms := p.c.Repo.AppliedForms(o.Object)
	if slices.ContainsFunc(forms, func(form applied.Form) bool { return form.Unit != o.Unit }) {
		return p.c.RemoveByPatch(plan, o)
	}
	plan.RemoveObject(o.Object, commit.OrderRemoval)
	return nil
}

func addNeed(plan, other *engine.Plan) {
	if other != plan && !slices.Contains(plan.Needs, other) {
		plan.Needs = append(plan.Needs, other)
	}
}

// unitsLeft returns the units from which patches remove the account.
func (cand *candidate) unitsLeft() []*objects.Unit {
	var units []*objects.Unit
	for _, r := range cand.removals {
		units = append(units, r.form.Unit)
	}
	return units
}
