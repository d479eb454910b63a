package delivery

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// LateGrant is a grant that is applied after the extension that needs it, or never.
type LateGrant struct {
	// Object is the account, the binding, or the role.
	Object *objects.Object
	// Ordering is After or Never, with the reason.
	Ordering applying.Ordering
	// Together is set if one application applies both, so that waves and hooks order them; otherwise the order of their
	// applications does.
	Together bool
}

// LateGrants returns the grants of a subject that are applied after the extension for which OLM acts as that subject: in
// the unit of the extension, and in units of applications that sync later. Grants without a defined order are not late. If
// no application applies the unit, the annotations of both Argo CD and Helm count.
func (d *Delivery) LateGrants(u *objects.Unit, extension *objects.Object, subject rbac.Subject) []LateGrant {
	var late []LateGrant
	for _, grant := range grantsIn(u, extension, subject, nil) {
		if ordering, found := d.lateWithin(u, grant, extension); found {
			late = append(late, LateGrant{grant, ordering, true})
		}
	}
	return append(late, d.lateInOtherUnits(u, extension, subject)...)
}

// unknownTools replace applications that are not in the repository. Argo CD reads Helm's annotations as well, so Helm comes
// first: what it orders is the same for both.
var unknownTools = []*gitops.Application{{Tool: gitops.FluxHelm}, {Tool: gitops.ArgoCD}}

// lateWithin reports whether a grant of the unit is applied after the extension.
func (d *Delivery) lateWithin(u *objects.Unit, grant, extension *objects.Object) (applying.Ordering, bool) {
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
	return applying.Ordering{}, false
}

func member(a *gitops.Application, o *objects.Object) applying.Member {
	return applying.Member{Application: a, Annotations: annotations(o)}
}

func isLate(o applying.Ordering) bool {
	return o.Relation == applying.After || o.Relation == applying.Never
}

// lateInOtherUnits returns the late grants of other units. A grant that several units apply is late only if none of them
// applies it in time.
func (d *Delivery) lateInOtherUnits(u *objects.Unit, extension *objects.Object, subject rbac.Subject) []LateGrant {
	var late []LateGrant
	for _, by := range d.appliers(u) {
		for _, applied := range d.grantsInOtherUnits(u, by, extension, subject) {
			orderings := make([]applying.Ordering, len(applied))
			for i, m := range applied {
				orderings[i] = d.order(member(m.application, m.object), member(by, extension))
			}
			first := applied[0].object
			known := slices.ContainsFunc(late, func(l LateGrant) bool { return l.Object == first })
			if !known && !slices.ContainsFunc(orderings, func(o applying.Ordering) bool { return !isLate(o) }) {
				late = append(late, LateGrant{first, orderings[0], false})
			}
		}
	}
	return late
}

// appliedObject is an object with an application that applies it.
type appliedObject struct {
	object      *objects.Object
	application *gitops.Application
}

// grantsInOtherUnits returns the grants in other units for the cluster of an application, each with all applications that
// apply it there. Grants that the unit applies itself are left out.
func (d *Delivery) grantsInOtherUnits(u *objects.Unit, by *gitops.Application, extension *objects.Object, subject rbac.Subject) [][]appliedObject {
	place := map[grantKey]int{}
	for _, grant := range grantsIn(u, extension, subject, nil) {
		place[keyOf(grant)] = -1
	}
	roles := rolesOf(u, extension, subject)
	var all [][]appliedObject
	for _, other := range d.unitsGranting(subject, roles) {
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

// grantKey identifies a grant across units.
type grantKey struct{ group, kind, namespace, name string }

func keyOf(o *objects.Object) grantKey { return grantKey{o.Group, o.Kind, o.Namespace, o.Name} }

// grantsIn returns the objects of a unit that grant permissions to a subject: its account, its bindings, their roles, and
// the given roles. from is the extension that acts as the subject, or nil in a unit other than the extension's.
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

// rolesOf returns the roles that the bindings of a unit reference and the unit does not contain.
func rolesOf(u *objects.Unit, from *objects.Object, subject rbac.Subject) []rbac.RoleRef {
	var roles []rbac.RoleRef
	for _, binding := range bindingsOf(u, from, subject) {
		if binding.RoleObject == nil && len(binding.RoleTie) == 0 && !slices.Contains(roles, binding.Role) {
			roles = append(roles, binding.Role)
		}
	}
	return roles
}

// authenticated is the group of all identities: its grants are not specific to one of them.
const authenticated = "system:authenticated"

func bindingsOf(u *objects.Unit, from *objects.Object, subject rbac.Subject) []rbac.Binding {
	return slices.DeleteFunc(slices.Clone(rbac.BindingsOf(u, from, subject)), func(b rbac.Binding) bool {
		return b.Via == authenticated || b.Default
	})
}
