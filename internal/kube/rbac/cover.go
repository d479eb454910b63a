package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// Rules are products of lists, so a page of manifest can stand for billions of permissions. The largest operators in use
// need some thousands, against roles with as many entries; both limits leave ten times that.
const (
	// maxPermissions is how many single permissions the rules of the servant may stand for.
	maxPermissions = 200_000
	// maxComparisons is that number times the entries in the rules of the owner.
	maxComparisons = 100_000_000
)

// Covers reports whether the rules of an owner allow everything that those of a servant do, and what they do not, in
// single permissions. It is the API server's check against escalation.
//
// Rules that are too many to compare are covered by those of cluster-admin alone; else they are given back whole as not
// covered.
func Covers(owner, servant []rbacv1.PolicyRule) (bool, []rbacv1.PolicyRule) {
	if size := permissions(servant); size > maxPermissions || size*entries(owner) > maxComparisons {
		if ok, _ := validation.Covers(owner, clusterAdminRules); ok {
			return true, nil
		}
		return false, servant
	}
	ok, missing := validation.Covers(owner, servant)
	if ok {
		return true, nil
	}
	return false, missing
}

// Breakdown takes rules apart into single permissions: one verb on one resource of one group, of one name or of any, or
// on one URL. Rules that stand for too many to write down, by the limit of Covers, are given back as they are.
func Breakdown(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	if permissions(rules) > maxPermissions {
		return rules
	}
	var single []rbacv1.PolicyRule
	for _, rule := range rules {
		single = append(single, validation.BreakdownRule(rule)...)
	}
	return single
}

// Missing lists what is wanted and not among the rules of an owner, in single permissions; none when Covers says that
// everything is. Its limits are those of Covers.
func Missing(owner, wanted []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	_, missing := Covers(owner, wanted)
	return missing
}

// permissions counts the single permissions that rules stand for. A product of four lists may not fit into an integer.
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
