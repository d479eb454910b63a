package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/restmap"
)

// ErrNoIdentity says that nobody was named to ask about.
var ErrNoIdentity = errors.New("say who: --as USER, as in --as system:serviceaccount:NAMESPACE:NAME or --as olm:clusterextension:NAME")

const (
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
)

// Identity is what the API server makes of a user who is impersonated (kubectl's --as and --as-group). Without groups an
// account, or the user of an extension, has those that it is in by itself. Groups that are given take their place, and
// system:authenticated is added.
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

// Question is what somebody would do, as on a command line.
type Question struct {
	// Verb and Argument are the two words of kubectl: Argument is TYPE[.GROUP][/NAME], or a URL that begins with a slash.
	Verb, Argument, Subresource string
	// Namespace is "" for all of them together, and rbac.AnyNamespace for whichever it is allowed in.
	Namespace string
}

// Asked is a question as one of RBAC.
type Asked struct {
	rbac.Request
	// ClusterScoped tells that the type is in no namespace.
	ClusterScoped bool
}

// Type is what the argument says about the resource: "" for a URL and for the wildcard.
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

// The verbs that kubectl knows; it warns of others.
var (
	resourceVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "use", "bind",
		"impersonate", "*", "approve", "sign", "escalate", "attest"}
	urlVerbs = []string{"get", "put", "post", "head", "options", "delete", "patch", "*"}
	// undiscovered are resources that RBAC knows and no server lists.
	undiscovered = []string{"users", "groups"}
)

// Verbs lists the verbs that are known for resources.
func Verbs() []string { return slices.Clone(resourceVerbs) }

// Request turns the question into one of RBAC. Like kubectl it warns of what is not known, and asks all the same. The
// namespace goes into the request whatever the type, as kubectl sends it; see scope.
func (q Question) Request(types *restmap.Map) (asked Asked, warnings []string, err error) {
	if q.Verb == "" || q.Argument == "" {
		return asked, nil, errors.New("say what: a verb and a type or URL, as in `get pods`, `update deployments.apps/web` or `get /metrics`")
	}
	if q.isURL() {
		if q.Subresource != "" {
			return asked, nil, errors.New("--subresource does not go with a URL")
		}
		return Asked{Request: rbac.Request{Verb: q.Verb, Path: q.Argument}}, q.unknownVerb(urlVerbs), nil
	}
	asked.Request = rbac.Request{Verb: q.Verb, Resource: rbacAll, Subresource: q.Subresource, Namespace: q.Namespace}
	_, asked.Name, _ = strings.Cut(q.Argument, "/")
	if name := q.Type(); name != "" {
		resource, known := types.Argument(name)
		switch {
		case q.Verb == "impersonate" && slices.Contains(undiscovered, strings.ToLower(name)):
			// The users of RBAC, not those that OpenShift serves.
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

// literal takes a type apart that nothing is known of: RESOURCE.GROUP, or RESOURCE.VERSION.GROUP.
func literal(name string) (resource, group string) {
	resource, group, _ = strings.Cut(strings.ToLower(name), ".")
	if version, rest, found := strings.Cut(group, "."); found && isVersion(version) {
		group = rest
	}
	return resource, group
}

// isVersion tells whether a word looks like v1 or v1alpha1.
func isVersion(word string) bool {
	return len(word) > 1 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9'
}

func unknownType(r rbac.Request) []string {
	switch {
	case slices.Contains(undiscovered, r.Resource) && r.Group == "":
		return nil
	case r.Group == "":
		return []string{fmt.Sprintf("neither Kubernetes nor the repository has a resource type '%s': it is asked as written", r.Resource)}
	}
	return []string{fmt.Sprintf("neither Kubernetes nor the repository has a resource type '%s' in group '%s': it is asked as written",
		r.Resource, r.Group)}
}
