package rbac

import (
	"sync"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
)

// NewerGrant is a binding that allows a request only in newer versions of Kubernetes, whose default roles have more rules.
type NewerGrant struct {
	Binding Binding
	// Since is the first of these versions.
	Since kubeversion.Version
}

// inNewest returns an index for the roles in the newest version of Kubernetes that the unit's cluster can run; nil if the version
// is known. It has no bindings.
func (x *index) inNewest() *index {
	if x.versions.Known() {
		return nil
	}
	return x.unit.Cached(newestKey{x.versions}, func() any {
		newest := &index{unit: x.unit, versions: x.versions.Last(), roles: x.roles}
		newest.catalog = sync.OnceValue(newest.newCatalog)
		return newest
	}).(*index)
}

type newestKey struct{ versions kubeversion.Range }

// newer returns the first version of Kubernetes in which a binding allows a request, if the unit's cluster can run it. The binding
// does not allow the request in the older versions.
func (x *index) newer(b Binding, r Request) (since kubeversion.Version, ok bool) {
	role := x.inNewestIfDefault(b)
	for i, rule := range role.rules {
		if !Allows(rule, r) {
			continue
		}
		from := b.Role
		if giver := role.giver(i).Role; giver.Name != "" {
			from = giver
		}
		if added := addedIn(from, rule); !ok || added < since {
			since, ok = added, true
		}
	}
	return since, ok
}

// inNewestIfDefault returns the rules that a binding grants in the newest version, if its role is a default role or can include
// rules of one.
func (x *index) inNewestIfDefault(b Binding) roleRules {
	newest := x.inNewest()
	if newest == nil {
		return roleRules{}
	}
	if _, isDefault := builtinRoles(newest.versions)[b.Role]; isDefault || x.rulesOf(b).givers != nil {
		return newest.rulesOf(b)
	}
	return roleRules{}
}

// NewerRoles lists the roles of an identity's bindings that have more rules in newer versions of Kubernetes than in the oldest one
// that the unit's cluster can run, sorted; none if the version is known. Bindings that every cluster has do not count. No other function counts these rules: what not all
// versions allow is not known to be allowed.
func NewerRoles(u *objects.Unit, from *objects.Object, who Identity) []RoleRef {
	x := indexOf(u)
	var roles []RoleRef
	for _, b := range BindingsFor(u, from, who) {
		if len(x.inNewestIfDefault(b).rules) > len(x.rulesOf(b).rules) {
			roles = append(roles, b.Role)
		}
	}
	return sortRefs(roles)
}

// GrowsIn returns the first newer version of Kubernetes in which a default role has more rules than in the oldest one that the unit's
// cluster can run; ok is false if it never has, or if the version is known.
func GrowsIn(u *objects.Unit, ref RoleRef, near *objects.Object) (since kubeversion.Version, ok bool) {
	x := indexOf(u)
	newest := x.inNewest()
	if newest == nil {
		return 0, false
	}
	object, tie := x.roles.find(near, ref)
	rules := x.resolve(ref, object, tie, near).rules
	role := newest.resolve(ref, object, tie, near)
	if len(role.rules) <= len(rules) {
		return 0, false
	}
	for i, rule := range role.rules {
		from := ref
		if giver := role.giver(i).Role; giver.Name != "" {
			from = giver
		}
		if added := addedIn(from, rule); !x.versions.All(added) && (!ok || added < since) {
			since, ok = added, true
		}
	}
	return since, ok
}
