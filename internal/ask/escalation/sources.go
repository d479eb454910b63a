package escalation

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// use is something that Flux applies, and one of the objects that decide what that is.
type use struct {
	applied flux.Applied
	decider flux.Decider
}

// part is what of a resource decides.
type part struct {
	resource string
	part     flux.Part
}

// sourceUses are what Flux applies by what decides it.
type sourceUses struct {
	byPart map[part][]use
	// namesakes are the objects of one kind and name, of which the nearest counts.
	namesakes map[string]*objects.FolderIndex
}

// readSources reads what Flux applies on the cluster of the unit.
func (w *World) readSources() {
	w.sources = sourceUses{byPart: map[part][]use{}, namesakes: map[string]*objects.FolderIndex{}}
	named := map[string][]*objects.Object{}
	for _, a := range flux.Read(w.unit.Objects) {
		named[a.String()] = append(named[a.String()], a.Object)
		for _, d := range a.Deciders {
			key := part{d.Resource(), d.Part}
			w.sources.byPart[key] = append(w.sources.byPart[key], use{a, d})
		}
	}
	for name, list := range named {
		w.sources.namesakes[name] = objects.NewFolderIndex(list)
	}
}

// writeSources decide what Flux applies, as its controller or as the account that the Kustomization or HelmRelease names.
func (w *World) writeSources(n *node) {
	for _, p := range sourcePowers {
		for _, h := range n.held(p.permission) {
			known := map[flux.Decider]map[*node]bool{}
			for _, u := range w.sources.byPart[part{p.resource, p.part}] {
				if p.creates && u.decider.Exists || !h.covers(u.decider) || !w.isNear(u.applied, h.grant.Binding.Object) {
					continue
				}
				to, step := w.decides(h, p, u)
				if known[u.decider] == nil {
					known[u.decider] = map[*node]bool{}
				}
				if !known[u.decider][to] {
					known[u.decider][to] = true
					w.link(n, to, step)
				}
			}
		}
	}
}

// covers reports whether a permission is about an object. One with a name allows nothing about objects whose names are not known.
func (h held) covers(d flux.Decider) bool {
	return (h.namespace == "" || h.namespace == d.Namespace) && (h.name == "" || h.name == d.Name)
}

// isNear reports whether an object of Flux is the nearest of its name to a binding: plain files can be of several clusters.
func (w *World) isNear(a flux.Applied, binding *objects.Object) bool {
	return binding == nil || slices.Contains(w.sources.namesakes[a.String()].Nearest(binding), a.Object)
}

// decides returns the step of a holder that decides what Flux applies, and where it leads.
func (w *World) decides(h held, p sourcePower, u use) (*node, *Step) {
	step := &Step{Kind: Install, Text: decidingText(p, u), As: true, Grants: []access.Grant{h.grant}, Known: u.decider.Assumes}
	if p.creates && u.decider.Name != "" {
		step.Known = joinKnown(step.Known, "assumes that there is no "+u.decider.String()+" yet")
	}
	account, known := w.accountOf([]string{u.applied.Controller})
	switch {
	case u.applied.Account.Name != "":
		return w.identity(rbac.Account(u.applied.Account)), step
	case known:
		step.Text += " its controller,"
		return w.identity(rbac.Account(account)), step
	}
	step.Text += " cluster-admin"
	step.As = false
	step.Known = joinKnown(step.Known, "assumes that Flux runs, and acts as cluster-admin, as it ships")
	return w.admin, step
}

// decidingText says what the holder does, up to the identity that it becomes.
func decidingText(p sourcePower, u use) string {
	text := "changes "
	if p.creates {
		text = "creates "
	}
	text += u.decider.String() + ", "
	if u.decider.Through != "" {
		text += u.decider.Through + ", and "
	}
	does := "applies"
	if u.applied.Kind == "HelmRelease" {
		does = "installs"
	}
	return text + "from which Flux " + does + " " + u.applied.String() + " as"
}

func joinKnown(remark, more string) string {
	if remark == "" {
		return more
	}
	return remark + "; " + more
}

// elsewhere is what Flux applies on any cluster of the repository, and leads to the goal as far as is known.
type elsewhere []flux.Applied

// appliedElsewhere reads what Flux applies in all units: as its controller, or as an account whose roles allow a step.
func appliedElsewhere(units []*objects.Unit) elsewhere {
	var objs []*objects.Object
	for _, unit := range units {
		objs = append(objs, unit.Objects...)
	}
	return slices.DeleteFunc(flux.Read(objs), func(a flux.Applied) bool {
		return a.Account.Name != "" && !slices.ContainsFunc(units, func(u *objects.Unit) bool {
			return slices.ContainsFunc(rbac.BindingsFor(u, nil, rbac.Account(a.Account).Identity()), func(b rbac.Binding) bool {
				return slices.ContainsFunc(rbac.RulesOfBinding(u, b).Rules, matters)
			})
		})
	})
}

// doubtsOfSources returns a doubt for each binding that allows writing what decides about something that Flux applies, if it is unknown whether
// both are on one cluster: Flux applies nothing that is certainly on that of the binding. It must follow a search.
func (w *World) doubtsOfSources(all elsewhere) []access.Doubt {
	if len(w.sources.namesakes) > 0 {
		return nil
	}
	var doubts []access.Doubt
	for _, n := range w.nodes {
		if !n.listed || n.distance >= 0 {
			continue
		}
		for _, p := range sourcePowers {
			for _, h := range n.held(p.permission) {
				if u, found := all.decidedBy(h, p); found {
					doubts = append(doubts, access.Doubt{Position: h.grant.Binding.Object.Position(nil), Message: fmt.Sprintf(
						"%s can write %s, from which Flux applies %s, if both are on one cluster, which is unknown", access.SubjectName(n.subject), u.decider, u.applied)})
				}
			}
		}
	}
	return doubts
}

// decidedBy returns the first use of an object that a permission is about.
func (all elsewhere) decidedBy(h held, p sourcePower) (use, bool) {
	if h.grant.Binding.Object == nil {
		return use{}, false
	}
	for _, a := range all {
		for _, d := range a.Deciders {
			if d.Resource() == p.resource && d.Part == p.part && !(p.creates && d.Exists) && h.covers(d) {
				return use{a, d}, true
			}
		}
	}
	return use{}, false
}
