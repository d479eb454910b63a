package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint"
)

// doFixErrors is Step.Do of a step that fixes errors for which there is no other step. Its value is part of the JSON output.
const doFixErrors = "mend"

// planner builds a transition. The extensions in set and unset change from step to step.
type planner struct {
	*builder
	Transition
	extensions []*Extension
	// set are the extensions whose manifests set the field at this point of the transition, unset the others.
	set, unset []*Extension
	// goes are the units of the transition; staying are other units that apply the same place of a file.
	goes    map[*objects.Unit]bool
	staying map[place][]lint.Applied
}

// steps adds the steps in order. Pruning comes last, because a way back is short until then.
func (p *planner) steps() {
	from, leftovers := p.From, len(p.set) > 0 || p.From.Model == olm.Synthetic
	if via, over := between(olm.Step{From: p.From, To: p.To}); over {
		p.Via = via.Name
		p.leg(from, via)
		from = via
	}
	p.leg(from, p.To)
	useless := p.To.Model == olm.Ignored || p.To.Model == olm.Removed || p.To.Model == olm.Synthetic && p.From.Model == olm.Required
	if leftovers && useless {
		p.prune()
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

// leg plans a part of a transition for which some manifest is valid at both ends.
func (p *planner) leg(from, to olm.Target) {
	switch to.Model {
	case olm.Required:
		p.toRequired(from, to)
	case olm.Synthetic:
		p.toSynthetic(from, to)
	case olm.Ignored:
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

// fixErrors fixes what breaks on the target, except findings of rules that other steps of the transition handle.
func (p *planner) fixErrors(to olm.Target, others ...string) {
	s := Step{Do: doFixErrors, Commit: true}
	for _, e := range p.extensions {
		broken := p.cell(e, to).breaking(others)
		if len(broken) == 0 {
			continue
		}
		s.Extensions = append(s.Extensions, e.Label)
		for _, f := range broken {
			s.Notes = appendOnce(s.Notes, f.Message)
		}
		if len(s.Extensions) <= maxNotes {
			s.Commands = appendOnce(s.Commands, p.prepare(e.Name, p.naming(to, e), to, broken))
		}
	}
	s.Notes = few(s.Notes)
	for _, r := range p.plan.Cluster {
		if r.Target == to.Name {
			s.Notes = appendOnce(s.Notes, fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Message))
			s.Commands = appendOnce(s.Commands, p.lintOf(to.Name, nil, []string{r.File}))
		}
	}
	if len(s.Notes) == 0 {
		return
	}
	s.Title = "Fix what would break " + on(to)
	s.Why = "No other step fixes these errors. If a command fixes nothing, it shows what to change by hand."
	p.add(s)
}

// cluster adds the step that changes the cluster itself.
func (p *planner) cluster(from, to olm.Target) {
	s := Step{Extensions: labels(p.extensions), Why: whatChanges(from, to, len(p.set), p.ownAccounts(to))}
	switch back, ok := (olm.Step{From: from, To: to}).Downgrade(); {
	case from.TechPreview():
		s.Do, s.Title = "install", "Install a new cluster with "+to.Name+", and apply the repository to it"
		s.Why = "TechPreviewNoUpgrade cannot be turned off again, and a cluster with it cannot be updated to another minor release. " + s.Why
	case to.TechPreview():
		s.Do, s.Title = "upgrade", "Turn on the feature set TechPreviewNoUpgrade on a disposable cluster"
		s.Why = "It cannot be turned off again, and it prevents updates to other minor releases. " + s.Why
	case ok && back:
		s.Do, s.Title = "downgrade", "Downgrade "+release(to, "to")
		if to.OpenShift() {
			s.Why += " OpenShift supports only updates to newer releases (OpenShift documentation, Introduction to OpenShift updates). The order of the steps is still correct " +
				"for an unsupported downgrade, and for a repository that is applied to an older cluster."
		}
	default:
		s.Do, s.Title = "upgrade", "Upgrade "+release(to, "to")
	}
	p.add(s)
}

// release returns what changes to a target: the cluster, or OLM on it.
func release(t olm.Target, to string) string {
	switch {
	case t.OpenShift():
		return "the cluster " + to + " " + t.Name
	case t.Name == string(t.Model):
		return "OLM " + to + " a release with the model " + t.Name
	}
	return "OLM " + to + " " + t.Name
}

// on returns a target as part of a sentence.
func on(t olm.Target) string {
	if t.Name == string(t.Model) {
		return "under the model " + t.Name
	}
	return "on " + t.Name
}

// ownAccounts names OLM's own account for the extensions of a transition: as a cluster-admin only if it is one for all of them.
func (p *planner) ownAccounts(to olm.Target) string {
	own := "its own account, a cluster-admin"
	for _, e := range p.extensions {
		if named := p.ownAccount(e, to); named != own {
			return named
		}
	}
	return own
}

// whatChanges returns the effect of the cluster's change on extensions that set the field, or on all; own names OLM's own
// account.
func whatChanges(from, to olm.Target, set int, own string) string {
	switch {
	case from.Model == to.Model:
		return "Both treat spec.serviceAccount the same way: nothing changes for extensions."
	case to.Model == olm.Ignored && from.Model == olm.Removed:
		return "The field exists again, without effect: the manifests need no change."
	case to.Model == olm.Ignored && set > 0:
		return "From this step on, OLM acts as " + own + ", and warns about each extension that sets the field. " +
			"Where the field is required, it cannot be removed before this step: the API server would reject the manifest."
	case to.Model == olm.Ignored:
		return "From this step on, OLM acts as " + own + "."
	case to.Model == olm.Removed:
		return "The field is gone from the API: kubectl and server-side apply reject a manifest that still sets it; other clients drop the field silently."
	case to.Model == olm.Synthetic:
		return "From this step on, the field is optional: OLM acts as the account that an extension names, or without one impersonates its synthetic identity."
	default:
		return "From this step on, the field is required: the API server rejects a new extension without it, and every change of an existing one's spec, such as its version. " +
			"OLM has no account to act as for such an extension, so it is neither upgraded nor repaired."
	}
}

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

func appendOnce(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// listed joins names for a sentence and counts the rest.
func listed(names []string) string {
	const maxListed = 4
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
}
