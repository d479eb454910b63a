package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Effective holds the effective permissions of an identity.
type Effective struct {
	// Cluster holds the rules granted cluster-wide; Namespaces the rules granted in a namespace, with UnknownNamespace for
	// RoleBindings that set none. Rules with URLs that a ClusterRole grants in a namespace allow no request, but the API
	// server counts them as held there when a role is granted.
	Cluster    []rbacv1.PolicyRule
	Namespaces map[string][]rbacv1.PolicyRule
	// Unknown are granted roles, or parts of them, whose rules are unknown: they are not in the repository, could be one of
	// several, cannot be read, or would be refused. Sorted.
	Unknown []RoleRef
	// Partial are roles whose rules are known and counted, but to which roles outside the repository can add: aggregated
	// ones, among them admin, edit, and view. Sorted.
	Partial []RoleRef
	// Uncertain are bindings of which it is unknown whether they apply to the identity, or where. Their rules are counted.
	Uncertain []Binding
	// Versions are the versions of Kubernetes that the cluster can run. Rules of default roles that not all of them have are not
	// counted.
	Versions kubeversion.Range
}

// In lists the rules that apply in a namespace, the cluster-wide ones first; for the empty namespace only those.
func (e Effective) In(namespace string) []rbacv1.PolicyRule {
	return slices.Concat(e.Cluster, e.Namespaces[namespace])
}

// EffectiveRules combines the rules of all roles that BindingsOf finds, including uncertain and tied bindings. The rules
// are shared and must not be changed.
func EffectiveRules(u *objects.Unit, from *objects.Object, s Subject) Effective {
	return EffectiveFor(u, from, s.Identity())
}

// EffectiveFor is EffectiveRules for an identity, and the bindings of BindingsFor.
func EffectiveFor(u *objects.Unit, from *objects.Object, who Identity) Effective {
	index := indexOf(u)
	effective := Effective{Namespaces: map[string][]rbacv1.PolicyRule{}, Versions: index.versions}
	type grant struct {
		Grant
		role *objects.Object
	}
	seen := map[grant]bool{}
	for _, b := range BindingsFor(u, from, who) {
		if !b.certain() {
			effective.Uncertain = append(effective.Uncertain, b)
		}
		key := grant{Grant{b.Role, b.Scope}, b.RoleObject}
		if seen[key] {
			continue
		}
		seen[key] = true
		effective.add(b, index.rulesOf(b))
	}
	effective.Unknown, effective.Partial = sortRefs(effective.Unknown), sortRefs(effective.Partial)
	return effective
}

func (e *Effective) add(b Binding, role roleRules) {
	e.Unknown = append(e.Unknown, role.unknown...)
	if role.partial {
		e.Partial = append(e.Partial, b.Role)
	}
	switch {
	case b.Scope == "":
		e.Cluster = append(e.Cluster, role.rules...)
	case len(role.rules) > 0:
		e.Namespaces[b.Scope] = append(e.Namespaces[b.Scope], role.rules...)
	}
}

func sortRefs(refs []RoleRef) []RoleRef {
	slices.SortFunc(refs, RoleRef.compare)
	return slices.Compact(refs)
}

// IsClusterAdmin reports whether rules granted for the whole cluster are effectively those of cluster-admin: they allow
// every verb on every resource of every group, as many roles with other names do.
func IsClusterAdmin(rules []rbacv1.PolicyRule) bool {
	ok, _ := policyrules.Covers(rules, policyrules.ClusterAdmin[:1])
	return ok
}
