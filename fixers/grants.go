package fixers

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/olm"
	"github.com/salint/salint/internal/rbac"
)

// everybody is the group that accounts and synthetic users are both in: what it holds is neither lost nor gained.
const everybody = "system:authenticated"

// holdings is what an identity of an extension is granted in one unit, by which bindings.
type holdings struct {
	subject  rbac.Subject
	bindings []rbac.Binding
	grants   []rbac.Grant
}

func (h holdings) has(g rbac.Grant) bool { return slices.Contains(h.grants, g) }

// holds lists what an identity of the extension is granted in a unit, without what everybody is.
func holds(u *inventory.Unit, e *extension, s rbac.Subject) holdings {
	h := holdings{subject: s}
	for _, b := range rbac.BindingsOf(u, e.in(u), s) {
		if b.Via != everybody {
			h.bindings = append(h.bindings, b)
		}
	}
	h.grants = rbac.GrantsOf(h.bindings)
	return h
}

// check refuses holdings that cannot be known for certain.
func (h holdings) check(e *extension) error {
	_, inTemplate := template(e.object)
	for _, b := range h.bindings {
		place := b.Object.Position(nil)
		switch {
		case len(b.Tie) > 0:
			return refuse("%s at %s may belong to any of the extensions at %s, which are equally near to it: "+
				"what %s holds cannot be told. List what is applied together in a kustomization",
				b.Object.Kind, place, places(b.Tie), subjectName(h.subject))
		case b.Uncertain:
			return refuse("whether %s at %s means %s depends on a namespace that is not written there: write it down, "+
				"or say what to grant by --grant role=NAME",
				b.Object.Kind, b.Object.Position(subjectPath(b.SubjectIndex)), subjectName(h.subject))
		case b.Refused != "":
			return refuse("the API server refuses %s at %s for %s, so it is not known whether %s holds %s: correct that first",
				identityOf(b.Object), refusedPlace(b), b.Refused, subjectName(h.subject), grantName(rbac.Grant{Role: b.Role, Scope: b.Scope}))
		case b.Scope == rbac.UnknownNamespace:
			return refuse("RoleBinding %s at %s has no namespace, so it cannot be said where %s holds %s: write it down",
				b.Object.Name, place, subjectName(h.subject), b.Role.Name)
		case !inTemplate && (templated(b.Role.Name) || templated(b.Scope)):
			return refuse("%s at %s grants %s, a name that is filled in before it is applied: bind it by hand",
				b.Object.Kind, place, grantName(rbac.Grant{Role: b.Role, Scope: b.Scope}))
		}
	}
	return nil
}

// refusedPlace is where the field stands for which the API server refuses a binding.
func refusedPlace(b rbac.Binding) inventory.Position {
	path, err := manifest.ParsePath(b.Refused)
	if err != nil {
		path = nil // the binding itself
	}
	return b.Object.Position(path)
}

func places(objects []*inventory.Object) string {
	var names []string
	for _, o := range objects {
		names = append(names, o.Position(nil).String())
	}
	return strings.Join(names, " and ")
}

// without lists the grants that another identity does not hold.
func (h holdings) without(other holdings) []rbac.Grant {
	var missing []rbac.Grant
	for _, g := range h.grants {
		if !other.has(g) {
			missing = append(missing, g)
		}
	}
	return missing
}

// uncovered lists the grants of h that owner neither holds nor has the permissions of by other roles.
func (h holdings) uncovered(u *inventory.Unit, e *extension, owner holdings) []rbac.Grant {
	extra := h.without(owner)
	if len(extra) == 0 {
		return nil
	}
	rules := rbac.EffectiveRules(u, e.in(u), owner.subject)
	if rbac.IsClusterAdmin(rules.Cluster) {
		return nil
	}
	var uncovered []rbac.Grant
	for _, g := range extra {
		if !h.isCovered(g, rules) {
			uncovered = append(uncovered, g)
		}
	}
	return uncovered
}

// isCovered tells whether the rules of a grant are among others. Of a role that is not in the repository nobody knows.
func (h holdings) isCovered(g rbac.Grant, by rbac.Effective) bool {
	role := h.binding(g).RoleObject
	if role == nil || role.JSON()["aggregationRule"] != nil {
		return false
	}
	rules, err := rbac.Rules(role)
	if err != nil {
		return false
	}
	covered, _ := rbac.Covers(slices.Concat(by.Cluster, by.Namespaces[g.Scope]), rules)
	return covered
}

