package rbac

import (
	_ "embed"
	"encoding/json"
	"maps"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

const (
	clusterAdmin  = "cluster-admin"
	bootstrapping = "kubernetes.io/bootstrapping"
)

// builtinJSON holds the roles that every API server creates for itself in the versions from kubeversion.Oldest to
// kubeversion.Newest, with default feature gates: cluster-admin, admin, edit, and view, the roles from which the last three are
// aggregated, those of Kubernetes' components and controllers, and the Roles in kube-system and kube-public
// (plugin/pkg/auth/authorizer/rbac/bootstrappolicy). What a version added has the field since, and what a version no longer has the
// field until; an API server that is upgraded does not remove that.
//
//go:embed builtin_roles.json
var builtinJSON []byte

// versionedRole is a default role with the version that added it and those that added and removed its rules; "" is what all versions have.
type versionedRole struct {
	rbacv1.ClusterRole

	Since string          `json:"since"`
	Rules []versionedRule `json:"rules"`
}

type versionedRule struct {
	rbacv1.PolicyRule

	Since string `json:"since"`
	Until string `json:"until"`
}

// versionedRoles are decoded on first use.
var versionedRoles = sync.OnceValue(func() []versionedRole {
	var list []versionedRole
	if err := json.Unmarshal(builtinJSON, &list); err != nil {
		panic("the built-in roles cannot be read: " + err.Error())
	}
	return list
})

// sinceVersion returns the version that added a default role or a rule.
func sinceVersion(text string) kubeversion.Version {
	if text == "" {
		return kubeversion.Oldest
	}
	v, err := kubeversion.Parse(text)
	if err != nil {
		panic("the built-in roles cannot be read: " + err.Error())
	}
	return v
}

// ref returns the reference to a default role: those with a namespace are Roles.
func (r versionedRole) ref() RoleRef {
	if r.Namespace != "" {
		return RoleRef{Kind: kindRole, Name: r.Name, Namespace: r.Namespace}
	}
	return RoleRef{Kind: kindClusterRole, Name: r.Name}
}

// builtinSets are the default roles by the range of versions that have them.
var builtinSets memo[kubeversion.Range, map[RoleRef]*rbacv1.ClusterRole]

// builtinRoles returns the default roles that all versions of a range have, with the rules that all of them have. Roles of a namespace
// have the type of ClusterRoles.
func builtinRoles(versions kubeversion.Range) map[RoleRef]*rbacv1.ClusterRole {
	return builtinSets.get(versions, func() map[RoleRef]*rbacv1.ClusterRole {
		byRef := map[RoleRef]*rbacv1.ClusterRole{}
		for _, known := range versionedRoles() {
			if versions.All(sinceVersion(known.Since)) {
				byRef[known.ref()] = known.in(versions)
			}
		}
		return byRef
	})
}

// allHave reports whether all versions of a range have a rule of a default role.
func (r versionedRule) allHave(versions kubeversion.Range) bool {
	return versions.All(sinceVersion(r.Since)) && (r.Until == "" || versions.Before(sinceVersion(r.Until)))
}

func (r versionedRole) in(versions kubeversion.Range) *rbacv1.ClusterRole {
	role := r.ClusterRole
	role.Labels = map[string]string{bootstrapping: "rbac-defaults"}
	maps.Copy(role.Labels, r.Labels)
	for _, rule := range r.Rules {
		if rule.allHave(versions) {
			role.Rules = append(role.Rules, rule.PolicyRule)
		}
	}
	return &role
}

// addedIn returns the version of Kubernetes that added a rule to a default role; Oldest if no version did.
func addedIn(role RoleRef, rule rbacv1.PolicyRule) kubeversion.Version {
	for _, known := range versionedRoles() {
		if known.ref() != role {
			continue
		}
		for _, r := range known.Rules {
			if policyrules.Same(r.PolicyRule, rule) {
				return max(sinceVersion(known.Since), sinceVersion(r.Since))
			}
		}
	}
	return kubeversion.Oldest
}

// builtinFor returns the default role of that name in the unit's versions of Kubernetes; nil if there is none, or if the manifest
// of the role makes the API server not to reconcile it.
func (x *index) builtinFor(ref RoleRef, object *objects.Object) *rbacv1.ClusterRole {
	if object != nil && annotation(object, rbacv1.AutoUpdateAnnotationKey) == "false" {
		return nil
	}
	return builtinRoles(x.versions)[ref]
}

func annotation(o *objects.Object, key string) string {
	return stringsIn(o, "annotations")[key]
}

// stringsIn reads the labels or annotations of an object; values that are not strings are left out.
func stringsIn(o *objects.Object, field string) map[string]string {
	metadata, _ := o.JSON()["metadata"].(map[string]any)
	values, _ := metadata[field].(map[string]any)
	texts := make(map[string]string, len(values))
	for key, value := range values {
		if text, ok := value.(string); ok {
			texts[key] = text
		}
	}
	return texts
}
