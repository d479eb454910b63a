package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint"
)

// way is a transition while it is planned. What is set and unset changes from step to step.
type way struct {
	*builder
	Transition
	extensions []*Extension
	// set are the extensions whose manifests set the field at this point of the way, unset the others.
	set, unset []*Extension
	// goes are the units that go the way; staying are others that apply what stands at a place.
	goes    map[*objects.Unit]bool
	staying map[place][]lint.Applied
}

// steps puts the steps in order. What the field kept alive goes last: as long as it is there, a way back is short.
func (w *way) steps() {
	from, leftovers := w.From, len(w.set) > 0 || w.From.Model == olm.Synthetic
	if via, over := between(olm.Step{From: w.From, To: w.To}); over {
		w.Via = via.Name
		w.leg(from, via)
		from = via
	}
	w.leg(from, w.To)
	useless := w.To.Model == olm.Ignored || w.To.Model == olm.Removed || w.To.Model == olm.Synthetic && w.From.Model == olm.Required
	if leftovers && useless {
		w.prune()
	}
}

// between is the target that a way leads over. Two targets of which one requires the field and the other has none have no
// manifest that both take: on the way there has to be one in which the field is optional.
func between(s olm.Step) (via olm.Target, over bool) {
	up := s.From.Model == olm.Required && s.To.Model == olm.Removed
	down := s.From.Model == olm.Removed && s.To.Model == olm.Required
	if !up && !down {
		return olm.Target{}, false
	}
	return s.Between()
}

// leg plans a way on which one manifest at a time can be right for both ends.
func (w *way) leg(from, to olm.Target) {
	switch to.Model {
	case olm.Required:
		w.toRequired(from, to)
	case olm.Synthetic:
		w.toSynthetic(from, to)
	case olm.Ignored:
		w.mend(to, ruleDeprecated, rulePlaceholder, ruleEmpty)
		w.cluster(from, to)
		if w.To.Model != olm.Required { // else the field is needed again soon
			w.clear(to, to)
		}
	default:
		w.toRemoved(from, to)
	}
}

// toRemoved takes the field out while it is still optional. A new cluster, which is all that a technology preview leads to, never
// had it.
func (w *way) toRemoved(from, to olm.Target) {
	w.mend(to, ruleDeprecated, rulePlaceholder, ruleEmpty)
	on := from
	if from.TechPreview() || from.Model == olm.Removed {
		on = to
	}
	w.clear(on, to)
	w.cluster(from, to)
}

// toRequired names an account in every extension, and only then changes the cluster.
func (w *way) toRequired(from, to olm.Target) {
	if from.Model == olm.Required {
		w.mend(to)
		w.cluster(from, to)
		return
	}
	w.mend(to, ruleMissing, ruleEmpty)
	w.account(from, to)
	w.checkAccounts(to)
	w.cluster(from, to)
}

// toSynthetic grants the identities first that are going to count.
func (w *way) toSynthetic(from, to olm.Target) {
	switch from.Model {
	case olm.Synthetic:
		w.mend(to)
		w.cluster(from, to)
	case olm.Required:
		w.mend(to, ruleDeprecated, rulePlaceholder, ruleEmpty, ruleUnbound)
		w.grant(from, to)
		w.cluster(from, to)
		w.clear(to, to)
	default:
		w.mend(to, ruleUnbound)
		w.grant(from, to)
		w.cluster(from, to)
	}
}

func (w *way) add(s Step) { w.Steps = append(w.Steps, s) }

