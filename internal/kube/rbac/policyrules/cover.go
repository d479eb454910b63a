package policyrules

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// Covers reports whether the rules of an owner allow everything that those of a servant allow, and returns the rest as
// singleton permissions. It is the API server's check against escalation.
//
// Rules that are too many to compare count as not covered, and are returned whole: Compare distinguishes them.
func Covers(owner, servant []rbacv1.PolicyRule) (bool, []rbacv1.PolicyRule) {
	missing, notCompared := Compare(owner, servant)
	missing = append(missing, notCompared...)
	return len(missing) == 0, missing
}

// CoversRule is Covers for one rule and without the rest. Most questions are about a rule that is not covered at all, or that one
// rule of the owner covers; these are answered without the single permissions.
func CoversRule(owner []rbacv1.PolicyRule, wanted rbacv1.PolicyRule) bool {
	// If nothing allows the first permission, the rule is not covered.
	aboutResources := len(wanted.Verbs) > 0 && len(wanted.APIGroups) > 0 && len(wanted.Resources) > 0
	if aboutResources && !slices.ContainsFunc(owner, func(r rbacv1.PolicyRule) bool { return allowsFirst(r, wanted) }) {
		return false
	}
	if permissions([]rbacv1.PolicyRule{wanted})*entries(owner) <= fewComparisons && len(wanted.NonResourceURLs) == 0 {
		if slices.ContainsFunc(owner, func(r rbacv1.PolicyRule) bool { return includes(r, wanted) }) {
			return true
		}
	}
	covered, _ := Covers(owner, []rbacv1.PolicyRule{wanted})
	return covered
}

// allowsFirst reports whether a rule can allow the first verb of a wanted rule on its first resource.
func allowsFirst(r, wanted rbacv1.PolicyRule) bool {
	resource := wanted.Resources[0]
	_, subresource, isSubresource := strings.Cut(resource, "/")
	return Has(r.Verbs, wanted.Verbs[0]) && Has(r.APIGroups, wanted.APIGroups[0]) &&
		(Has(r.Resources, resource) || isSubresource && slices.Contains(r.Resources, "*/"+subresource))
}

// includes reports whether a rule has all words of another, or a wildcard for them, and is not limited to names.
func includes(r, wanted rbacv1.PolicyRule) bool {
	all := func(list, words []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !Has(list, word) })
	}
	return len(r.ResourceNames) == 0 && all(r.Verbs, wanted.Verbs) && all(r.APIGroups, wanted.APIGroups) && all(r.Resources, wanted.Resources)
}

// fewComparisons is the size up to which the library is faster than an index.
const fewComparisons = 2_000

// Compare returns the permissions in wanted that the owner's rules do not include, as single permissions, and the wanted
// rules that are too many to compare, of which nothing is known. Rules are products of lists, so a short manifest can
// contain billions of permissions; those that the owner has in the same words are never too many.
func Compare(owner, wanted []rbacv1.PolicyRule) (missing, notCompared []rbacv1.PolicyRule) {
	wanted = withoutShared(owner, wanted)
	if len(wanted) == 0 {
		return nil, nil
	}
	if len(owner) == 0 {
		return breakdownSome(wanted)
	}
	if permissions(wanted)*entries(owner) <= fewComparisons {
		if ok, left := validation.Covers(owner, wanted); !ok {
			return left, nil
		}
		return nil, nil
	}
	if set, ok := newSingleSet(owner); ok {
		return set.compare(wanted)
	}
	index := NewIndex(owner)
	if index.CoversEverything() {
		return nil, nil
	}
	count := 0.0
	for _, rule := range wanted {
		if index.Has(rule) {
			continue
		}
		size := permissions([]rbacv1.PolicyRule{rule})
		left, compared := index.compare(rule, count+size <= MaxPermissions)
		if !compared {
			notCompared = append(notCompared, rule)
			continue
		}
		count += size
		missing = append(missing, left...)
	}
	return missing, notCompared
}

// breakdownSome returns rules as single permissions, and those that are too many.
func breakdownSome(rules []rbacv1.PolicyRule) (single, tooMany []rbacv1.PolicyRule) {
	count, some := 0.0, make([]rbacv1.PolicyRule, 0, len(rules))
	for _, rule := range rules {
		if size := permissions([]rbacv1.PolicyRule{rule}); count+size <= MaxPermissions {
			count += size
			some = append(some, rule)
		} else {
			tooMany = append(tooMany, rule)
		}
	}
	if count == 0 {
		return nil, tooMany
	}
	single = make([]rbacv1.PolicyRule, 0, int(count))
	for _, rule := range some {
		single = appendBreakdown(single, rule)
	}
	return single, tooMany
}

// withoutShared leaves out the wanted rules that are rules of the owner in the same memory: most comparisons are of identities with the
// same roles. A rule with names and URLs is compared, as in Index.Has.
func withoutShared(owner, wanted []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	if len(owner) == 0 {
		return wanted
	}
	known := make(map[Lists]bool, len(owner))
	for _, rule := range owner {
		if len(rule.ResourceNames) == 0 || len(rule.NonResourceURLs) == 0 {
			known[ListsOf(rule)] = true
		}
	}
	isShared := func(rule rbacv1.PolicyRule) bool { return known[ListsOf(rule)] }
	first := slices.IndexFunc(wanted, isShared)
	if first < 0 {
		return wanted
	}
	left := slices.Clone(wanted[:first])
	for _, rule := range wanted[first+1:] {
		if !isShared(rule) {
			left = append(left, rule)
		}
	}
	return left
}

