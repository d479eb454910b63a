package preflight

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
)

// Purpose is what a permission is needed for: one of the six checks.
type Purpose int

// The purposes.
const (
	// Manage: every object is read, changed and deleted by its name.
	Manage Purpose = iota + 1
	// Create: objects of a type are created in a namespace, which cannot be limited by name.
	Create
	// Collect: every type is listed and watched in the whole cluster.
	Collect
	// Finalize: the owner of everything, named in owner references that block its deletion, has its finalizers updated.
	Finalize
	// GrantRole: a role may be created only by who holds what it grants.
	GrantRole
	// BindRole: a binding may be created only by who holds what its role grants.
	BindRole
)

// Need is something that the identity must be allowed to do.
type Need struct {
	Purpose   Purpose
	Namespace string
	Rules     []rbacv1.PolicyRule
	// Instead satisfies the need as well as the rules do: escalate on roles, or bind on a role. It is nil for the checks
	// that have no other way.
	Instead *rbacv1.PolicyRule
	// Role is the role that a binding refers to. It is Unknown when neither bundle nor repository have it, so that its
	// rules cannot be told and nothing but Instead is sure to do; Partial when roles elsewhere may add rules to it.
	Role             rbac.RoleRef
	Unknown, Partial bool
	// Objects are what it is needed for; none for the finalizers.
	Objects []*rendered.Object
	// Old tells that only the version being replaced needs it.
	Old bool
}

// olmGroup is the API group of the owners.
const olmGroup = "olm.operatorframework.io"

// managed are the verbs that operator-controller asks for on every object by its name.
var managed = []string{"get", "patch", "update", "delete"}

// Needs lists what installing needs, whoever does it: first for the objects, in their order, then for their types, then
// for the finalizers, then for what the roles among them grant. The error lists, with their places, objects that are no
// objects, and those of a kind whose resource nobody knows.
func Needs(in Input) ([]Need, error) {
	all, err := readObjects(in)
	if err != nil {
		return nil, err
	}
	needs := manageNeeds(all)
	needs = append(needs, createNeeds(all)...)
	needs = append(needs, collectNeeds(all, in.CollectionVerbs)...)
	needs = append(needs, finalizeNeeds(in.Finalizers)...)
	grants, err := grantNeeds(in, all)
	if err != nil {
		return nil, err
	}
	return append(needs, grants...), nil
}

func manageNeeds(all []applied) []Need {
	needs := make([]Need, 0, len(all))
	for _, a := range all {
		if a.again {
			continue
		}
		rule := ruleFor(a.resource, managed...)
		rule.ResourceNames = []string{a.object.Name()}
		needs = append(needs, Need{
			Purpose: Manage, Namespace: a.namespace, Rules: []rbacv1.PolicyRule{rule},
			Objects: []*rendered.Object{a.object}, Old: a.old,
		})
	}
	return needs
}

func createNeeds(all []applied) []Need {
	return byType(all, Create, func(a applied) string { return a.namespace }, "create")
}

func collectNeeds(all []applied, verbs []string) []Need {
	if len(verbs) == 0 {
		return nil
	}
	return byType(all, Collect, func(applied) string { return "" }, verbs...)
}

// byType makes one need of all objects of a type in a scope.
func byType(all []applied, purpose Purpose, scope func(applied) string, verbs ...string) []Need {
	type key struct{ group, plural, namespace string }
	place := map[key]int{}
	var needs []Need
	for _, a := range all {
		if a.again {
			continue
		}
		k := key{a.resource.Group, a.resource.Plural, scope(a)}
		at, known := place[k]
		if !known {
			at = len(needs)
			place[k] = at
			needs = append(needs, Need{
				Purpose: purpose, Namespace: k.namespace, Old: true,
				Rules: []rbacv1.PolicyRule{ruleFor(a.resource, verbs...)},
			})
		}
		needs[at].Objects = append(needs[at].Objects, a.object)
		needs[at].Old = needs[at].Old && a.old
	}
	return needs
}

func finalizeNeeds(f Finalizers) []Need {
	if f.Resource == "" {
		return nil
	}
	rule := ruleFor(restmap.Resource{Group: olmGroup, Plural: f.Resource + "/finalizers"}, "update")
	if f.Name != "" {
		rule.ResourceNames = []string{f.Name}
	}
	return []Need{{Purpose: Finalize, Rules: []rbacv1.PolicyRule{rule}}}
}

func ruleFor(r restmap.Resource, verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: verbs, APIGroups: []string{r.Group}, Resources: []string{r.Plural}}
}
