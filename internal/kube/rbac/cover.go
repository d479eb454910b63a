package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// Rules are products of lists, so a short manifest can contain billions of permissions. The largest operators in use need a
// few thousand, compared with roles of as many entries; both limits are ten times that.
const (
	// maxPermissions limits the single permissions of the servant's rules.
	maxPermissions = 200_000
	// maxComparisons limits that number times the entries in the owner's rules.
	maxComparisons = 100_000_000
)

// Covers reports whether the rules of an owner allow everything that those of a servant allow, and returns the rest as
// singleton permissions. It is the API server's check against escalation.
//
// Rules that are too many to compare are covered only by those of cluster-admin; otherwise all of them are returned as not
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

// Breakdown splits rules into single permissions: one verb on one resource of one group, of one name or of any, or on one
// URL. Rules with too many permissions, by the limit of Covers, are returned unchanged.
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
