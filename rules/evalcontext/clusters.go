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

func union(a, b []rbac.RoleRef) []rbac.RoleRef {
	all := slices.Clone(a)
	for _, ref := range b {
		if !slices.Contains(all, ref) {
			all = append(all, ref)
		}
	}
	return all
}
