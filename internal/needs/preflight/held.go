package preflight

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

// held is a set of rules, filed so that the few that could cover a permission are found at once. Whether they do is for
// the library to say, which compares every permission with every rule: with as many of the one as of the other, as
// after granting what was missing, that takes seconds for a large operator.
type held struct {
	// named are rules under each of their resources and names, "" standing for all names.
	named map[resourceName][]rbacv1.PolicyRule
	// wide are rules that stand for too many of those, urls those about URLs.
	wide, urls []rbacv1.PolicyRule

	budget budget
}

type resourceName struct{ resource, name string }

// Limits on what rules may stand for. Manifests are hostile: four lists of a page each are billions of permissions. The
// largest operators in use need some ten thousand.
const (
	maxFiled       = 10_000
	maxPermissions = 1_000_000
)

func newHeld(rules []rbacv1.PolicyRule) *held {
	h := &held{named: map[resourceName][]rbacv1.PolicyRule{}}
	for _, rule := range rules {
		h.add(rule)
	}
	return h
}

func (h *held) add(rule rbacv1.PolicyRule) {
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

// candidates are the rules that could cover a single permission.
func (h *held) candidates(p rbacv1.PolicyRule) []rbacv1.PolicyRule {
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

// covers tells whether a single permission is held.
func (h *held) covers(p rbacv1.PolicyRule) bool {
	ok, _ := rbac.Covers(h.candidates(p), []rbacv1.PolicyRule{p})
	return ok
}

// missing gives what of the wanted rules is not held, in single permissions, each once. Rules that stand for too many are
// given back whole unless everything is held.
func (h *held) missing(wanted []rbacv1.PolicyRule) []rbacv1.PolicyRule {
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

func (h *held) coversEverything() bool { return h.covers(everything[0]) && h.covers(everything[1]) }

// permission is a single permission in a form that can be compared.
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

// budget is how many more permissions may be looked at.
type budget struct{ spent float64 }

// split takes a rule apart into single permissions. A rule that stands for more than may be looked at stays whole.
func (b *budget) split(rule rbacv1.PolicyRule) (parts []rbacv1.PolicyRule, whole bool) {
	if b.spent += permissions(rule); b.spent > maxPermissions {
		return []rbacv1.PolicyRule{rule}, true
	}
	return rbac.Breakdown([]rbacv1.PolicyRule{rule}), false
}

// singles takes rules apart, within the budget.
func singles(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var budget budget
	var all []rbacv1.PolicyRule
	for _, rule := range rules {
		parts, _ := budget.split(rule)
		all = append(all, parts...)
	}
	return all
}

// permissions counts what a rule stands for; the product may not fit into an integer.
func permissions(r rbacv1.PolicyRule) float64 {
	onResources := float64(len(r.APIGroups)) * float64(len(r.Resources)) * float64(max(1, len(r.ResourceNames)))
	return (onResources + float64(len(r.NonResourceURLs))) * float64(len(r.Verbs))
}
