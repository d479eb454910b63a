package preflight

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Grant gives the rules that are to be granted for what is missing: those of the cluster that others of them cover are
// left out, and so are those of a namespace that are covered there or everywhere; the rest is put together as people
// write it. What is allowed stays the same. Rules about URLs only count in the whole cluster, and are moved there.
func Grant(missing []Scoped) []Scoped {
	all := scopes{}
	for _, s := range missing {
		for _, rule := range s.Rules {
			namespace := s.Namespace
			if len(rule.NonResourceURLs) > 0 {
				namespace = ""
			}
			all.add(namespace, []rbacv1.PolicyRule{rule})
		}
	}
	var grants []Scoped
	everywhere := reduce(nil, all[""])
	for _, namespace := range slices.Sorted(maps.Keys(all)) {
		rules := everywhere
		if namespace != "" {
			rules = reduce(everywhere, all[namespace])
		}
		if len(rules) > 0 {
			grants = append(grants, Scoped{namespace, combine(rules)})
		}
	}
	return grants
}

// reduce gives the single permissions of rules that neither the others nor the ones granted already cover. A permission
// is covered by one that has a wildcard or no name where it has none or one, so those are taken first.
func reduce(granted, rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	single := singles(rules)
	slices.SortStableFunc(single, func(a, b rbacv1.PolicyRule) int { return cmp.Compare(breadth(b), breadth(a)) })
	kept := newHeld(granted)
	var left []rbacv1.PolicyRule
	for _, p := range single {
		if !kept.covers(p) {
			kept.add(p)
			left = append(left, p)
		}
	}
	return left
}

// breadth is larger for a permission than for any other that it covers.
func breadth(p rbacv1.PolicyRule) int {
	n := 0
	for _, list := range [][]string{p.Verbs, p.APIGroups, p.Resources} {
		if slices.Contains(list, "*") {
			n += 4
		}
	}
	for _, resource := range p.Resources {
		if strings.HasPrefix(resource, "*/") {
			n += 2
		}
	}
	if len(p.ResourceNames) == 0 {
		n++
	}
	for _, url := range p.NonResourceURLs {
		// The shorter what stands before the star, the more URLs.
		if prefix, ok := strings.CutSuffix(url, "*"); ok {
			n += 1 << 20 / (1 + len(prefix))
		}
	}
	return n
}

// Combine writes rules as people do: without what others of them cover, and put together where that changes nothing.
func Combine(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule { return combine(reduce(nil, rules)) }

// combine puts single permissions together: the verbs on the same thing, then the names, the resources or the URLs that
// have the same verbs. Sorted.
func combine(single []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var names, resources, urls []rbacv1.PolicyRule
	for _, rule := range merge(single, verbsOf) {
		switch {
		case len(rule.NonResourceURLs) > 0:
			urls = append(urls, rule)
		case len(rule.ResourceNames) > 0:
			names = append(names, rule)
		default:
			resources = append(resources, rule)
		}
	}
	rules := slices.Concat(merge(resources, resourcesOf), merge(names, namesOf), merge(urls, urlsOf))
	slices.SortFunc(rules, func(a, b rbacv1.PolicyRule) int {
		return cmp.Or(
			slices.Compare(a.APIGroups, b.APIGroups), slices.Compare(a.Resources, b.Resources),
			slices.Compare(a.ResourceNames, b.ResourceNames), slices.Compare(a.NonResourceURLs, b.NonResourceURLs),
			slices.Compare(a.Verbs, b.Verbs),
		)
	})
	return rules
}

func verbsOf(r *rbacv1.PolicyRule) *[]string     { return &r.Verbs }
func namesOf(r *rbacv1.PolicyRule) *[]string     { return &r.ResourceNames }
func resourcesOf(r *rbacv1.PolicyRule) *[]string { return &r.Resources }
func urlsOf(r *rbacv1.PolicyRule) *[]string      { return &r.NonResourceURLs }

// merge joins rules that differ in one list only.
func merge(rules []rbacv1.PolicyRule, list func(*rbacv1.PolicyRule) *[]string) []rbacv1.PolicyRule {
	var merged []rbacv1.PolicyRule
	place := map[string]int{}
	for _, rule := range rules {
		values := *list(&rule)
		*list(&rule) = nil
		key := fmt.Sprintf("%q%q%q%q%q", rule.APIGroups, rule.Resources, rule.ResourceNames, rule.NonResourceURLs, rule.Verbs)
		at, known := place[key]
		if !known {
			at = len(merged)
			place[key] = at
			merged = append(merged, rule)
		}
		into := list(&merged[at])
		*into = append(*into, values...)
	}
	for i := range merged {
		values := list(&merged[i])
		slices.Sort(*values)
		*values = slices.Compact(*values)
	}
	return merged
}
