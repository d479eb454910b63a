package change

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// newChains are the identities that can become cluster-admin in the later state only, with their shortest chains.
type newChains map[rbac.Subject]escalation.Chain

// chainsOf compares who can become cluster-admin in the two states of a unit.
func (c *comparison) chainsOf(before, after *gains.State) newChains {
	found := newChains{}
	for _, chain := range escalation.ChainsToAdmin(c.after.Repository, after.Scope, after.Unit) {
		found[gains.Normal(chain.Subject)] = chain
	}
	if len(found) == 0 {
		return found
	}
	for _, chain := range escalation.ChainsToAdmin(c.before.Repository, before.Scope, before.Unit) {
		delete(found, gains.Normal(chain.Subject))
	}
	return found
}

// addChains adds to the gravest change of each identity that it can become cluster-admin, and returns the other identities.
func addChains(changes []*Change, chains newChains) (others []rbac.Subject) {
	sorted := slices.Clone(changes)
	slices.SortStableFunc(sorted, func(a, b *Change) int {
		return cmp.Or(cmp.Compare(gains.ClassIndex(a.Class), gains.ClassIndex(b.Class)), cmp.Compare(a.rank, b.rank))
	})
	seen := map[rbac.Subject]bool{}
	for _, change := range sorted {
		var who []rbac.Subject
		var shortest escalation.Chain
		for _, h := range change.Holders {
			chain, can := chains[h.Subject]
			if !can || seen[h.Subject] {
				continue
			}
			seen[h.Subject] = true
			who = append(who, h.Subject)
			if shortest.Steps == 0 || chain.Steps < shortest.Steps {
				shortest = chain
			}
		}
		if len(who) > 0 && change.Class != danger.ClusterAdmin {
			change.addChain(who, shortest)
		}
	}
	for who := range chains {
		if !seen[who] && !isAlwaysPowerful(who) {
			others = append(others, who)
		}
	}
	slices.SortFunc(others, compareSubjects)
	return others
}

// isAlwaysPowerful reports whether an identity has the power of a cluster-admin without what a repository grants: it is only seen for the first
// time, or OLM uses it to install extensions, with which one becomes cluster-admin.
func isAlwaysPowerful(who rbac.Subject) bool {
	return who == rbac.Subject{Kind: rbac.KindGroup, Name: "system:masters"} ||
		slices.ContainsFunc(rbac.OLMAccounts(), func(a objects.Account) bool { return rbac.Account(a) == who })
}

// addChain adds that some holders of a change can become cluster-admin. One step is an error, as a direct way to become it.
func (c *Change) addChain(who []rbac.Subject, shortest escalation.Chain) {
	text := "can become cluster-admin in " + words.Count(shortest.Steps, "step")
	if len(who) < len(c.subjects()) {
		text = someSubjects(who) + " " + text
	}
	c.becomes, c.Chain = text, shortest.Sentences()
	c.Dangers = slices.Insert(c.Dangers, min(1, len(c.Dangers)), text)
	severity := finding.Warning
	if shortest.Steps == 1 {
		severity = finding.Error
	}
	c.Severity = max(c.Severity, severity)
}

func someSubjects(list []rbac.Subject) string {
	var names []string
	for _, who := range list {
		names = append(names, access.SubjectName(who))
	}
	return some(names)
}

// appliesDifferently reports whether other sources, or accounts, decide about what Flux applies than before.
func appliesDifferently(p matching.Pair) bool {
	applied := func(u *objects.Unit) []flux.Applied {
		all := flux.Read(u.Objects)
		for i := range all {
			all[i].Object = nil
		}
		return all
	}
	return !reflect.DeepEqual(applied(p.Before), applied(p.After))
}

// causeOfChains returns what can lead more identities to cluster-admin, for sentences, "" if nothing can. A role can become a way without a gain: who is
// allowed to bind it holds none of its rules before.
func causeOfChains(changes []*Change, p matching.Pair, changed []*objects.Object) string {
	switch applied := appliesDifferently(p); {
	case applied && len(changes) > 0:
		return "what others gain, or of what Flux applies"
	case applied:
		return "what Flux applies"
	case len(changes) > 0:
		return "what others gain"
	case slices.ContainsFunc(changed, func(o *objects.Object) bool { _, isRole := rbac.RefOf(o); return isRole }):
		return "what a role allows"
	}
	return ""
}

// throughOthers reports the identities that can become cluster-admin because of something else than what they gain, at the first changed object, if there
// is one.
func throughOthers(who []rbac.Subject, unit, cause string, changed []*objects.Object) []ObjectChange {
	if len(who) == 0 {
		return nil
	}
	var place objects.Position
	if len(changed) > 0 {
		place = changed[0].Position(nil)
	}
	return []ObjectChange{{
		Place: place, Kind: who[0].Kind, Namespace: who[0].Namespace, Name: who[0].Name, Rule: ruleOf(danger.Escalation), Severity: finding.Warning, Units: []string{unit},
		Text:   fmt.Sprintf("%s can now become cluster-admin, because of %s", someSubjects(who), cause),
		Advice: "See salint who-can --become cluster-admin.",
	}}
}
