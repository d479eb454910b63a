package policyrules

import (
	"bytes"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Compact merges rules with the same resource and name that differ in their verbs, as Kubernetes' own CompactRules does,
// with which operator-controller prints missing permissions. Like operator-controller it then sorts the verbs, of which `*`
// replaces the others, and the rules. Rules with several resources, groups, or names, or with URLs, are not merged, so the
// permissions do not change. The argument is not modified.
func Compact(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	compacted := make([]rbacv1.PolicyRule, 0, len(rules))
	places := map[simpleRule]int{}
	for _, rule := range rules {
		key, simple := simplify(rule)
		place, known := places[key]
		if simple && known {
			compacted[place].Verbs = slices.Concat(compacted[place].Verbs, rule.Verbs)
			continue
		}
		if simple {
			places[key] = len(compacted)
		}
		compacted = append(compacted, rule)
	}
	for i := range compacted {
		compacted[i].Verbs = compactVerbs(compacted[i].Verbs)
	}
	return sortRules(slices.Clone(compacted)) // in less memory: reports keep it
}

// simpleRule is the object of a rule with one resource.
type simpleRule struct {
	group, resource, name string
	named                 bool
}

// simplify returns the object of a rule; ok is false for a rule that does not have a single resource, of one name or of
// any. Like upstream it treats an empty list of URLs, unlike a missing one, as a rule with URLs.
func simplify(rule rbacv1.PolicyRule) (simpleRule, bool) {
	if len(rule.APIGroups) != 1 || len(rule.Resources) != 1 || len(rule.ResourceNames) > 1 || rule.NonResourceURLs != nil {
		return simpleRule{}, false
	}
	key := simpleRule{group: rule.APIGroups[0], resource: rule.Resources[0]}
	if len(rule.ResourceNames) == 1 {
		key.name, key.named = rule.ResourceNames[0], true
	}
	return key, true
}

func compactVerbs(verbs []string) []string {
	if slices.Contains(verbs, rbacv1.VerbAll) {
		return []string{rbacv1.VerbAll}
	}
	return slices.Compact(slices.Sorted(slices.Values(verbs)))
}

// sortRules orders rules as upstream does: by their Go representation, verbs first.
func sortRules(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	type sortable struct {
		rule     rbacv1.PolicyRule
		from, to int // of its text
	}
	var texts []byte // of all rules, because there can be thousands
	list := make([]sortable, len(rules))
	for i, rule := range rules {
		from := len(texts)
		texts = appendPrinted(texts, rule)
		list[i] = sortable{rule, from, len(texts)}
	}
	slices.SortFunc(list, func(a, b sortable) int {
		if order := bytes.Compare(texts[a.from:a.to], texts[b.from:b.to]); order != 0 {
			return order
		}
		return strings.Compare(Key(a.rule), Key(b.rule))
	})
	for i := range list {
		rules[i] = list[i].rule
	}
	return rules
}

// appendPrinted appends the String of a PolicyRule in k8s.io/api. It does without package fmt, because thousands of rules are sorted.
func appendPrinted(b []byte, r rbacv1.PolicyRule) []byte {
	for _, field := range [...]struct {
		name string
		list []string
	}{
		{"&PolicyRule{Verbs:", r.Verbs}, {",APIGroups:", r.APIGroups}, {",Resources:", r.Resources},
		{",ResourceNames:", r.ResourceNames}, {",NonResourceURLs:", r.NonResourceURLs},
	} {
		b = append(b, field.name...)
		b = appendList(b, field.list, appendPlain)
	}
	return append(b, ",}"...)
}

// appendList appends a list as package fmt prints it.
func appendList(b []byte, list []string, appendItem func([]byte, string) []byte) []byte {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendItem(b, item)
	}
	return append(b, ']')
}

func appendPlain(b []byte, item string) []byte { return append(b, item...) }
