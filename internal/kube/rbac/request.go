package rbac

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// AnyNamespace stands in a Request for whichever namespace something is allowed in. It is no valid name.
const AnyNamespace = "*"

// Request is what somebody wants to do. With a Path it is about a URL that is no resource, such as /metrics, and the
// fields of resources mean nothing. The empty namespace stands for all of them, and for what is cluster-scoped.
//
// The namespace AnyNamespace asks whether it is allowed in at least one: the binding of the answer says where.
type Request struct {
	Verb, Group, Resource, Subresource, Name, Namespace, Path string
}

// Allows reports whether one rule allows a request. It is the question of the API server's RBAC authorizer (RuleAllows),
// which does not look at the namespace: that is the binding's.
func Allows(rule rbacv1.PolicyRule, r Request) bool {
	if !has(rule.Verbs, r.Verb) {
		return false
	}
	if r.Path != "" {
		return slices.ContainsFunc(rule.NonResourceURLs, func(url string) bool { return matchesURL(url, r.Path) })
	}
	return has(rule.APIGroups, r.Group) && allowsResource(rule.Resources, r.Resource, r.Subresource) &&
		(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, r.Name))
}

// has reports whether a list of a rule has a value, or the wildcard.
func has(list []string, value string) bool {
	return slices.Contains(list, value) || slices.Contains(list, rbacv1.VerbAll)
}

// allowsResource compares the resource as written. Only */subresource stands for more, besides the wildcard.
func allowsResource(list []string, resource, subresource string) bool {
	if subresource == "" {
		return has(list, resource)
	}
	return has(list, resource+"/"+subresource) || slices.Contains(list, "*/"+subresource)
}

func matchesURL(pattern, url string) bool {
	if pattern == url {
		return true
	}
	return strings.HasSuffix(pattern, "*") && strings.HasPrefix(url, strings.TrimRight(pattern, "*"))
}
