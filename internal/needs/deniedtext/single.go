package deniedtext

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// singles splits a rule into single permissions. A rule with more than limit stays whole, because the product of a few long
// lists exceeds any memory.
func singles(rule rbacv1.PolicyRule, limit int) []rbacv1.PolicyRule {
	count := 1
	for _, n := range []int{
		len(rule.APIGroups), len(rule.Resources), len(rule.ResourceNames), len(rule.NonResourceURLs), len(rule.Verbs),
	} {
		if count *= max(n, 1); count > limit {
			return []rbacv1.PolicyRule{rule}
		}
	}
	return validation.BreakdownRule(rule)
}
