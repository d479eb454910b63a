package verify

import (
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// concern is a subject of bindings that what it may do could have changed for, and the bindings and roles that differ and
// could have changed it.
type concern struct {
	subject         rbac.Subject
	bindings, roles map[place]bool
}

// blames tells whether a plan changes one of these.
func (e *examiner) blames(c concern, p *engine.Plan, ofRole bool) bool {
	of := c.bindings
	if ofRole {
		of = c.roles
	}
	for at := range of {
		if e.touches(p, at.file, at.id) {
			return true
		}
	}
	return false
}

// concernedBy lists the subjects of the bindings that differ between two units, and of those that refer to a role which
// does. Nobody else can have gained or lost anything.
func concernedBy(p pair) []concern {
	bindings, roles := map[*objects.Object]bool{}, map[roleName][]place{}
	var parts []place // ClusterRoles that differ
	for _, o := range differing(p) {
		switch {
		case isBinding(o):
			bindings[o] = true
		case isRole(o):
			roles[roleName{o.Kind, o.Name}] = append(roles[roleName{o.Kind, o.Name}], placeOf(o))
			if o.Kind == "ClusterRole" {
				parts = append(parts, placeOf(o))
			}
		}
	}
	if len(parts) > 0 {
		for _, name := range aggregates(p) {
			roles[name] = append(roles[name], parts...)
		}
	}
	found := concerns{}
	for _, u := range []*objects.Unit{p.before, p.after} {
		for _, o := range u.Objects {
			if !isBinding(o) {
				continue
			}
			if bindings[o] {
				found.add(o, []place{placeOf(o)}, nil)
			}
			found.add(o, nil, roles[roleOf(o)])
		}
	}
	return found.sorted()
}

// roleName is a role as a binding names it, wherever it is.
type roleName struct{ kind, name string }

func roleOf(binding *objects.Object) roleName {
	return roleName{binding.Node.Lookup(roleKindPath).String(), binding.Node.Lookup(roleNamePath).String()}
}

func isBinding(o *objects.Object) bool {
	return o.Group == rbac.Group && (o.Kind == "ClusterRoleBinding" || o.Kind == "RoleBinding")
}

func isRole(o *objects.Object) bool {
	return o.Group == rbac.Group && (o.Kind == "ClusterRole" || o.Kind == "Role")
}

// aggregates lists the roles whose rules come from others: the API server puts them together.
func aggregates(p pair) []roleName {
	names := []roleName{{"ClusterRole", "admin"}, {"ClusterRole", "edit"}, {"ClusterRole", "view"}}
	for _, u := range []*objects.Unit{p.before, p.after} {
		for _, o := range u.Objects {
			if isRole(o) && o.Node.Get("aggregationRule") != nil {
				names = append(names, roleName{o.Kind, o.Name})
			}
		}
	}
	return names
}

// differing lists the objects which are not in both units alike. Objects of files that do not change are shared by the
// units, unless these are built.
func differing(p pair) []*objects.Object {
	before, after := p.inChanged(p.before), p.inChanged(p.after)
	var found []*objects.Object
	for at, o := range before {
		if other := after[at]; other == nil || !manifest.Equal(o.Node, other.Node) {
			found = append(found, o)
		}
	}
	for at, o := range after {
		if other := before[at]; other == nil || !manifest.Equal(o.Node, other.Node) {
			found = append(found, o)
		}
	}
	return found
}

// inChanged are the bindings and roles of a unit that lie in files which change; in one that is built, all.
func (p pair) inChanged(u *objects.Unit) map[place]*objects.Object {
	found := map[place]*objects.Object{}
	copies := map[place]int{}
	for _, o := range u.Objects {
		if !p.changes[o.File] && !u.Built || !isBinding(o) && !isRole(o) {
			continue
		}
		at := placeOf(o)
		copies[at]++
		at.nth = copies[at] - 1
		found[at] = o
	}
	return found
}

// concerns are by subject.
type concerns map[rbac.Subject]concern

// add notes that bindings and roles concern the subjects of a binding.
func (c concerns) add(binding *objects.Object, bindings, roles []place) {
	if len(bindings)+len(roles) == 0 {
		return
	}
	for _, s := range subjectsOf(binding) {
		who, known := c[s]
		if !known {
			who = concern{s, map[place]bool{}, map[place]bool{}}
			c[s] = who
		}
		for _, at := range bindings {
			who.bindings[at] = true
		}
		for _, at := range roles {
			who.roles[at] = true
		}
	}
}

func (c concerns) sorted() []concern {
	return slices.SortedFunc(maps.Values(c), func(a, b concern) int {
		return strings.Compare(subjectName(a.subject), subjectName(b.subject))
	})
}
