package plan

import (
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
)

// doFixErrors is Step.Do of a step that fixes errors for which there is no other step. Its value is part of the JSON output.
const doFixErrors = "fix"

// planner builds a transition. The extensions in set and unset change from step to step.
type planner struct {
	*builder
	Transition
	extensions []*Extension
	// set are the extensions whose manifests set the field at this point of the transition, unset the others.
	set, unset []*Extension
	// goes are the units of the transition; staying are other units that apply the same place of a file.
	goes    map[*objects.Unit]bool
	staying map[place][]session.Applied
}

// steps adds the steps in order. Pruning comes last, because a way back is short until then.
func (p *planner) steps() {
	from, leftovers := p.From, (len(p.set) > 0 || p.From.Model == olm.Synthetic) && !clearsBefore(p.From, p.To)
	if via, over := between(olm.Step{From: p.From, To: p.To}); over {
		p.Via = via.Name
		p.leg(from, via)
		from = via
	}
	p.leg(from, p.To)
	useless := p.To.Model == olm.Ignored || p.To.Model == olm.Removed || p.To.Model == olm.Synthetic && p.From.Model == olm.Required
	if leftovers && useless {
		p.prune(p.To)
	}
}

// between returns the target through which a transition must go. No manifest is valid both for a target that requires the
// field and for one that has none, so a target where the field is optional must be between them.
func between(s olm.Step) (via olm.Target, over bool) {
	up := s.From.Model == olm.Required && s.To.Model == olm.Removed
	down := s.From.Model == olm.Removed && s.To.Model == olm.Required
	if !up && !down {
		return olm.Target{}, false
	}
	return s.Between()
}

// clearsBefore returns whether the field has no effect at both ends of a transition. Then it is removed on the first one: neither
// the upgrade nor a way back needs it.
func clearsBefore(from, to olm.Target) bool {
	return from.Name != to.Name && from.Model == olm.Ignored && to.Model == olm.Ignored
}

// clearsFirst returns whether the steps of a transition remove the field on the target of today, where it has no effect.
func clearsFirst(from, to olm.Target) bool {
	return clearsBefore(from, to) || from.Model == olm.Ignored && to.Model == olm.Removed
}

// leg plans a part of a transition for which some manifest is valid at both ends.
func (p *planner) leg(from, to olm.Target) {
	switch to.Model {
	case olm.Required:
		p.toRequired(from, to)
	case olm.Synthetic:
		p.toSynthetic(from, to)
	case olm.Ignored:
		if clearsBefore(p.From, p.To) && len(p.set) > 0 {
			p.clear(from, from)
			p.prune(from)
		}
		p.fixErrors(to, ruleDeprecated, rulePlaceholder, ruleEmpty)
		p.cluster(from, to)
		if p.To.Model != olm.Required { // otherwise the field is needed again soon
			p.clear(to, to)
		}
	default:
		p.toRemoved(from, to)
	}
}

// toRemoved removes the field while it is still optional. The only transition from a technology preview is to a new
// cluster, which never had the field.
func (p *planner) toRemoved(from, to olm.Target) {
	p.fixErrors(to, ruleDeprecated, rulePlaceholder, ruleEmpty)
	on := from
	if from.TechPreview() || from.Model == olm.Removed {
		on = to
	}
	p.clear(on, to)
	p.cluster(from, to)
}

// toRequired sets an account in every extension before the cluster changes.
func (p *planner) toRequired(from, to olm.Target) {
	if from.Model == olm.Required {
		p.fixErrors(to)
		p.cluster(from, to)
		return
	}
	p.fixErrors(to, ruleMissing, ruleEmpty)
	p.account(from, to)
	p.checkAccounts(to)
	p.cluster(from, to)
}

// toSynthetic first grants permissions to the identities that OLM will use.
func (p *planner) toSynthetic(from, to olm.Target) {
	switch from.Model {
	case olm.Synthetic:
		p.fixErrors(to)
		p.cluster(from, to)
	case olm.Required:
		p.fixErrors(to, ruleDeprecated, rulePlaceholder, ruleEmpty, ruleUnbound)
		p.grant(from, to)
		p.cluster(from, to)
		p.clear(to, to)
	default:
		p.fixErrors(to, ruleUnbound)
		p.grant(from, to)
		p.cluster(from, to)
	}
}

func (p *planner) add(s Step) { p.Steps = append(p.Steps, s) }

// cell returns the cell of an extension and a target. On a target without a cell, such as one between the ends, the
// extension works.
func (p *planner) cell(e *Extension, t olm.Target) Cell {
	for _, c := range e.Cells {
		if c.Target.Name == t.Name {
			return c
		}
	}
	return Cell{Target: t, Status: Works}
}

func labels(extensions []*Extension) []string {
	var names []string
	for _, e := range extensions {
		names = append(names, e.Label)
	}
	return names
}
