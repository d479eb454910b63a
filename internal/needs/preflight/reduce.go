package preflight

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Grant returns the rules that grant what is missing, without those that others cover, and combined as people write them.
// The permissions stay the same. Rules for URLs apply only in the whole cluster, and are moved there.
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

// reduce returns the single permissions of rules that neither the others nor granted cover. Wide permissions are taken
// first, because they cover those with fewer wildcards or with names.
func reduce(granted, rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	single := singles(rules)
	slices.SortStableFunc(single, func(a, b rbacv1.PolicyRule) int { return cmp.Compare(breadth(b), breadth(a)) })
	kept := newRuleIndex(granted)
	var left []rbacv1.PolicyRule
	for _, p := range single {
		if !kept.coversSome(p) {
			kept.Add(p)
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
		// A shorter prefix before the star matches more URLs.
		if prefix, ok := strings.CutSuffix(url, "*"); ok {
			n += 1 << 20 / (1 + len(prefix))
		}
	}
	return n
}

// Combine returns rules as people write them: without covered ones, and combined where that changes nothing.
func Combine(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule { return combine(reduce(nil, rules)) }

// combine combines single permissions: the verbs on the same thing, then the names, resources or URLs with the same verbs.
// The result is sorted.
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

// merge joins rules that differ only in one list.
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
