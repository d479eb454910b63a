package policyrules

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Common returns the requests for resources that two rules allow; ok is false if there are none.
func Common(a, b rbacv1.PolicyRule) (common rbacv1.PolicyRule, ok bool) {
	common = rbacv1.PolicyRule{
		Verbs: commonNames(a.Verbs, b.Verbs), APIGroups: commonNames(a.APIGroups, b.APIGroups), Resources: commonResources(a.Resources, b.Resources),
	}
	named := true
	switch {
	case len(a.ResourceNames) == 0:
		common.ResourceNames = b.ResourceNames
	case len(b.ResourceNames) == 0:
		common.ResourceNames = a.ResourceNames
	default:
		common.ResourceNames = inBoth(a.ResourceNames, b.ResourceNames)
		named = len(common.ResourceNames) > 0
	}
	return common, named && len(common.Verbs) > 0 && len(common.APIGroups) > 0 && len(common.Resources) > 0
}

// commonNames returns what two lists have in common, in which "*" stands for everything.
func commonNames(a, b []string) []string {
	switch {
	case slices.Contains(a, "*"):
		return b
	case slices.Contains(b, "*"):
		return a
	}
	return inBoth(a, b)
}

func inBoth(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) })
}

// commonResources is commonNames for resources, of which one can be a subresource of any resource, as in */exec.
func commonResources(a, b []string) []string {
	both := commonNames(a, b)
	add := func(list, other []string) {
		for _, resource := range list {
			_, sub, _ := strings.Cut(resource, "/")
			if sub != "" && slices.Contains(other, "*/"+sub) && !slices.Contains(both, resource) {
				both = append(both, resource)
			}
		}
	}
	both = slices.Clone(both)
	add(a, b)
	add(b, a)
	return both
}
