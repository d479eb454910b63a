package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// BindingRules are the rules that a binding grants.
type BindingRules struct {
	// Rules are shared and must not be changed.
	Rules []rbacv1.PolicyRule
	// Unknown are the role, or the roles it is aggregated from, whose rules are unknown. Partial is true if roles outside the
	// repository can add rules.
	Unknown []RoleRef
	Partial bool

	role roleRules
}

// Source returns the role from which the aggregated role of the binding takes a rule; the zero value if the rule is the role's
// own.
func (r BindingRules) Source(rule int) RuleSource { return r.role.giver(rule) }

// RulesOfBinding returns the rules that a binding of a unit grants, also one that every cluster has (DefaultsFor).
func RulesOfBinding(u *objects.Unit, b Binding) BindingRules {
	role := indexOf(u).rulesOf(b)
	return BindingRules{Rules: role.rules, Unknown: role.unknown, Partial: role.partial, role: role}
}

// Certain reports whether it is known that the binding applies to its subject, and in which namespace.
func (b Binding) Certain() bool { return b.certain() }
