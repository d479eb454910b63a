package escalation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// ClusterAdmin is the goal of those who can do everything.
const ClusterAdmin = "cluster-admin"

// Answer lists who can reach a goal.
type Answer struct {
	Goal     string
	Units    []UnitChains
	Doubts   []access.Doubt
	Warnings []string
}

// UnitChains are the chains in one unit.
type UnitChains struct {
	View   access.View
	Chains []Chain
}

// Any reports whether any identity can reach the goal.
func (a Answer) Any() bool {
	return slices.ContainsFunc(a.Units, func(u UnitChains) bool { return len(u.Chains) > 0 })
}

// Assumptions are what the answer does not consider.
func (a Answer) Assumptions() []string {
	list := []string{
		"only RBAC counts: admission policies and webhooks, Pod Security, SecurityContextConstraints, and quotas can prevent steps",
		"bindings, accounts, and pods that are not in the repository are unknown, except the default roles and bindings of Kubernetes",
		"a role that a step gives is not combined with other permissions of its holder",
		"members of groups are unknown, except accounts, and those that a Group of OpenShift lists",
		"steps through writing nodes, machines, catalogs, definitions of kinds, API services, and what sends Secrets or tokens elsewhere are not followed",
	}
	if _, _, isGrafana := GrafanaOf(a.Goal); isGrafana {
		list = append(list, grafanaAssumptions...)
	}
	return list
}

// ObjectKinds returns the kinds of objects that must be read.
func ObjectKinds() map[string][]string {
	kinds := loader.Kinds(loader.RBAC(), loader.Installers(), flux.Kinds(), controlled.Kinds(), controlled.GrafanaAccountKinds(), map[string][]string{"Secret": nil, "Pod": nil, "GrafanaServiceAccount": nil, "Grafana": nil})
	for _, workload := range objects.Workloads() {
		kinds[workload.Kind] = nil
	}
	return kinds
}

// Become lists the identities that can reach a goal in each selected unit of a repository.
func Become(s access.Scene, goal string) Answer {
	a := Answer{Goal: goal}
	known := map[string]bool{}
	var doubts [][]access.Doubt
	applied := appliedElsewhere(s.Repository.Scopes())
	for _, view := range s.Views() {
		w := NewWorld(view.Unit, options(s.Repository, view.Unit, goal))
		w.names(known)
		chains := w.Chains()
		a.Units = append(a.Units, UnitChains{view, chains})
		doubts = append(doubts, w.doubtsOfChains(chains), possibleChains(s.Repository, view, goal, chains), access.DoubtsAbout(view, w.uncertain), w.doubts, w.doubtsOfOLM(), w.doubtsOfSources(applied))
	}
	_, _, isGrafana := GrafanaOf(goal)
	for _, unit := range s.Repository.Units {
		knownGoals(unit, known) // also of units without roles and bindings, which have no view
		if isGrafana {
			doubts = append(doubts, accountsOfOthers(unit))
		}
	}
	a.Doubts = s.JoinedWithUnread(append(doubts, s.UnreadSources())...)
	if !known[goal] && goal != ClusterAdmin {
		a.Warnings = append(suspicious(goal), unknownGoal(goal, known))
	}
	a.Warnings = slices.Concat(a.Warnings, s.Tests(), s.Elsewhere())
	return a
}

// possibleChains returns doubts about identities that reach the goal only with roles of other units, if one cluster gets both, which is unknown.
func possibleChains(r *loader.Repository, view access.View, goal string, certain []Chain) []access.Doubt {
	if view.Possible() == nil {
		return nil
	}
	known := map[rbac.Subject]bool{}
	for _, c := range certain {
		known[c.Subject] = true
	}
	o := options(r, view.Unit, goal)
	var doubts []access.Doubt
	for _, c := range NewWorld(view.Possible(), o).Chains() {
		if known[c.Subject] {
			continue
		}
		does := fmt.Sprintf("lets %s become %s in %s", access.SubjectName(c.Subject), goal, words.Count(c.Steps, "step"))
		for _, link := range c.Links {
			if d, ok := possibleStep(view, link, does); ok {
				doubts = append(doubts, d)
				break
			}
		}
	}
	return doubts
}

