package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// clusterAdminRules are the rules of cluster-admin: the API server restores them when they are changed.
var clusterAdminRules = []rbacv1.PolicyRule{
	{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
	{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
}

// Effective is what somebody may do.
type Effective struct {
	// Cluster holds what is granted everywhere; Namespaces what is granted in a namespace, with UnknownNamespace for
	// RoleBindings that name none. Rules about URLs that a ClusterRole brings into a namespace allow no request, but the
	// API server takes them for held there when a role is to be granted on.
	Cluster    []rbacv1.PolicyRule
	Namespaces map[string][]rbacv1.PolicyRule
	// Unknown are roles that are granted as well, or are part of those that are, and whose rules cannot be told: they are
	// not in the repository, could be one of several, cannot be read, or would be refused. Sorted.
	Unknown []RoleRef
	// Partial are roles whose rules are known and counted, but to which roles outside the repository may add: aggregated
	// ones, among them admin, edit and view. Sorted.
	Partial []RoleRef
	// Uncertain are bindings of which it cannot be said whether they reach whoever is asked about, or where. Their rules
	// are counted.
	Uncertain []Binding
}

// In lists the rules that count in a namespace, those that count everywhere first; only these for the empty namespace.
func (e Effective) In(namespace string) []rbacv1.PolicyRule {
	return slices.Concat(e.Cluster, e.Namespaces[namespace])
}

// EffectiveRules puts together the rules of all roles that BindingsOf finds, bindings that are uncertain or tied
// included. The rules are shared and must not be changed.
func EffectiveRules(u *objects.Unit, from *objects.Object, s Subject) Effective {
	return EffectiveFor(u, from, s.Identity())
}

// EffectiveFor is EffectiveRules for an identity, and the bindings of BindingsFor.
func EffectiveFor(u *objects.Unit, from *objects.Object, who Identity) Effective {
	index := indexOf(u)
	effective := Effective{Namespaces: map[string][]rbacv1.PolicyRule{}}
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

// IsClusterAdmin reports whether rules granted for the whole cluster make a cluster administrator in effect: they allow
// every verb on every resource of every group, as many roles with names of their own do.
func IsClusterAdmin(rules []rbacv1.PolicyRule) bool {
	ok, _ := Covers(rules, clusterAdminRules[:1])
	return ok
}
