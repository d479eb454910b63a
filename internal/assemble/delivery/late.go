package delivery

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Late is a grant that is applied after the extension that needs it, or never.
type Late struct {
	// Object is the account, the binding or the role.
	Object *objects.Object
	// Ordering is After or Never, and says why.
	Ordering gitops.Ordering
	// Together tells that both are applied at once, so that waves and hooks order them; else their applications do.
	Together bool
}

// Late lists what grants permissions to a subject, and is applied after the extension for which OLM acts as it: among what
// is applied with the extension, and in other units by applications that come later. What is not ordered is not late. Where
// nothing says what applies the unit, the annotations of Argo CD and of Helm both count.
func (d *Delivery) Late(u *objects.Unit, extension *objects.Object, subject rbac.Subject) []Late {
	var late []Late
	for _, grant := range grantsIn(u, extension, subject, nil) {
		if ordering, found := d.lateWithin(u, grant, extension); found {
			late = append(late, Late{grant, ordering, true})
		}
	}
	return append(late, d.lateElsewhere(u, extension, subject)...)
}

// unknownTools stand in for applications that the repository does not show. Argo CD looks at the annotations of Helm as well,
// so Helm comes first: what it orders is the same for both.
var unknownTools = []*gitops.Application{{Tool: gitops.FluxHelm}, {Tool: gitops.ArgoCD}}

// lateWithin tells whether a grant of the unit comes after the extension.
func (d *Delivery) lateWithin(u *objects.Unit, grant, extension *objects.Object) (gitops.Ordering, bool) {
	by := d.appliers(u)
	if len(by) == 0 {
		by = unknownTools
	}
	for _, a := range by {
		ordering := d.order(member(a, grant), member(a, extension))
		if isLate(ordering) {
			return ordering, true
		}
	}
	return gitops.Ordering{}, false
}

func member(a *gitops.Application, o *objects.Object) gitops.Member {
	return gitops.Member{Application: a, Annotations: annotations(o)}
}

func isLate(o gitops.Ordering) bool {
	return o.Relation == gitops.After || o.Relation == gitops.Never
}

// lateElsewhere looks at what other units grant. A source that several units apply is late only where none of them brings it
// in time.
func (d *Delivery) lateElsewhere(u *objects.Unit, extension *objects.Object, subject rbac.Subject) []Late {
	var late []Late
	for _, by := range d.appliers(u) {
		for _, applied := range d.grantsElsewhere(u, by, extension, subject) {
			orderings := make([]gitops.Ordering, len(applied))
			for i, m := range applied {
				orderings[i] = d.order(member(m.application, m.object), member(by, extension))
			}
			first := applied[0].object
			known := slices.ContainsFunc(late, func(l Late) bool { return l.Object == first })
			if !known && !slices.ContainsFunc(orderings, func(o gitops.Ordering) bool { return !isLate(o) }) {
				late = append(late, Late{first, orderings[0], false})
			}
		}
	}
	return late
}

// appliedObject is an object and an application that applies it.
type appliedObject struct {
	object      *objects.Object
	application *gitops.Application
}

// grantsElsewhere are the grants that other units hold for the cluster of an application, each with all applications that
// bring it there. What the unit itself applies is left out.
func (d *Delivery) grantsElsewhere(u *objects.Unit, by *gitops.Application, extension *objects.Object, subject rbac.Subject) [][]appliedObject {
	place := map[grantKey]int{}
	for _, grant := range grantsIn(u, extension, subject, nil) {
		place[keyOf(grant)] = -1
	}
	roles := rolesOf(u, extension, subject)
	var all [][]appliedObject
	for _, other := range d.granting(subject, roles) {
		for _, a := range d.appliers(other) {
			if other == u || a == by || a.Tool != by.Tool || !sameCluster(a, by) {
				continue
			}
			for _, grant := range grantsIn(other, nil, subject, roles) {
				i, known := place[keyOf(grant)]
				if !known {
					i, all = len(all), append(all, nil)
					place[keyOf(grant)] = i
				}
				if i >= 0 {
					all[i] = append(all[i], appliedObject{grant, a})
				}
			}
		}
	}
	return all
}

// grantKey is what one grant is known by in several units.
type grantKey struct{ group, kind, namespace, name string }

func keyOf(o *objects.Object) grantKey { return grantKey{o.Group, o.Kind, o.Namespace, o.Name} }

// grantsIn are the objects of a unit that grant permissions to a subject: its account, its bindings, the roles of these, and
// those of the roles given. From is the extension on whose behalf it is asked, nil in another unit than its own.
func grantsIn(u *objects.Unit, from *objects.Object, subject rbac.Subject, roles []rbac.RoleRef) []*objects.Object {
	var grants []*objects.Object
	add := func(found ...*objects.Object) {
		for _, o := range found {
			if !slices.Contains(grants, o) {
				grants = append(grants, o)
			}
		}
	}
	if subject.Kind == rbac.KindServiceAccount {
		accounts := u.Find(query("", rbac.KindServiceAccount, subject.Namespace, subject.Name))
		if from != nil {
			accounts, _ = u.Near(from, accounts)
		}
		add(accounts...)
	}
	for _, binding := range bindingsOf(u, from, subject) {
		add(binding.Object)
		if binding.RoleObject != nil {
			add(binding.RoleObject)
		}
	}
	for _, role := range roles {
		add(u.Find(query(rbac.Group, role.Kind, role.Namespace, role.Name))...)
	}
	slices.SortFunc(grants, objects.Compare)
	return grants
}

func query(group, kind, namespace, name string) objects.Query {
	return objects.Query{Group: &group, Kind: kind, Namespace: namespace, Name: name}
}

// rolesOf are the roles that the bindings of a unit name, and the unit does not hold.
func rolesOf(u *objects.Unit, from *objects.Object, subject rbac.Subject) []rbac.RoleRef {
	var roles []rbac.RoleRef
	for _, binding := range bindingsOf(u, from, subject) {
		if binding.RoleObject == nil && len(binding.RoleTie) == 0 && !slices.Contains(roles, binding.Role) {
			roles = append(roles, binding.Role)
		}
	}
	return roles
}

// everybody is the group that every identity is in: what it is granted is nobody's in particular.
const everybody = "system:authenticated"

func bindingsOf(u *objects.Unit, from *objects.Object, subject rbac.Subject) []rbac.Binding {
	return slices.DeleteFunc(slices.Clone(rbac.BindingsOf(u, from, subject)), func(b rbac.Binding) bool {
		return b.Via == everybody || b.Default
	})
}
