package rbac

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// AnyNamespace in a Request asks whether it is allowed in at least one namespace. It is not a valid name.
const AnyNamespace = "*"

// Request is an action to be checked. With a Path it is about a URL that is not a resource, such as /metrics, and the
// fields for resources are ignored. The empty namespace stands for all namespaces, and for cluster-scoped resources.
//
// With the namespace AnyNamespace, the request is allowed if it is allowed in any namespace: the binding of the answer
// names it.
type Request struct {
	Verb, Group, Resource, Subresource, Name, Namespace, Path string
}

// Allows reports whether one rule allows a request, as the API server's RBAC authorizer decides (RuleAllows). The namespace
// is not checked: it is that of the binding.
func Allows(rule rbacv1.PolicyRule, r Request) bool {
	if !policyrules.Has(rule.Verbs, r.Verb) {
		return false
	}
	if r.Path != "" {
		return slices.ContainsFunc(rule.NonResourceURLs, func(url string) bool { return matchesURL(url, r.Path) })
	}
	return policyrules.Has(rule.APIGroups, r.Group) && allowsResource(rule.Resources, r.Resource, r.Subresource) &&
		(len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, r.Name))
}

// allowsResource compares the resource as written. Apart from the wildcard, only */subresource matches several.
func allowsResource(list []string, resource, subresource string) bool {
	if subresource == "" {
		return policyrules.Has(list, resource)
	}
	return policyrules.Has(list, resource+"/"+subresource) || slices.Contains(list, "*/"+subresource)
}

func matchesURL(pattern, url string) bool {
	if pattern == url {
		return true
	}
	return strings.HasSuffix(pattern, "*") && strings.HasPrefix(url, strings.TrimRight(pattern, "*"))
}
