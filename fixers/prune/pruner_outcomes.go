package prune

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/helm"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// outcomesOf are outcomes, with the index of the first one for each key of a manifest.
type outcomesOf struct {
	all   []engine.Outcome
	first map[string]int
}

func (p *Pruner) indexOutcomes(all []engine.Outcome) outcomesOf {
	indexed := outcomesOf{all, map[string]int{}}
	for i, o := range all {
		if o.Object == nil {
			continue
		}
		for _, key := range p.manifestKeys(o.Object) {
			if _, known := indexed.first[key]; !known {
				indexed.first[key] = i
			}
		}
	}
	return indexed
}

// own returns the first outcome for the manifest of an object.
func (p *Pruner) own(outcomes outcomesOf, o *objects.Object) (engine.Outcome, bool) {
	first := len(outcomes.all)
	for _, key := range p.manifestKeys(o) {
		if i, known := outcomes.first[key]; known {
			first = min(first, i)
		}
	}
	if first == len(outcomes.all) {
		return engine.Outcome{}, false
	}
	return outcomes.all[first], true
}

// outcomeFor returns the outcome for the object of a request: its own, or that of the account that it is removed with.
func (p *Pruner) outcomeFor(r engine.Request, outcomes outcomesOf) engine.Outcome {
	if o, is := p.own(outcomes, r.Object); is {
		o.Object = r.Object
		return o
	}
	var fallback engine.Outcome
	for _, o := range outcomes.all {
		switch {
		case o.Plan != nil && o.Plan.Touches(r.Object):
			fallback = o
		case fallback.Plan == nil && o.Refusal != nil && p.concerns(o.Object, r.Object):
			fallback = o
		}
	}
	if fallback.Plan == nil && fallback.Refusal == nil {
		fallback.Refusal = p.refusalWithoutOutcome(r.Object)
	}
	fallback.Object = r.Object
	return fallback
}

// isSameManifest reports whether two objects come from one manifest.
func (p *Pruner) isSameManifest(a, b *objects.Object) bool {
	return applied.SameSource(a, b) || isRendered(a) && isRendered(b) && refOf(p.c, a) == refOf(p.c, b)
}

// manifestKeys returns keys of which two objects share one if isSameManifest holds for them.
func (p *Pruner) manifestKeys(o *objects.Object) []string {
	keys := []string{applied.SourceKey(o)}
	if isRendered(o) {
		keys = append(keys, refOf(p.c, o))
	}
	return keys
}

// refusalWithoutOutcome returns why an object stays that is part of no decision: another account of the same template, or a role that
// something still uses.
func (p *Pruner) refusalWithoutOutcome(o *objects.Object) *engine.Refusal {
	if cand := p.bySource[refOf(p.c, o)]; cand != nil {
		if again := newCandidate(p.c, objects.Account{Namespace: o.Namespace, Name: o.Name}, o); again.refusal != nil {
			return &engine.Refusal{Reason: again.refusal.Error()}
		}
	}
	if why, ok := p.keptRoles[p.firstForm(o)]; ok {
		return &engine.Refusal{Reason: engine.NameOf(o).String() + " stays: " + why}
	}
	return &engine.Refusal{Reason: engine.NameOf(o).String() + " is still in use, or belongs to the cluster"}
}

// concerns reports whether an object is bound to the account of an outcome. An outcome without an account concerns
// everything.
func (p *Pruner) concerns(account, o *objects.Object) bool {
	if account == nil {
		return true
	}
	cand := p.bySource[refOf(p.c, account)]
	return cand != nil && slices.ContainsFunc(cand.subjects, func(s boundSubject) bool {
		return p.isSameManifest(s.Object, o) || s.RoleObject != nil && p.isSameManifest(s.RoleObject, o)
	})
}