// isSingle reports whether a rule about resources is a single permission in the form in which appendBreakdown returns it.
func isSingle(r rbacv1.PolicyRule) bool {
	return len(r.Verbs) == 1 && len(r.APIGroups) == 1 && len(r.Resources) == 1 && r.NonResourceURLs == nil &&
		(r.ResourceNames == nil || len(r.ResourceNames) == 1)
}

// compare returns the permissions of a rule that the index does not cover; false if a limit is reached.
func (x *Index) compare(rule rbacv1.PolicyRule, few bool) ([]rbacv1.PolicyRule, bool) {
	if !few {
		return nil, false
	}
	if isSingle(rule) {
		if x.exhausted() {
			return nil, false
		}
		if x.Covers(rule) {
			return nil, true
		}
		return []rbacv1.PolicyRule{rule}, true
	}
	var left []rbacv1.PolicyRule
	for _, single := range appendBreakdown(nil, rule) {
		if x.exhausted() {
			return nil, false
		}
		if !x.Covers(single) {
			left = append(left, single)
		}
	}
	return left, true
}

// Breakdown splits rules into single permissions: one verb on one resource of one group, of one name or of any, or on one
// URL. If there are more than MaxPermissions, the rules are returned unchanged.
func Breakdown(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	if permissions(rules) > MaxPermissions {
		return rules
	}
	single, _ := breakdownSome(rules)
	return single
}

// Singles is Breakdown, but if there are more, it only returns the rules unchanged that exceed the limit.
func Singles(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	single, tooMany := breakdownSome(rules)
	return append(single, tooMany...)
}

// Distinct leaves out rules that occur before, so that Singles does not count them twice: those in the same memory, and those with the same
// content that are more than a single permission.
func Distinct(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	lists, keys := make(map[Lists]bool, len(rules)), map[string]bool{}
	return slices.DeleteFunc(slices.Clone(rules), func(r rbacv1.PolicyRule) bool {
		memory := ListsOf(r)
		if lists[memory] {
			return true
		}
		lists[memory] = true
		if isSingle(r) {
			return false
		}
		key := Key(r)
		if keys[key] {
			return true
		}
		keys[key] = true
		return false
	})
}

// Granting returns the rules that have any permission: one without verbs, for example, has none.
func Granting(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	grantsNothing := func(r rbacv1.PolicyRule) bool { return permissions([]rbacv1.PolicyRule{r}) == 0 }
	if !slices.ContainsFunc(rules, grantsNothing) {
		return rules
	}
	return slices.DeleteFunc(slices.Clone(rules), grantsNothing)
}

// appendBreakdown appends the single permissions of a rule, in the form and sequence of validation.BreakdownRule. Their lists are parts
// of the lists of the rule, so thousands of identities with the same role need little memory.
func appendBreakdown(single []rbacv1.PolicyRule, rule rbacv1.PolicyRule) []rbacv1.PolicyRule {
	for g := range rule.APIGroups {
		for r := range rule.Resources {
			for v := range rule.Verbs {
				one := rbacv1.PolicyRule{Verbs: only(rule.Verbs, v), APIGroups: only(rule.APIGroups, g), Resources: only(rule.Resources, r)}
				if len(rule.ResourceNames) == 0 {
					single = append(single, one)
				}
				for n := range rule.ResourceNames {
					one.ResourceNames = only(rule.ResourceNames, n)
					single = append(single, one)
				}
			}
		}
	}
	for u := range rule.NonResourceURLs {
		for v := range rule.Verbs {
			single = append(single, rbacv1.PolicyRule{Verbs: only(rule.Verbs, v), NonResourceURLs: only(rule.NonResourceURLs, u)})
		}
	}
	return single
}

// only returns one item of a list as a separate list, to which nothing can be appended in place.
func only(list []string, i int) []string { return list[i : i+1 : i+1] }

// Missing returns the permissions in wanted that the owner's rules do not include, as single permissions; none if Covers
// reports true. Its limits are those of Covers.
func Missing(owner, wanted []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	_, missing := Covers(owner, wanted)
	return missing
}

// permissions counts the single permissions of rules. A product of four lists can exceed an integer.
func permissions(rules []rbacv1.PolicyRule) float64 {
	count := 0.0
	for _, r := range rules {
		onResources := float64(len(r.APIGroups)) * float64(len(r.Resources)) * float64(max(1, len(r.ResourceNames)))
		count += (onResources + float64(len(r.NonResourceURLs))) * float64(len(r.Verbs))
	}
	return count
}

func entries(rules []rbacv1.PolicyRule) float64 {
	count := 1
	for _, r := range rules {
		count += len(r.APIGroups) + len(r.Resources) + len(r.ResourceNames) + len(r.NonResourceURLs) + len(r.Verbs)
	}
	return float64(count)
}
