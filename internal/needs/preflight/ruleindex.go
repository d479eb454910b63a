package preflight

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

// ruleIndex is a set of rules, indexed so that the few candidates for a permission are found quickly. The RBAC library
// decides which of them cover it. Comparing every permission with every rule would take seconds for a large operator.
type ruleIndex struct {
	// named are the rules by resource and name, "" for all names.
	named map[resourceName][]rbacv1.PolicyRule
	// wide are the rules with too many combinations for the index, urls those for URLs.
	wide, urls []rbacv1.PolicyRule

	budget budget
}

type resourceName struct{ resource, name string }

// Limits on the combinations in rules. Manifests can be hostile: four lists of a page each are billions of permissions. The
// largest known operators need about ten thousand.
const (
	maxFiled       = 10_000
	maxPermissions = 1_000_000
)

func newRuleIndex(rules []rbacv1.PolicyRule) *ruleIndex {
	h := &ruleIndex{named: map[resourceName][]rbacv1.PolicyRule{}}
	for _, rule := range rules {
		h.add(rule)
	}
	return h
}

func (h *ruleIndex) add(rule rbacv1.PolicyRule) {
	if len(rule.NonResourceURLs) > 0 {
		h.urls = append(h.urls, rule)
	}
	if len(rule.Resources)*len(rule.ResourceNames) > maxFiled {
		h.wide = append(h.wide, rule)
		return
	}
	names := rule.ResourceNames
	if len(names) == 0 {
		names = []string{""}
	}
	for _, resource := range rule.Resources {
		for _, name := range names {
			key := resourceName{resource, name}
			h.named[key] = append(h.named[key], rule)
		}
	}
}

// candidates returns the rules that could cover a single permission.
func (h *ruleIndex) candidates(p rbacv1.PolicyRule) []rbacv1.PolicyRule {
	if len(p.NonResourceURLs) > 0 {
		return h.urls
	}
	found := slices.Clone(h.wide)
	resources := []string{p.Resources[0]}
	if p.Resources[0] != "*" {
		resources = append(resources, "*")
	}
	if _, sub, ok := strings.Cut(p.Resources[0], "/"); ok && p.Resources[0] != "*/"+sub {
		resources = append(resources, "*/"+sub)
	}
	for _, resource := range resources {
		found = append(found, h.named[resourceName{resource, ""}]...)
		for _, name := range p.ResourceNames {
			found = append(found, h.named[resourceName{resource, name}]...)
		}
	}
	return found
}

// covers reports whether the rules cover a single permission.
func (h *ruleIndex) covers(p rbacv1.PolicyRule) bool {
	ok, _ := rbac.Covers(h.candidates(p), []rbacv1.PolicyRule{p})
	return ok
}

// missing returns the wanted permissions that the rules do not cover, each once. Rules with too many combinations are
// returned whole unless they are covered completely.
func (h *ruleIndex) missing(wanted []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var missing []rbacv1.PolicyRule
	seen := map[permission]bool{}
	for _, rule := range wanted {
		parts, whole := h.budget.split(rule)
		if whole && h.coversEverything() {
			continue
		}
		for _, p := range parts {
			key := permissionOf(p)
			if whole || !seen[key] && !h.covers(p) {
				missing = append(missing, p)
			}
			seen[key] = true
		}
	}
	return missing
}

func (h *ruleIndex) coversEverything() bool {
	return h.covers(everything[0]) && h.covers(everything[1])
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
	if b.spent += permissions(rule); b.spent > maxPermissions {
		return []rbacv1.PolicyRule{rule}, true
	}
	return rbac.Breakdown([]rbacv1.PolicyRule{rule}), false
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