// handover is how one identity of an extension takes over from another.
type handover struct {
	from, to rbac.Subject
	// missing is to be granted. gained comes on top without anybody granting it, from groups; lost is not carried over,
	// because the user asked for something else.
	missing, gained, lost []rbac.Grant
	// roles are those among the missing that are to be generated as well.
	roles []generated
	// notes are for the plan.
	notes []string
}

// ungranted is what is gained without being granted.
func (h handover) ungranted() []rbac.Grant {
	return slices.DeleteFunc(slices.Clone(h.gained), func(g rbac.Grant) bool { return slices.Contains(h.missing, g) })
}

// handOver works out what has to be granted, in the way the user wants it.
func (c *Context) handOver(e *extension, from, to rbac.Subject) (h handover, err error) {
	switch c.Grant.Mode {
	case RoleGrant:
		h = c.handOverRole(e, from, to)
	case LeastPrivilege:
		h, err = c.handOverNeeds(e, from, to)
	default:
		h, err = c.carryOver(e, from, to)
	}
	if err != nil {
		return h, err
	}
	h.notes = append(h.notes, c.notesElsewhere(e, h)...)
	return h, nil
}

// carryOver compares the identities in every unit where they count. The bindings that make up for the difference reach
// all of these units, so the units must agree on what was held.
func (c *Context) carryOver(e *extension, from, to rbac.Subject) (handover, error) {
	h := handover{from: from, to: to}
	if err := c.checkRead(from); err != nil {
		return h, err
	}
	var first holdings
	units := c.honouring(e)
	for i, unit := range units {
		old, new := holds(unit, e, from), holds(unit, e, to)
		if err := c.checkComplete(unit, from); err != nil {
			return h, err
		}
		if err := old.check(e); err != nil {
			return h, err
		}
		if err := checkLater(unit, e, from); err != nil {
			return h, err
		}
		if i == 0 {
			first = old
		} else if !slices.Equal(first.grants, old.grants) {
			return h, refuse("%s holds %s in %s and %s in %s, which share %s: "+
				"bindings beside it would reach both. Bind the roles by hand, in each of them",
				subjectName(from), orNothing(first.grants), units[0], orNothing(old.grants), unit, e.object.File)
		}
		if err := c.checkGained(unit, e, new, old); err != nil {
			return h, err
		}
		if err := c.checkElsewhere(e, unit, old, new); err != nil {
			return h, err
		}
		h.missing = union(h.missing, old.without(new.certain()))
		h.gained = union(h.gained, new.without(old))
	}
	return h, nil
}

// handOverRole grants the one role that the user names. What else the old identity held is lost on purpose.
func (c *Context) handOverRole(e *extension, from, to rbac.Subject) handover {
	h := handover{from: from, to: to}
	grant := rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: c.Grant.Role}}
	for _, unit := range c.honouring(e) {
		old, new := holds(unit, e, from), holds(unit, e, to)
		if !new.certain().has(grant) {
			h.missing = union(h.missing, []rbac.Grant{grant})
			new.grants = append(new.grants, grant)
		}
		h.gained = union(h.gained, new.without(old))
		h.lost = union(h.lost, old.without(new))
	}
	return h
}

// checkRole notes that the role the user named is none the repository defines and none that every cluster has.
func (c *Context) checkRole(p *Plan) {
	if c.Grant.Mode != RoleGrant || (rbac.RoleRef{Kind: "ClusterRole", Name: c.Grant.Role}).Builtin() {
		return
	}
	for _, unit := range c.Units {
		if len(unit.Find(inventory.Query{Kind: "ClusterRole", Name: c.Grant.Role})) > 0 {
			return
		}
	}
	p.note("the ClusterRole %s of --grant is not in the repository: without it the binding grants nothing", c.Grant.Role)
}

func orNothing(grants []rbac.Grant) string {
	if len(grants) == 0 {
		return "nothing"
	}
	return grantNames(grants)
}

// checkRead refuses when bindings of the subject may stand in a file that was not read.
func (c *Context) checkRead(s rbac.Subject) error {
	if c.Unread == nil {
		return nil
	}
	words := []string{s.Name, "system:serviceaccounts"}
	if s.Kind == "User" {
		words = []string{s.Name, olm.Group}
	}
	place, why := c.Unread(words)
	if place == "" {
		return nil
	}
	return refuse("%s was not taken into account (%s) and may bind %s, so what that holds is not known: mend that, "+
		"or say what to grant by --grant role=NAME", place, why, subjectName(s))
}

