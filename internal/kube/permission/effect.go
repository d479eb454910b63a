package permission

import (
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Effect is a set of permissions, independent of the roles that grant them: two roles with the same rules have the same
// effect.
type Effect struct {
	// Rules are by the namespace they apply to; "" is cluster-wide.
	Rules map[string][]rbacv1.PolicyRule
	// Roles are granted roles with unknown or incomplete rules; they are compared by name.
	Roles map[rbac.Grant]bool
}

// Add adds rules in a scope. As in the API server, non-resource URLs are only granted cluster-wide. The rules must not be changed later:
// they are not copied if nothing else is in the scope.
func (e *Effect) Add(scope string, rules []rbacv1.PolicyRule) {
	if len(rules) == 0 {
		return
	}
	if e.Rules == nil {
		e.Rules = map[string][]rbacv1.PolicyRule{}
	}
	if len(e.Rules[scope]) == 0 && !slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool { return isLessIn(scope, r) }) {
		e.Rules[scope] = slices.Clip(rules)
		return
	}
	all := slices.Grow(e.Rules[scope], len(rules))
	for _, rule := range rules {
		if scope != "" {
			rule.NonResourceURLs = nil
		}
		if len(rule.Resources)+len(rule.NonResourceURLs) > 0 {
			all = append(all, rule)
		}
	}
	if len(all) > 0 {
		e.Rules[scope] = all
	}
}

// isLessIn reports whether a rule grants less in a scope than it says, or nothing.
func isLessIn(scope string, r rbacv1.PolicyRule) bool {
	return scope != "" && r.NonResourceURLs != nil || len(r.Resources)+len(r.NonResourceURLs) == 0
}

// AddRole adds a role that is only known by name.
func (e *Effect) AddRole(g rbac.Grant) {
	if e.Roles == nil {
		e.Roles = map[rbac.Grant]bool{}
	}
	e.Roles[g] = true
}

// Empty reports whether the effect contains no permissions.
func (e Effect) Empty() bool { return len(e.Rules) == 0 && len(e.Roles) == 0 }

// Include adds the permissions of another effect.
func (e *Effect) Include(other Effect) {
	for scope, rules := range other.Rules {
		e.Add(scope, rules)
	}
	for g := range other.Roles {
		e.AddRole(g)
	}
}

// Join returns the union of two effects.
func (e Effect) Join(other Effect) Effect {
	var both Effect
	both.Include(e)
	both.Include(other)
	return both
}

// Without returns the permissions that are in none of the other effects combined. A cluster-wide permission includes each namespace.
// Where the others have nothing, the rules stay as they are; otherwise they become single permissions. Rules that are too many to
// compare count as permissions of this effect only; Compare distinguishes them.
func (e Effect) Without(others ...Effect) Effect {
	left := e.rolesWithout(others)
	for scope, rules := range e.Rules {
		owned := rulesIn(scope, others)
		if len(owned) == 0 {
			left.Add(scope, policyrules.Granting(rules))
			continue
		}
		missing, notCompared := policyrules.Compare(owned, rules)
		left.Add(scope, append(missing, notCompared...))
	}
	return left
}

// Compare is Without, but returns single permissions, and the rules that are too many to compare separately: nothing is known about them.
func (e Effect) Compare(others ...Effect) (left, notCompared Effect) {
	left = e.rolesWithout(others)
	for scope, rules := range e.Rules {
		missing, unknown := policyrules.Compare(rulesIn(scope, others), rules)
		left.Add(scope, missing)
		notCompared.Add(scope, unknown)
	}
	return left, notCompared
}

// rulesIn returns the rules of effects that apply in a scope.
func rulesIn(scope string, effects []Effect) (rules []rbacv1.PolicyRule) {
	for _, e := range effects {
		rules = append(rules, e.Rules[""]...)
		if scope != "" {
			rules = append(rules, e.Rules[scope]...)
		}
	}
	return rules
}

// rolesWithout returns the roles that none of the others holds.
func (e Effect) rolesWithout(others []Effect) (left Effect) {
	for g := range e.Roles {
		if !slices.ContainsFunc(others, func(other Effect) bool { return other.holds(g) }) {
			left.AddRole(g)
		}
	}
	return left
}

// holds reports whether a role is granted, in its scope or cluster-wide.
func (e Effect) holds(g rbac.Grant) bool {
	return e.Roles[g] || g.Role.Namespace == "" && e.Roles[rbac.Grant{Role: g.Role}]
}

// onlyOnce removes permissions from namespaces that are also granted cluster-wide.
func (e Effect) onlyOnce() Effect {
	everywhere, inNamespaces := Effect{}, Effect{}
	for scope, rules := range e.Rules {
		if scope == "" {
			everywhere.Add(scope, rules)
		} else {
			inNamespaces.Add(scope, rules)
		}
	}
	for g := range e.Roles {
		if g.Scope == "" {
			everywhere.AddRole(g)
		} else {
			inNamespaces.AddRole(g)
		}
	}
	return everywhere.Join(inNamespaces.Without(everywhere))
}

// namespaces lists the scopes of two effects, sorted.
func namespaces(a, b Effect) []string {
	seen := map[string]bool{}
	for _, e := range []Effect{a, b} {
		for scope := range e.Rules {
			seen[scope] = true
		}
		for g := range e.Roles {
			seen[g.Scope] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
