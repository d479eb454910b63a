package rbac

import (
	_ "embed"
	"encoding/json"
	"maps"
	"strings"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
)

const (
	clusterAdmin  = "cluster-admin"
	systemPrefix  = "system:"
	bootstrapping = "kubernetes.io/bootstrapping"
)

// builtinJSON holds the default roles of the versions from kubeversion.Oldest to kubeversion.Newest: cluster-admin, admin, edit,
// and view, the roles from which the last three are aggregated, and the system: roles that every API server creates for itself
// (plugin/pkg/auth/authorizer/rbac/bootstrappolicy). Versions only ever added to them: what some add has a field since.
//
//go:embed builtin_roles.json
var builtinJSON []byte

// versionedRole is a default role with the version that added it and those that added its rules; "" is what all versions have.
type versionedRole struct {
	rbacv1.ClusterRole

	Since string          `json:"since"`
	Rules []versionedRule `json:"rules"`
}

type versionedRule struct {
	rbacv1.PolicyRule

	Since string `json:"since"`
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

// builtinSets are the default roles by the range of versions that have them.
var builtinSets memo[kubeversion.Range, map[string]*rbacv1.ClusterRole]

// builtinRoles returns the default roles that all versions of a range have, with the rules that all of them have.
func builtinRoles(versions kubeversion.Range) map[string]*rbacv1.ClusterRole {
	return builtinSets.get(versions, func() map[string]*rbacv1.ClusterRole {
		byName := map[string]*rbacv1.ClusterRole{}
		for _, known := range versionedRoles() {
			if versions.All(sinceVersion(known.Since)) {
				byName[known.Name] = known.in(versions)
			}
		}
		return byName
	})
}

func (r versionedRole) in(versions kubeversion.Range) *rbacv1.ClusterRole {
	role := r.ClusterRole
	role.Labels = map[string]string{bootstrapping: "rbac-defaults"}
	maps.Copy(role.Labels, r.Labels)
	for _, rule := range r.Rules {
		if versions.All(sinceVersion(rule.Since)) {
			role.Rules = append(role.Rules, rule.PolicyRule)
		}
	}
	return &role
}

// addedIn returns the version of Kubernetes that added a rule to a default role; Oldest if no version did.
func addedIn(role string, rule rbacv1.PolicyRule) kubeversion.Version {
	for _, known := range versionedRoles() {
		if known.Name != role {
			continue
		}
		for _, r := range known.Rules {
			if SameRule(r.PolicyRule, rule) {
				return max(sinceVersion(known.Since), sinceVersion(r.Since))
			}
		}
	}
	return kubeversion.Oldest
}

// builtinFor returns the default role of that name in the unit's versions of Kubernetes; nil if there is none, or if the manifest
// of the role makes the API server not to reconcile it.
func (x *index) builtinFor(ref RoleRef, object *objects.Object) *rbacv1.ClusterRole {
	if !ref.Builtin() && (ref.Kind != kindClusterRole || !strings.HasPrefix(ref.Name, systemPrefix)) {
		return nil
	}
	if object != nil && annotation(object, rbacv1.AutoUpdateAnnotationKey) == "false" {
		return nil
	}
	return builtinRoles(x.versions)[ref.Name]
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