// mend clears away what breaks on the target, other than what some rules find, of which other steps of the way take care.
func (w *way) mend(to olm.Target, others ...string) {
	s := Step{Do: "mend", Commit: true}
	for _, e := range w.extensions {
		broken := w.cell(e, to).breaking(others)
		if len(broken) == 0 {
			continue
		}
		s.Extensions = append(s.Extensions, e.Label)
		for _, f := range broken {
			s.Notes = appendOnce(s.Notes, f.Message)
		}
		if len(s.Extensions) <= maxNotes {
			s.Commands = appendOnce(s.Commands, w.prepare(e.Name, w.naming(to, e), to, broken))
		}
	}
	s.Notes = few(s.Notes)
	for _, r := range w.plan.Cluster {
		if r.Target == to.Name {
			s.Notes = appendOnce(s.Notes, fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Message))
			s.Commands = appendOnce(s.Commands, w.lintOf(to.Name, nil, []string{r.File}))
		}
	}
	if len(s.Notes) == 0 {
		return
	}
	s.Title = "Mend what would break " + on(to)
	s.Why = "These are errors there of which no other step takes care. Where a command fixes nothing, it shows what is to be done by hand."
	w.add(s)
}

// cluster is the change of the cluster itself.
func (w *way) cluster(from, to olm.Target) {
	s := Step{Extensions: labels(w.extensions), Why: whatChanges(from, to, len(w.set))}
	switch back, ok := (olm.Step{From: from, To: to}).Downgrade(); {
	case from.TechPreview():
		s.Do, s.Title = "install", "Install a new cluster, "+to.Name+", and apply the repository there"
		s.Why = "TechPreviewNoUpgrade cannot be turned off again, and a cluster with it takes no update to another minor release. " + s.Why
	case to.TechPreview():
		s.Do, s.Title = "upgrade", "Turn the feature set TechPreviewNoUpgrade on, on a cluster that can be thrown away"
		s.Why = "It cannot be turned off again, and it ends updates to other minor releases. " + s.Why
	case ok && back:
		s.Do, s.Title = "downgrade", "Take "+release(to, "back to")
		if to.OpenShift() {
			s.Why += " OpenShift supports updates to newer releases only (OpenShift documentation, Introduction to OpenShift updates). The order holds all the same, " +
				"for whoever tries, and for a repository that is applied to an older cluster."
		}
	default:
		s.Do, s.Title = "upgrade", "Upgrade "+release(to, "to")
	}
	w.add(s)
}

// release says what changes to a target: the cluster, or OLM on it.
func release(t olm.Target, to string) string {
	switch {
	case t.OpenShift():
		return "the cluster " + to + " " + t.Name
	case t.Name == string(t.Model):
		return "OLM " + to + " a release with the model " + t.Name
	}
	return "OLM " + to + " " + t.Name
}

// on is a target behind a verb.
func on(t olm.Target) string {
	if t.Name == string(t.Model) {
		return "under the model " + t.Name
	}
	return "on " + t.Name
}

// whatChanges says what the change of the cluster does to extensions whose field is set, or to all.
func whatChanges(from, to olm.Target, set int) string {
	switch {
	case from.Model == to.Model:
		return "Both treat spec.serviceAccount alike: nothing changes for extensions."
	case to.Model == olm.Ignored && from.Model == olm.Removed:
		return "The field is there again, and without effect: nothing in the manifests has to change."
	case to.Model == olm.Ignored && set > 0:
		return "From here on OLM acts as its own account, a cluster-admin, and warns about each extension that sets the field. " +
			"Before this the field cannot be removed where it is required: the API server would reject the manifest."
	case to.Model == olm.Ignored:
		return "From here on OLM acts as its own account, a cluster-admin."
	case to.Model == olm.Removed:
		return "The field is gone from the API: kubectl and server-side apply reject a manifest that still sets it, and other clients drop the field without a word."
	case to.Model == olm.Synthetic:
		return "The field is optional from here on: OLM acts as the account that an extension names, and without one impersonates its synthetic identity."
	default:
		return "The field is required from here on: the API server rejects an extension without it, and of a live one whatever changes its spec, such as another version. " +
			"OLM has no account to act as for it, so that it is neither upgraded nor repaired."
	}
}

// cell is what becomes of an extension on a target; nothing does on one that was not asked about, such as one on the way.
func (w *way) cell(e *Extension, t olm.Target) Cell {
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

// listed joins names for a sentence, and says how many it leaves out.
func listed(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
