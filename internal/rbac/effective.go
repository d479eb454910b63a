package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/inventory"
)

// clusterAdmin is the one built-in role whose rules never differ from cluster to cluster.
const clusterAdmin = "cluster-admin"

// clusterAdminRules are the rules of cluster-admin: the API server restores them when they are changed.
var clusterAdminRules = []rbacv1.PolicyRule{
	{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
	{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
}

// Effective is what a subject may do.
type Effective struct {
	// Cluster holds what is granted everywhere; Namespaces what is granted in a namespace, with UnknownNamespace for
	// RoleBindings that name none. There, rules about URLs have no effect and are left out.
	Cluster    []rbacv1.PolicyRule
	Namespaces map[string][]rbacv1.PolicyRule
	// Unknown are roles that are granted as well, and whose rules cannot be told: they are not in the repository, could
	// be one of several, cannot be read, or are filled in by the cluster (aggregated roles, and of the built-in ones
	// all but cluster-admin). Sorted.
	Unknown []RoleRef
}

// EffectiveRules puts together the rules of all roles that BindingsOf finds, bindings that are uncertain or tied
// included. The rules are shared and must not be changed.
func EffectiveRules(u *inventory.Unit, from *inventory.Object, s Subject) Effective {
	index := indexOf(u)
	effective := Effective{Namespaces: map[string][]rbacv1.PolicyRule{}}
	type grant struct {
		Grant
		role *inventory.Object
	}
	seen := map[grant]bool{}
	for _, b := range BindingsOf(u, from, s) {
		key := grant{Grant{b.Role, b.Scope}, b.RoleObject}
		if seen[key] {
			continue
		}
		seen[key] = true
		rules, known := index.rulesOf(b)
		if !known {
			effective.Unknown = append(effective.Unknown, b.Role)
		}
		effective.add(b.Scope, rules)
	}
	slices.SortFunc(effective.Unknown, RoleRef.compare)
	effective.Unknown = slices.Compact(effective.Unknown)
	return effective
}

func (e *Effective) add(scope string, rules []rbacv1.PolicyRule) {
	if scope == "" {
		e.Cluster = append(e.Cluster, rules...)
		return
	}
	for _, rule := range rules {
		if len(rule.NonResourceURLs) > 0 {
			rule.NonResourceURLs = nil
		}
		if len(rule.Resources) > 0 {
			e.Namespaces[scope] = append(e.Namespaces[scope], rule)
		}
	}
}

// rulesOf gives the rules a binding grants, as far as they are known; known is false when there may be others.
func (x *index) rulesOf(b Binding) (rules []rbacv1.PolicyRule, known bool) {
	if b.Role.Kind == kindClusterRole && b.Role.Name == clusterAdmin {
		return clusterAdminRules, true
	}
	if b.RoleObject == nil || b.RoleObject.JSON()["aggregationRule"] != nil {
		return nil, false
	}
	decoded := x.rules.get(b.RoleObject, func() decodedRules {
		rules, err := Rules(b.RoleObject)
		return decodedRules{rules, err}
	})
	return decoded.rules, decoded.err == nil && !b.Role.Builtin()
}

// IsClusterAdmin tells whether rules granted for the whole cluster make a cluster administrator in effect: they allow
// every verb on every resource of every group, as many roles with names of their own do.
func IsClusterAdmin(rules []rbacv1.PolicyRule) bool {
	ok, _ := Covers(rules, clusterAdminRules[:1])
	return ok
}
