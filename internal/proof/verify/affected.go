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

// affectedSubject is a subject of bindings whose permissions can have changed, with the bindings and roles that differ and
// can be the cause.
type affectedSubject struct {
	subject         rbac.Subject
	bindings, roles map[objectKey]bool
}

// blames reports whether a plan changes one of these.
func (e *examiner) blames(c affectedSubject, p *engine.Plan, ofRole bool) bool {
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

// affectedBy returns the subjects of the bindings that differ between two units, and of those whose role differs. No other
// subject can have gained or lost anything.
func affectedBy(p pair) []affectedSubject {
	bindings, roles := map[*objects.Object]bool{}, map[roleName][]objectKey{}
	var parts []objectKey // ClusterRoles that differ
	for _, o := range differing(p) {
		switch {
		case isBinding(o):
			bindings[o] = true
		case isRole(o):
			roles[roleName{o.Kind, o.Name}] = append(roles[roleName{o.Kind, o.Name}], keyOf(o))
			if o.Kind == "ClusterRole" {
				parts = append(parts, keyOf(o))
			}
		}
	}
	if len(parts) > 0 {
		for _, name := range aggregates(p) {
			roles[name] = append(roles[name], parts...)
		}
	}
	found := affectedSubjects{}
	for _, u := range []*objects.Unit{p.before, p.after} {
		for _, o := range u.Objects {
			if !isBinding(o) {
				continue
			}
			if bindings[o] {
				found.add(o, []objectKey{keyOf(o)}, nil)
			}
			found.add(o, nil, roles[roleOf(o)])
		}
	}
	return found.sorted()
}

// roleName is a role as bindings reference it, in any namespace.
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

// aggregates returns the roles whose rules the API server aggregates from others.
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

// differing returns the objects that differ between the units. Units that are not built share the objects of unchanged
// files.
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

// inChanged returns the bindings and roles of a unit in changed files; in a built unit, all.
func (p pair) inChanged(u *objects.Unit) map[objectKey]*objects.Object {
	found := map[objectKey]*objects.Object{}
	copies := map[objectKey]int{}
	for _, o := range u.Objects {
		if !p.changes[o.File] && !u.Built || !isBinding(o) && !isRole(o) {
			continue
		}
		at := keyOf(o)
		copies[at]++
		at.nth = copies[at] - 1
		found[at] = o
	}
	return found
}

// affectedSubjects are the affected subjects, by subject.
type affectedSubjects map[rbac.Subject]affectedSubject

// add records that bindings and roles affect the subjects of a binding.
func (c affectedSubjects) add(binding *objects.Object, bindings, roles []objectKey) {
	if len(bindings)+len(roles) == 0 {
		return
	}
	for _, s := range subjectsOf(binding) {
		who, known := c[s]
		if !known {
			who = affectedSubject{s, map[objectKey]bool{}, map[objectKey]bool{}}
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

func (c affectedSubjects) sorted() []affectedSubject {
	return slices.SortedFunc(maps.Values(c), func(a, b affectedSubject) int {
		return strings.Compare(subjectName(a.subject), subjectName(b.subject))
	})
}