// checkComplete refuses a unit part of which is fetched from elsewhere or was not read: bindings may be there.
func (c *Context) checkComplete(u *inventory.Unit, s rbac.Subject) error {
	why := c.unknown(u)
	if why == "" {
		return nil
	}
	return refuse("%s, so what else %s holds is not known here: grant it by --grant role=NAME, or bind its roles by hand",
		why, subjectName(s))
}

// checkGained refuses a change of identity by which the extension would come by permissions that nobody meant for it.
// That every account is in the groups of accounts cannot be helped.
func (c *Context) checkGained(u *inventory.Unit, e *extension, new, old holdings) error {
	if c.Unsafe || c.Grant.Mode == GroupGrant {
		return nil
	}
	if new.subject.Kind == rbac.KindServiceAccount {
		new = new.direct()
	}
	extra := new.uncovered(u, e, old)
	if len(extra) == 0 {
		return nil
	}
	binding := new.binding(extra[0])
	if new.subject.Kind == rbac.KindServiceAccount && len(old.grants) == 0 {
		return refuse("nothing in %s is bound to %s or %s, so it is not known what the new account needs, to which %s at %s gives %s: "+
			"say which ClusterRole by --grant role=NAME", u, subjectName(old.subject), subjectName(groupSubject()),
			binding.Object.Kind, binding.Object.Position(nil), grantNames(extra))
	}
	return refuse("%s at %s would give the extension %s, which %s does not hold. "+
		"If that is meant, use --unsafe-fixes; else narrow the binding first",
		binding.Object.Kind, binding.Object.Position(nil), grantNames(extra), subjectName(old.subject))
}

// direct leaves out what is held through groups.
func (h holdings) direct() holdings {
	return h.except(func(b rbac.Binding) bool { return b.Via != "" })
}

// certain leaves out what depends on a namespace that is not known, and what the API server refuses.
func (h holdings) certain() holdings {
	return h.except(func(b rbac.Binding) bool { return b.Uncertain || b.Refused != "" })
}

func (h holdings) except(drop func(rbac.Binding) bool) holdings {
	h.bindings = slices.DeleteFunc(slices.Clone(h.bindings), drop)
	h.grants = rbac.GrantsOf(h.bindings)
	return h
}

// binding finds a binding that grants g.
func (h holdings) binding(g rbac.Grant) rbac.Binding {
	i := slices.IndexFunc(h.bindings, func(b rbac.Binding) bool { return b.Role == g.Role && b.Scope == g.Scope })
	return h.bindings[i]
}

func union(a, b []rbac.Grant) []rbac.Grant {
	for _, g := range b {
		if !slices.Contains(a, g) {
			a = append(a, g)
		}
	}
	return a
}

// checkGate refuses when a sign says that synthetic identities are off.
func (c *Context) checkGate(e *extension) error {
	for _, unit := range c.honouring(e) {
		if s := resolution(unit, e.in(unit)); s.Synthetic == olm.GateOff {
			return refuse("%s, so synthetic identities are off and the extension would be left without one: "+
				"turn the gate %s on first", s.SyntheticSign.Description, olm.SyntheticGate)
		}
	}
	return nil
}

// resolution is what the signs that hold for an object of a unit come to: all of them, or among plain files the nearest.
func resolution(u *inventory.Unit, o *inventory.Object) olm.Resolution {
	all := signsOf(u)
	objects := all.objects
	if u.Kind == inventory.PlainUnit {
		objects = all.neighbours.Nearest(o)
	}
	var signs []olm.Sign
	for _, object := range objects {
		signs = append(signs, all.of[object]...)
	}
	return olm.Resolve(signs)
}

// unitSigns are the signs of a unit, by the objects that give them.
type unitSigns struct {
	objects    []*inventory.Object
	neighbours *inventory.Neighbours
	of         map[*inventory.Object][]olm.Sign
}

type unitSignsKey struct{}

func signsOf(u *inventory.Unit) *unitSigns {
	return u.Cached(unitSignsKey{}, func() any {
		all := &unitSigns{of: map[*inventory.Object][]olm.Sign{}}
		for _, o := range u.Objects {
			for _, sign := range olm.ReadSigns(o.Node) {
				sign.Ref = o.Ref()
				all.of[o] = append(all.of[o], sign)
			}
			if all.of[o] != nil {
				all.objects = append(all.objects, o)
			}
		}
		all.neighbours = inventory.NewNeighbours(all.objects)
		return all
	}).(*unitSigns)
}
