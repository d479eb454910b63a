package change

import (
	"reflect"
	"slices"

	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// unknownCluster is why a change is only possible.
const unknownCluster = "it is unknown whether one cluster gets the deployment units of the role and of the binding"

// meetings are what can meet in the two states.
type meetings struct {
	before, after *cluster.Meetings
	// former are the objects of RBAC of the earlier state, by their place.
	former map[matching.Place]*objects.Object
}

// readMeetings prepares the comparison of what units of unknown clusters make together. Which of them are variants is read from the earlier state.
func (c *comparison) readMeetings(pairs []matching.Pair) *meetings {
	before, after := c.before.Repository, c.after.Repository
	earlier := before.Clusters().Relations(before.Scopes())
	later := after.Clusters().Relations(after.Scopes())
	former := map[*objects.Unit]*objects.Unit{}
	for _, p := range pairs {
		former[p.Scopes[1]] = p.Scopes[0]
	}
	for u, was := range former {
		if was.Name == "" {
			former[u] = nil
		}
	}
	later.GuessBy(earlier, former)
	m := &meetings{before: earlier.Meetings(before.Scopes()), after: later.Meetings(after.Scopes()), former: map[matching.Place]*objects.Object{}}
	for _, u := range before.Units {
		for _, o := range u.Objects {
			if o.Group == rbac.Group {
				m.former[matching.PlaceOf(o)] = o
			}
		}
	}
	return m
}

// crossing is a unit with what it meets of other units, in the two states.
type crossing struct {
	before, after *gains.State
	// own are the objects of the unit in the later state.
	own map[*objects.Object]bool
	// Severity limits that of what is found.
	severity finding.Severity
}

// crossings returns the unit of a pair with what its changed objects meet: first of units that can be on its cluster, then also of those that are
// probably its variants.
func (c *comparison) crossings(p matching.Pair, name string, then, now []*objects.Object) []*crossing {
	if len(now) == 0 || c.meetings == nil {
		return nil
	}
	var all []*crossing
	m := c.meetings()
	met := 0
	for _, far := range []struct {
		relation cluster.Relation
		severity finding.Severity
	}{{cluster.Perhaps, finding.Warning}, {cluster.Variants, finding.Note}} {
		later := m.after.With(p.Scopes[1], now, c.accountsOfPods(now), far.relation)
		if len(later.Objects) <= met {
			continue
		}
		met = len(later.Objects)
		earlier := m.before.With(p.Scopes[0], then, c.accountsOfPods(then), far.relation)
		earlier.Objects = m.withFormer(earlier.Objects, later.Objects)
		x := &crossing{
			before:   gains.NewState(possibleUnit(p.Before, then, earlier), nil, name),
			after:    gains.NewState(possibleUnit(p.After, now, later), nil, name),
			own:      map[*objects.Object]bool{},
			severity: far.severity,
		}
		for _, o := range p.After.Objects {
			x.own[o] = true
		}
		all = append(all, x)
	}
	return all
}

// withFormer adds the earlier states of objects.
func (m *meetings) withFormer(known, later []*objects.Object) []*objects.Object {
	seen := map[*objects.Object]bool{}
	for _, o := range known {
		seen[o] = true
	}
	for _, o := range later {
		if was := m.former[matching.PlaceOf(o)]; was != nil && !seen[was] {
			seen[was] = true
			known = append(known, was)
		}
	}
	return known
}

// possibleUnit returns a unit with objects of others. Plain files can be of several clusters, so that only the changed ones count.
func possibleUnit(u *objects.Unit, changed []*objects.Object, met cluster.Met) *objects.Unit {
	own := u.Objects
	if u.Kind == objects.PlainUnit {
		own = changed
	}
	return cluster.Meet(u, own, met)
}

// changed returns the selected objects that are new or changed and can meet others, with their earlier states.
func (c *comparison) changed(p matching.Pair) (then, now []*objects.Object) {
	pairs, _ := matching.Objects(p.Before.Objects, p.After.Objects)
	for _, m := range pairs {
		isNew := m.Then == nil || !reflect.DeepEqual(jsonfield.Content(m.Then), jsonfield.Content(m.Now))
		if !isNew || !c.after.selectsObject(p.After, m.Now) || m.Now.Group != rbac.Group && len(c.accountsOfPods([]*objects.Object{m.Now})) == 0 {
			continue
		}
		now = append(now, m.Now)
		if m.Then != nil {
			then = append(then, m.Then)
		}
	}
	return then, now
}

// accountsOfPods returns the accounts as which pods of some objects run.
func (c *comparison) accountsOfPods(some []*objects.Object) []objects.Account {
	view := &objectComparison{later: c.after}
	var accounts []objects.Account
	for _, o := range some {
		if o.Group != rbac.Group {
			accounts = append(accounts, view.podAccounts(o)...)
		}
	}
	return accounts
}

// decides reports whether the rules of an entry are known in the crossing, so that one whose role the unit itself does not have is judged by them.
func (x *crossing) decides(g *gains.Gain) bool {
	if len(g.Unknown) == 0 || g.Object == nil {
		return false
	}
	e := x.after.EntryOf(g.Object, g.SubjectIndex)
	return e != nil && len(e.Rules.Unknown) == 0
}

// gains returns what is gained only if several units are on one cluster: by a binding of the unit, or by a rule of one of its roles.
func (x *crossing) gains(known map[gains.Key]bool) []*gains.Gain {
	var found []*gains.Gain
	for _, g := range gains.Between(x.before, x.after) {
		if g.Default || known[g.Identity()] || len(g.Compact) == 0 || !x.concerns(g) {
			continue
		}
		known[g.Identity()] = true
		g.Possible = unknownCluster
		found = append(found, g)
	}
	return found
}

// withoutCertain leaves out the possible changes that another scope shows to be certain.
func withoutCertain(changes []*Change) []*Change {
	type key struct {
		gains.Key
		matching.Place
	}
	certain := map[key]bool{}
	for _, c := range changes {
		for _, g := range c.gains {
			if g.Possible == "" {
				certain[key{g.Identity(), matching.PlaceOf(g.Object)}] = true
			}
		}
	}
	return slices.DeleteFunc(changes, func(c *Change) bool {
		return !slices.ContainsFunc(c.gains, func(g *gains.Gain) bool {
			return g.Possible == "" || !certain[key{g.Identity(), matching.PlaceOf(g.Object)}]
		})
	})
}

// concerns reports whether the unit has the binding and another one the role, or the other way around.
func (x *crossing) concerns(g *gains.Gain) bool {
	bound := x.own[g.Object]
	isOther := func(o *objects.Object) bool { return o != nil && x.own[o] != bound }
	if isOther(g.RoleObject) {
		return true
	}
	for i := range g.Rules.Rules {
		if isOther(g.Rules.Source(i).Object) {
			return true
		}
	}
	return false
}

// limit limits the severity of changes that are only possible.
func (x *crossing) limit(changes []*Change) []*Change {
	for _, c := range changes {
		c.Severity = min(c.Severity, x.severity)
	}
	return changes
}

// pods returns the changed pods that run as an account which another unit makes powerful.
func (x *crossing) pods(c *comparison, known []ObjectChange) []ObjectChange {
	view := &objectComparison{before: x.before, after: x.after, later: c.after, reaches: map[string]*escalation.Reach{}}
	pairs, _ := matching.Objects(x.before.Unit.Objects, x.after.Unit.Objects)
	for _, m := range pairs {
		if x.own[m.Now] && m.Now.Group != rbac.Group && c.after.selectsObject(x.after.Unit, m.Now) {
			view.pods(m.Then, m.Now)
		}
	}
	var found []ObjectChange
	for _, o := range view.found {
		same := func(other ObjectChange) bool { return other.Text == o.Text && other.Rule == o.Rule }
		if slices.ContainsFunc(known, same) {
			continue
		}
		o.Text += ", if one cluster gets both deployment units, which is unknown"
		o.Severity = min(o.Severity, x.severity)
		found = append(found, o)
	}
	return found
}
