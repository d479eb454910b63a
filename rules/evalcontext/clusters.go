package evalcontext

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// HomesOf returns where names of an object resolve: the clusters that get its unit or plain file, or the unit itself if they are not known, or get
// nothing else. A finding that is true in one of them is reported.
func HomesOf(w Context, o *objects.Object) []*objects.Unit {
	if w.Shared != nil && w.Shared.Clusters != nil {
		if clusters := w.Shared.Clusters(w.Unit, o); len(clusters) > 0 {
			return clusters
		}
	}
	return []*objects.Unit{w.Unit}
}

// GrantedBy returns the rules that a binding grants, or those of a role, as rbac.GrantedBy does. Another unit of the cluster can have the role, or a
// part of it. Of several clusters, the rules are those of all. From is the object that is evaluated.
func GrantedBy(w Context, from, object *objects.Object) (granted rbac.Granted, ok bool) {
	for i, home := range HomesOf(w, from) {
		in, readable := rbac.GrantedBy(home, object)
		if i == 0 {
			granted, ok = in, readable
			continue
		}
		granted = rbac.Granted{
			Rules:   slices.Concat(granted.Rules, in.Rules),
			Unknown: union(granted.Unknown, in.Unknown), Partial: union(granted.Partial, in.Partial),
		}
	}
	return granted, ok
}

// BindingsOf returns the bindings of a subject, as rbac.BindingsOf does, in all clusters that get the unit: another unit can have a binding, or the
// role of one. From is the object that is evaluated.
func BindingsOf(w Context, from *objects.Object, subject rbac.Subject) []rbac.Binding {
	return inHomes(w, from, func(home *objects.Unit) []rbac.Binding { return rbac.BindingsOf(home, from, subject) })
}

// AdminBindings returns those of BindingsOf that make the subject cluster-admin without the others.
func AdminBindings(w Context, from *objects.Object, subject rbac.Subject) []rbac.Binding {
	return inHomes(w, from, func(home *objects.Unit) []rbac.Binding { return rbac.AdminBindings(home, from, subject) })
}

// inHomes returns the bindings of the unit, with the roles that other units of its clusters have, and then those of these units. A binding that
// several units apply from one file under one name is one on the cluster.
func inHomes(w Context, from *objects.Object, find func(home *objects.Unit) []rbac.Binding) []rbac.Binding {
	homes := HomesOf(w, from)
	if len(homes) == 1 && (homes[0] == w.Unit || w.Unit.Kind == objects.PlainUnit) {
		return find(homes[0])
	}
	if w.Unit.Kind != objects.PlainUnit {
		homes = append([]*objects.Unit{w.Unit}, homes...)
	}
	var all []rbac.Binding
	index := map[bindingKey]int{}
	for _, home := range homes {
		for _, b := range find(home) {
			k := bindingKey{b.Object.Position(nil), b.Object.Namespace, b.Object.Name, b.Via, b.SubjectIndex}
			i, known := index[k]
			switch {
			case !known:
				index[k] = len(all)
				all = append(all, b)
			case all[i].RoleObject == nil:
				all[i].RoleObject, all[i].RoleTie = b.RoleObject, b.RoleTie
			}
		}
	}
	return all
}

// bindingKey is a subject of a binding on a cluster.
type bindingKey struct {
	at                   objects.Position
	namespace, name, via string
	subject              int
}

// EffectiveRules returns what a subject can do, as rbac.EffectiveRules does, with what all units of the clusters grant.
func EffectiveRules(w Context, from *objects.Object, subject rbac.Subject) rbac.Effective {
	homes := HomesOf(w, from)
	effective := rbac.EffectiveRules(homes[0], from, subject)
	for _, home := range homes[1:] {
		in := rbac.EffectiveRules(home, from, subject)
		effective.Cluster = slices.Concat(effective.Cluster, in.Cluster)
		effective.Unknown, effective.Partial = union(effective.Unknown, in.Unknown), union(effective.Partial, in.Partial)
		for namespace, rules := range in.Namespaces {
			effective.Namespaces[namespace] = slices.Concat(effective.Namespaces[namespace], rules)
		}
	}
	return effective
}

// IsAdministrator reports whether a subject is an administrator of one of the clusters.
func IsAdministrator(w Context, from *objects.Object, subject rbac.Subject) bool {
	return slices.ContainsFunc(HomesOf(w, from), func(home *objects.Unit) bool { return rbac.IsAdministrator(home, from, subject) })
}

func union(a, b []rbac.RoleRef) []rbac.RoleRef {
	all := slices.Clone(a)
	for _, ref := range b {
		if !slices.Contains(all, ref) {
			all = append(all, ref)
		}
	}
	return all
}
