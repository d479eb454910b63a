package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/restmap"
)

// ErrNoIdentity is the error if no user or group is given.
var ErrNoIdentity = errors.New("no identity: set --as USER, for example --as system:serviceaccount:NAMESPACE:NAME or --as olm:clusterextension:NAME")

const (
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
)

// Identity returns the identity of an impersonated user (kubectl's --as and --as-group). Without groups, an account or the
// user of an extension gets its default groups. Given groups replace these, and system:authenticated is added.
func Identity(user string, groups []string) (rbac.Identity, error) {
	switch {
	case user == "" && len(groups) == 0:
		return rbac.Identity{}, ErrNoIdentity
	case len(groups) == 0:
		return rbac.Subject{Kind: rbac.KindUser, Name: user}.Identity(), nil
	}
	groups = slices.Clone(groups)
	if !slices.Contains(groups, authenticated) && !slices.Contains(groups, unauthenticated) {
		groups = append(groups, authenticated)
	}
	return rbac.Identity{User: user, Groups: groups}, nil
}

// Question is a request as written on a command line.
type Question struct {
	// Verb and Argument are the two arguments of kubectl: Argument is TYPE[.GROUP][/NAME], or a URL that begins with a slash.
	Verb, Argument, Subresource string
	// Namespace is "" for all namespaces together, and rbac.AnyNamespace for any namespace.
	Namespace string
}

// Asked is a question as an RBAC request.
type Asked struct {
	rbac.Request
	// ClusterScoped is true for a type without a namespace.
	ClusterScoped bool
}

// Type returns the resource type of the argument: "" for a URL and for the wildcard.
func (q Question) Type() string {
	if q.isURL() {
		return ""
	}
	resource, _, _ := strings.Cut(q.Argument, "/")
	if resource == rbacAll {
		return ""
	}
	return resource
}

const rbacAll = "*"

func (q Question) isURL() bool { return strings.HasPrefix(q.Argument, "/") }

// The verbs that kubectl knows; it warns about others.
var (
	resourceVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "use", "bind",
		"impersonate", "*", "approve", "sign", "escalate", "attest"}
	urlVerbs = []string{"get", "put", "post", "head", "options", "delete", "patch", "*"}
	// undiscovered are resources that RBAC uses and no server lists.
	undiscovered = []string{"users", "groups"}
)

// Verbs returns the known verbs of resources.
func Verbs() []string { return slices.Clone(resourceVerbs) }

// Request converts the question to an RBAC request. Like kubectl, it warns about unknown names and uses them anyway. The
// request contains the namespace for every type, as kubectl sends it; see scope.
func (q Question) Request(types *restmap.Map) (asked Asked, warnings []string, err error) {
	if q.Verb == "" || q.Argument == "" {
		return asked, nil, errors.New("a verb and a type or URL are required, for example `get pods`, `update deployments.apps/web` or `get /metrics`; " +
			"for the ways to a role, salint who-can --become cluster-admin")
	}
	if q.isURL() {
		if q.Subresource != "" {
			return asked, nil, errors.New("--subresource cannot be used with a URL")
		}
		return Asked{Request: rbac.Request{Verb: q.Verb, Path: q.Argument}}, q.unknownVerb(urlVerbs), nil
	}
	asked.Request = rbac.Request{Verb: q.Verb, Resource: rbacAll, Subresource: q.Subresource, Namespace: q.Namespace}
	_, asked.Name, _ = strings.Cut(q.Argument, "/")
	if name := q.Type(); name != "" {
		resource, known := types.Argument(name)
		switch {
		case q.Verb == "impersonate" && slices.Contains(undiscovered, strings.ToLower(name)):
			// These are the users of RBAC, not the resource of OpenShift.
			asked.Resource, asked.ClusterScoped = strings.ToLower(name), true
		case known:
			asked.Group, asked.Resource, asked.ClusterScoped = resource.Group, resource.Plural, !resource.Namespaced
		default:
			asked.Resource, asked.Group = literal(name)
			warnings = append(warnings, unknownType(asked.Request)...)
		}
	}
	warnings = append(warnings, q.scope(&asked)...)
	warnings = append(warnings, q.subresourceMeant(asked)...)
	return asked, append(warnings, q.unknownVerb(resourceVerbs)...), nil
}

func (q Question) unknownVerb(known []string) []string {
	if slices.Contains(known, q.Verb) {
		return nil
	}
	return []string{fmt.Sprintf("verb '%s' is not a known verb", q.Verb)}
}

// literal splits an unknown type: RESOURCE.GROUP, or RESOURCE.VERSION.GROUP.
func literal(name string) (resource, group string) {
	resource, group, _ = strings.Cut(strings.ToLower(name), ".")
	if version, rest, found := strings.Cut(group, "."); found && isVersion(version) {
		group = rest
	}
	return resource, group
}

// isVersion returns whether a word looks like v1 or v1alpha1.
func isVersion(word string) bool {
	return len(word) > 1 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9'
}

func unknownType(r rbac.Request) []string {
	switch {
	case slices.Contains(undiscovered, r.Resource) && r.Group == "":
		return nil
	case r.Group == "":
		return []string{fmt.Sprintf("neither Kubernetes nor the repository defines a resource type '%s': using it as written", r.Resource)}
	}
	return []string{fmt.Sprintf("neither Kubernetes nor the repository defines a resource type '%s' in group '%s': using it as written",
		r.Resource, r.Group)}
}
