package preflight

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// ruleIndex is a set of rules, with a limit on what is compared with it.
type ruleIndex struct {
	*policyrules.Index

	budget budget
	// largest is the largest rule that was not compared; 0 if all were.
	largest float64
}

func newRuleIndex(rules []rbacv1.PolicyRule) *ruleIndex {
	return &ruleIndex{Index: policyrules.NewIndex(rules)}
}

// missing returns the wanted permissions that the rules do not cover, each once. Rules with too many combinations are
// returned whole unless they are covered completely.
func (h *ruleIndex) missing(wanted []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var missing []rbacv1.PolicyRule
	seen := map[permission]bool{}
	for _, rule := range wanted {
		if h.Has(rule) {
			continue
		}
		parts, whole := h.budget.split(rule)
		if whole && h.CoversEverything() {
			continue
		}
		for _, p := range parts {
			key := permissionOf(p)
			if whole {
				h.largest = max(h.largest, permissions(rule))
			}
			if whole || !seen[key] && !h.Covers(p) {
				missing = append(missing, p)
			}
			seen[key] = true
		}
	}
	return missing
}

// coversSome reports whether the rules cover a rule. One that is not a single permission was too large to split, and is not compared.
func (h *ruleIndex) coversSome(rule rbacv1.PolicyRule) bool {
	if permissions(rule) > 1 {
		return h.CoversEverything() || h.Has(rule)
	}
	return h.Covers(rule)
}

// permission is a comparable single permission.
type permission struct{ verb, group, resource, name, url string }

func permissionOf(p rbacv1.PolicyRule) permission {
	first := func(list []string) string {
		if len(list) == 0 {
			return ""
		}
		return list[0]
	}
	return permission{first(p.Verbs), first(p.APIGroups), first(p.Resources), first(p.ResourceNames), first(p.NonResourceURLs)}
}

// budget is the number of permissions that were split.
type budget struct{ spent float64 }

// split splits a rule into single permissions. A rule that exceeds the budget stays whole.
func (b *budget) split(rule rbacv1.PolicyRule) (parts []rbacv1.PolicyRule, whole bool) {
	if b.spent += permissions(rule); b.spent > policyrules.MaxPermissions {
		return []rbacv1.PolicyRule{rule}, true
	}
	return policyrules.Breakdown([]rbacv1.PolicyRule{rule}), false
}

// singles splits rules, within the budget.
func singles(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var budget budget
	var all []rbacv1.PolicyRule
	for _, rule := range rules {
		parts, _ := budget.split(rule)
		all = append(all, parts...)
	}
	return all
}

// permissions returns the number of single permissions in a rule; the product can exceed an integer.
func permissions(r rbacv1.PolicyRule) float64 {
	onResources := float64(len(r.APIGroups)) * float64(len(r.Resources)) * float64(max(1, len(r.ResourceNames)))
	return (onResources + float64(len(r.NonResourceURLs))) * float64(len(r.Verbs))
}
