package preflight

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
)

// Purpose is what a permission is needed for: one of the six checks.
type Purpose int

// The purposes.
const (
	// Manage: every object is read, changed and deleted by name.
	Manage Purpose = iota + 1
	// Create: objects of a type are created in a namespace, which cannot be limited by name.
	Create
	// Collect: every type is listed and watched in the whole cluster.
	Collect
	// Finalize: the finalizers of the owner are updated, because its owner references block deletion.
	Finalize
	// GrantRole: creating a role requires the permissions that it grants.
	GrantRole
	// BindRole: creating a binding requires the permissions of its role.
	BindRole
)

// Need is something that the identity must be allowed to do.
type Need struct {
	Purpose   Purpose
	Namespace string
	Rules     []rbacv1.PolicyRule
	// Instead meets the need as well as the rules: escalate on roles, or bind on a role. It is nil for checks without an
	// alternative.
	Instead *rbacv1.PolicyRule
	// Role is the role of a binding. It is Unknown if neither bundle nor repository contain it, so that its rules are
	// unknown and only Instead is certain to be sufficient; it is Partial if other roles can add rules to it.
	Role             rbac.RoleRef
	Unknown, Partial bool
	// Grows is the first version of Kubernetes in which that role, a default one, has more rules, if the version of the cluster is unknown;
	// 0 otherwise.
	Grows kubeversion.Version
	// Objects are what it is needed for; empty for the finalizers.
	Objects []*rendered.Object
	// Old is set if only the replaced version needs it.
	Old bool
}

// olmGroup is the API group of the owners.
const olmGroup = "olm.operatorframework.io"

// managed are the verbs that operator-controller requires on every object by name.
var managed = []string{"get", "patch", "update", "delete"}

// Needs returns what installing needs, for any identity: for the objects, in their order, then for their types, for the
// finalizers, and for what the roles among them grant. The error lists, with positions, invalid objects, and objects of
// unknown kinds.
func Needs(in Input) ([]Need, error) {
	all, err := readObjects(in)
	if err != nil {
		return nil, err
	}
	needs := manageNeeds(all, in.Managed)
	needs = append(needs, createNeeds(all)...)
	needs = append(needs, collectNeeds(all, in.CollectionVerbs)...)
	needs = append(needs, finalizeNeeds(in.Finalizers)...)
	grants, err := grantNeeds(in, all)
	if err != nil {
		return nil, err
	}
	return append(needs, grants...), nil
}

func manageNeeds(all []applied, verbs []string) []Need {
	if verbs == nil {
		verbs = managed
	}
	needs := make([]Need, 0, len(all))
	for _, a := range all {
		if a.again {
			continue
		}
		rule := ruleFor(a.resource, verbs...)
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

// byType returns one need for all objects of a type in a scope.
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