// outcomes makes the plans. A role that one account used is removed with it. A role that several accounts used is removed if
// all of them are.
func (p *Pruner) outcomes() []engine.Outcome {
	out := slices.Clone(p.refused)
	p.planRemovals()
	for _, cand := range p.candidates {
		if len(cand.removals) > 0 {
			out = append(out, engine.Outcome{Object: cand.object, Plan: cand.plan, OnlyIn: cand.unitsLeft()})
			out = append(out, p.keptLeftovers(cand)...)
			continue
		}
		if cand.refusal != nil {
			outcome := engine.Outcome{Object: cand.object, Refusal: engine.AsRefusal(cand.refusal), OnlyFormer: p.isOnlyFormer(cand)}
			if cand.appliedDifferently {
				outcome.OrphanedBy = cand.plans
			}
			out = append(out, outcome)
			continue
		}
		out = append(out, engine.Outcome{Object: cand.object, Plan: p.build(cand)})
	}
	for _, cand := range p.candidates {
		p.dependencies(cand)
	}
	for _, role := range p.roles {
		if o, ok := p.roleOutcome(role); ok {
			out = append(out, o)
		}
	}
	for _, o := range p.removable() {
		for _, cand := range p.removed.objects[applied.SourceRef(o)] {
			if cand.plan != nil && len(cand.removals) == 0 {
				p.removeDeletePatches(cand.plan, o)
			}
		}
	}
	for _, o := range out {
		if o.Plan != nil {
			p.removePatches(o.Plan)
			p.c.DeclareBuiltChanges(o.Plan)
			helm.NoteUnusedByPlan(p.c, o.Plan)
		}
	}
	return out
}

func (p *Pruner) roleOutcome(role *objects.Object) (engine.Outcome, bool) {
	users := p.roleOf[role]
	why, kept := p.keptRoles[role]
	switch {
	case kept && len(users) > 0:
		if plan := users[0].plan; plan != nil && len(users[0].removals) == 0 {
			plan.AddNote("%s stays: %s", engine.NameOf(role), why)
		}
		return engine.Outcome{}, false
	case kept:
		return engine.Outcome{Object: role, Refusal: &engine.Refusal{Reason: engine.NameOf(role).String() + " stays: " + why}}, true
	case len(users) == 1:
		p.removeObject(users[0].plan, role)
		return engine.Outcome{}, false
	}
	plan := &engine.Plan{
		Kind: finding.Prune, Object: role,
		Description: "Remove " + engine.NameOf(role).String() + ", which no binding refers to any longer",
	}
	for _, cand := range users {
		plan.Needs = append(plan.Needs, cand.plan)
	}
	p.removeObject(plan, role)
	return engine.Outcome{Object: role, Plan: plan}, true
}

// dependencies lets the plan of an account need the plans that remove other mentions of it.
func (p *Pruner) dependencies(cand *candidate) {
	if cand.plan == nil || len(cand.removals) > 0 {
		return
	}
	need := func(other *engine.Plan) {
		if other != nil && other != cand.plan && !slices.Contains(cand.plan.Needs, other) {
			cand.plan.Needs = append(cand.plan.Needs, other)
		}
	}
	if len(cand.plan.Texts) > 0 {
		for _, other := range p.candidates {
			if other.plan != nil && sharesText(cand.plan, other.plan) {
				need(other.plan)
			}
		}
	}
	for _, form := range cand.forms {
		p.needRenderedRemovals(form, need)
		for _, m := range p.mentionsOf(form.Object) {
			if p.c.Repo.MeansNamesake(form.Object, m.File) {
				continue
			}
			if plan := p.fieldRemovals[m.Ref]; plan != nil && removesMention(plan, m.Place) {
				need(plan)
			}
			need(p.removerOf(m.name, m.Place))
			for _, other := range p.removed.objects[m.Ref] {
				need(other.plan)
			}
		}
	}
}

// sharesText reports whether two plans remove one document of a template: neither can be carried out alone.
func sharesText(a, b *engine.Plan) bool {
	return slices.ContainsFunc(a.Texts, func(change engine.TextChange) bool { return change.Document && slices.Contains(b.Texts, change) })
}