func possibleStep(view access.View, link Link, does string) (d access.Doubt, ok bool) {
	for _, g := range link.Grants {
		if d, ok = view.PossibleBinding(g, does); ok {
			return d, true
		}
	}
	return d, false
}

// names adds the user names of the identities that the unit names.
func (w *World) names(known map[string]bool) {
	for _, n := range w.nodes {
		if n.listed && n.subject.Kind != rbac.KindGroup {
			known[n.subject.Identity().User] = true
		}
	}
}

// suspicious returns warnings about the name of an identity that is a goal.
func suspicious(goal string) []string {
	if _, _, isGrafana := GrafanaOf(goal); isGrafana {
		return nil
	}
	return access.Suspicious(goal)
}

func unknownGoal(goal string, known map[string]bool) string {
	text := "no binding and no account of the repository is " + goal
	if _, _, isGrafana := GrafanaOf(goal); isGrafana {
		text = "the repository has no Grafana " + strings.TrimPrefix(goal, grafanaGoal)
	}
	if near := nearest.Name(goal, sortedKeys(known)); near != "" {
		return text + ": did you mean " + near + "?"
	}
	return text + ": a goal is " + ClusterAdmin + ", the name of a user, system:serviceaccount:NAMESPACE:NAME, or " + grafanaGoal + "NAMESPACE/NAME"
}

// options returns what a graph of a unit depends on: what OLM does there, and what else is known of its cluster.
func options(r *loader.Repository, unit *objects.Unit, goal string) Options {
	target := func(near *objects.Object) olm.Target {
		if near == nil {
			near = &objects.Object{} // a chart can render nothing
			if len(unit.Objects) > 0 {
				near = unit.Objects[0]
			}
		}
		return r.Targets.Of(unit, near).Target
	}
	restricted := map[string]bool{}
	o := surroundings(r)
	o.Goal, o.Controllers = goal, rbac.ControllerAccounts(target(nil))
	o.OLM = func(near *objects.Object) OLM {
		t := target(near)
		switch t.Model {
		case olm.Unknown:
			return OLMUnknown
		case olm.Required, olm.Synthetic:
			return OLMNamed
		}
		if _, known := restricted[t.Name]; !known {
			restricted[t.Name] = rbac.FindOwnAccount(r.Units, unit, rbac.ControllerAccounts(t)).Restricted()
		}
		if restricted[t.Name] {
			return OLMRestricted
		}
		return OLMAdmin
	}
	return o
}

// surroundings returns what is known of the tools that apply to the cluster of a unit.
func surroundings(r *loader.Repository) Options {
	o := Options{}
	if r.Applications == nil || r.Applications.Result.Impersonates() != gitops.Allowed {
		return o
	}
	o.Syncs = &Syncs{Accounts: r.Applications.Result.SyncAccounts(), OrAsOwn: r.Applications.Result.SyncsWithoutAccount()}
	return o
}

// doubtsOfOLM returns doubts about writers of extensions.
func (w *World) doubtsOfOLM() []access.Doubt {
	var doubts []access.Doubt
	if w.olm[OLMUnknown] {
		doubts = append(doubts, access.Doubt{Message: "where OLM ignores accounts, writers of ClusterExtensions are effectively cluster-admin: set --target"})
	}
	if w.unseenExtensions {
		doubts = append(doubts, access.Doubt{Message: "extensions that are not in the repository can be changed by those who can update or patch ClusterExtensions"})
	}
	if w.olm[OLMRestricted] {
		doubts = append(doubts, access.Doubt{Message: "writers of ClusterExtensions can do what the restricted account of OLM can, which is not followed"})
	}
	return doubts
}

// ChainsToAdmin returns the shortest chain to cluster-admin of each identity of a unit that has one. Scope is that of the repository on whose cluster the
// unit is, often the unit itself; without one of the repository, what OLM does there is unknown.
func ChainsToAdmin(r *loader.Repository, scope, unit *objects.Unit) []Chain {
	if len(unit.Objects) == 0 {
		return nil
	}
	return newWorld(r, scope, unit).Chains()
}

func newWorld(r *loader.Repository, scope, unit *objects.Unit) *World {
	if scope == nil || len(scope.Objects) == 0 || !slices.Contains(r.Scopes(), scope) {
		return NewWorld(unit, surroundings(r))
	}
	return NewWorld(unit, options(r, scope, ClusterAdmin))
}
