package change

import (
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/ask/change/unread"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Side is one of the two states of a repository.
type Side struct {
	unread.State

	// PodSpecs are the kinds with pods that the configuration adds.
	PodSpecs []objects.PodSpecKind

	units map[*objects.Unit]bool // the selected ones
	// inClusters are the plain files in folders of known clusters, as whose objects they are compared.
	inClusters map[*objects.Object]bool
}

// Report is the difference between two states.
type Report struct {
	// Revision is the revision as the user named it, and Commit the commit that is compared.
	Revision, Commit string
	// Commits are those of the repositories of a workspace, by their names; then Commit is "", and so is Revision if they are those at which the branches
	// left the default branches.
	Commits map[string]string
	// CheckedOut is true if the commit is the one that is checked out, so that only uncommitted changes are compared, and Nothing if
	// there are none either.
	CheckedOut, Nothing bool
	// Gained is new power, the gravest first; Lost is power that is gone.
	Gained, Lost []Change
	// Appeared and Vanished are the identities that one state has.
	Appeared, Vanished []Identity
	Policies           []Policy
	Extensions         []Extension
	// Objects are objects that give power by other means than roles, the gravest first.
	Objects []ObjectChange
	// Moved are the units that are compared with one of another name.
	Moved []matching.Moved
	// NotRead are the reasons why something is unknown.
	NotRead unread.Parts
	// Uncompared is what of the change was read and is not compared.
	Uncompared []Uncompared
	// Units is the number of deployment units that were compared.
	Units int
}

// Compare compares two states of a repository by effect: what an identity holds through another binding or role, a group, or the
// defaults of every cluster, is no change.
func Compare(before, after Side) *Report {
	r := &Report{}
	before.readUnits()
	after.readUnits()
	c := &comparison{report: r, before: before, after: after, appeared: identities{}, vanished: identities{}}
	c.live = sync.OnceValue(c.readLive)
	pairs := matching.Scopes(before.Repository.Scopes(), after.Repository.Scopes())
	if len(pairs) > 1 {
		c.meetings = sync.OnceValue(func() *meetings { return c.readMeetings(pairs) })
	}
	for _, p := range pairs {
		if c.selects(p) {
			c.compare(p)
		}
	}
	if len(c.views) > 0 {
		c.objects = append(c.objects, c.accountsOfProjects()...)
		c.objects = append(c.objects, c.managedNamespaces()...)
	}
	r.Gained, r.Lost = merged(withoutCertain(c.gained)), merged(c.lost)
	r.Appeared, r.Vanished = c.appeared.sorted(), c.vanished.sorted()
	r.Policies, r.Extensions = mergedPolicies(c.policies), mergedExtensions(c.extensions)
	r.Objects = mergedObjects(c.objects)
	r.NotRead = withoutReadBindings(unread.Compare(before.State, after.State))
	return r
}

// comparison collects the differences of all units.
type comparison struct {
	report             *Report
	before, after      Side
	gained, lost       []*Change
	appeared, vanished identities
	policies           []Policy
	extensions         []Extension
	objects            []ObjectChange
	// live are the objects of the earlier state that stay on their cluster although the later state does not show them.
	live func() map[matching.Place]bool
	// meetings are what units of unknown clusters make together; nil if there is only one unit.
	meetings func() *meetings
	// views are the comparisons of the objects of each unit.
	views []*objectComparison
}

// selects reports whether the paths select a unit in one of the states. Of the plain files, only the selected ones are compared.
func (c *comparison) selects(p matching.Pair) bool {
	return len(p.Before.Objects)+len(p.After.Objects) > 0 && (c.before.selects(p.Before) || c.after.selects(p.After))
}

func (s Side) selects(u *objects.Unit) bool {
	return slices.ContainsFunc(u.Parts(), func(part *objects.Unit) bool {
		if part.Kind == objects.PlainUnit {
			return slices.ContainsFunc(part.Objects, func(o *objects.Object) bool { return s.Selected(o.File) })
		}
		return s.units[part]
	})
}

// selectsObject reports whether an object counts: of plain files, it must be in a selected one, and of a cluster, in a selected unit.
func (s Side) selectsObject(u *objects.Unit, o *objects.Object) bool {
	switch u.Kind {
	case objects.PlainUnit:
		return s.Selected(o.File) && !s.inClusters[o]
	case objects.ClusterUnit:
		return slices.ContainsFunc(u.PartsWith(o), func(part *objects.Unit) bool {
			return s.units[part] || part.Kind == objects.PlainUnit && s.Selected(o.File)
		})
	}
	return true
}

// narrowed returns a unit with the objects that count.
func (s Side) narrowed(u *objects.Unit) *objects.Unit {
	return matching.Without(u, slices.DeleteFunc(slices.Clone(u.Objects), func(o *objects.Object) bool { return s.selectsObject(u, o) }))
}

func (s *Side) readUnits() {
	s.units, s.inClusters = map[*objects.Unit]bool{}, map[*objects.Object]bool{}
	for _, u := range s.Repository.About(s.Selected, access.IsBinding) {
		s.units[u] = true
	}
	for _, scope := range s.Repository.Scopes() {
		for _, part := range scope.Parts() {
			if scope != part && part.Kind == objects.PlainUnit {
				for _, o := range part.Objects {
					s.inClusters[o] = true
				}
			}
		}
	}
}

// selectsEntry reports whether an entry counts: its binding or its role must.
func (s Side) selectsEntry(u *objects.Unit, e *gains.Entry) bool {
	return s.selectsObject(u, e.Object) || e.RoleObject != nil && s.selectsObject(u, e.RoleObject)
}

func (c *comparison) compare(p matching.Pair) {
	c.report.Units += max(unitsIn(p.Before), unitsIn(p.After))
	p.Before.Kubernetes = p.After.Kubernetes // an upgrade of the cluster is no change of the repository
	if m, is := matching.MovedOf(p); is {
		c.report.Moved = append(c.report.Moved, m)
	}
	name := matching.NameOf(p.Unit())
	before, after := gains.NewState(p.Before, p.Scopes[0], name), gains.NewState(p.After, p.Scopes[1], name)
	then, now := c.changed(p)
	crossings := c.crossings(p, name, then, now)
	changes := c.compareGrants(p, before, after, crossings)
	cause := causeOfChains(changes, p, now)
	var chains newChains
	var others []rbac.Subject
	if cause != "" {
		chains = c.chainsOf(before, after)
		others = addChains(changes, chains)
	}
	c.compareIdentities(p, before, after)
	c.policies = append(c.policies, policiesOf(matching.Pair{Before: c.before.narrowed(p.Before), After: p.After}, before)...)
	view := compareObjects(before, after, c.before, c.after, chains)
	c.views = append(c.views, view)
	c.objects = append(c.objects, view.found...)
	others = slices.DeleteFunc(others, func(who rbac.Subject) bool { return view.granted[who] })
	c.objects = append(c.objects, throughOthers(others, name, cause, now)...)
	for _, x := range crossings {
		c.objects = append(c.objects, x.pods(c, view.found)...)
	}
	c.compareExtensions(before, after)
}

// compareGrants adds what subjects gain and lose, and returns what they gain certainly.
func (c *comparison) compareGrants(p matching.Pair, before, after *gains.State, crossings []*crossing) []*Change {
	gained := slices.DeleteFunc(selected(gains.Between(before, after), p.After, c.after), func(g *gains.Gain) bool {
		return slices.ContainsFunc(crossings, func(x *crossing) bool { return x.decides(g) })
	})
	lost := slices.DeleteFunc(selected(gains.Between(after, before), p.Before, c.before), func(g *gains.Gain) bool {
		return c.isStillLive(g) || after.MayGrant(g.Entry) || g.IsUnknown()
	})
	judge := func(g *gains.Gain) gains.Verdict { return gains.Judge(g, c.model(p, g.Object)) }
	changes := changesOf(after, gained, judge)
	c.gained = append(c.gained, changes...)
	known := map[gains.Key]bool{}
	for _, g := range gained {
		known[g.Identity()] = true
	}
	for _, x := range crossings {
		c.gained = append(c.gained, x.limit(changesOf(x.after, x.gains(known), judge))...)
	}
	c.lost = append(c.lost, changesOf(before, lost, judge)...)
	return changes
}

// compareIdentities adds the identities that one state has. The paths select only some of the files.
func (c *comparison) compareIdentities(p matching.Pair, before, after *gains.State) {
	then, now := subjectsOf(before.Unit, before), subjectsOf(after.Unit, after)
	then.addUsers(before.Unit)
	now.addUsers(after.Unit)
	was, is := subjectsOf(c.before.narrowed(p.Before), before, c.before), subjectsOf(c.after.narrowed(p.After), after, c.after)
	c.appeared.addMissing(is, then)
	c.vanished.addMissing(c.withoutLive(was, before), now)
}

func (c *comparison) compareExtensions(before, after *gains.State) {
	for _, e := range extensionsOf(actors(c.before.Repository, before), actors(c.after.Repository, after), c.before.hasExtension) {
		if c.after.selects(after.Unit) && c.after.selectsObject(after.Unit, e.object) {
			c.extensions = append(c.extensions, e)
		}
	}
}

// unitsIn returns how many deployment units a scope has. Plain files of a cluster are counted if it gets nothing else.
func unitsIn(scope *objects.Unit) int {
	if scope.Kind != objects.ClusterUnit {
		return 1
	}
	n := 0
	for _, part := range scope.Members {
		if part.Kind != objects.PlainUnit {
			n++
		}
	}
	return max(n, 1)
}

// selected returns the gains of a state of a unit that count.
func selected(found []*gains.Gain, u *objects.Unit, of Side) []*gains.Gain {
	return slices.DeleteFunc(found, func(g *gains.Gain) bool { return !of.selectsEntry(u, g.Entry) })
}

// model returns how OLM treats accounts of extensions where a binding is applied.
func (c *comparison) model(p matching.Pair, binding *objects.Object) olm.Model {
	if p.Scopes[1].Name != "" {
		return c.after.Repository.Targets.Of(p.Scopes[1], binding).Target.Model
	}
	return c.before.Repository.Targets.Of(p.Scopes[0], binding).Target.Model
}

// Worst returns the gravest severity of what is reported, Off if nothing is.
func (r *Report) Worst() finding.Severity {
	worst := finding.Off
	for _, f := range r.Findings() {
		worst = max(worst, f.Severity)
	}
	return worst
}

// withoutReadBindings leaves out that bindings of OpenShift's group are not understood: diff reads what they grant, see the package controlled.
func withoutReadBindings(parts unread.Parts) unread.Parts {
	return slices.DeleteFunc(parts, func(p unread.Part) bool {
		return strings.Contains(p.Message, loader.LegacyText("ClusterRoleBinding")) || strings.Contains(p.Message, loader.LegacyText("RoleBinding"))
	})
}
