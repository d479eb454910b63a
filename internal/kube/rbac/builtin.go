package rbac

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// KubernetesVersion is the release whose roles are embedded: cluster-admin, admin, edit, and view, the roles from which the
// last three are aggregated, and the system: roles that every API server creates for itself
// (plugin/pkg/auth/authorizer/rbac/bootstrappolicy).
const KubernetesVersion = "v1.34.4"

const (
	clusterAdmin  = "cluster-admin"
	systemPrefix  = "system:"
	bootstrapping = "kubernetes.io/bootstrapping"
)

//go:embed builtin_roles.json
var builtinJSON []byte

// builtinRoles are decoded on first use.
var builtinRoles = sync.OnceValue(func() map[string]*rbacv1.ClusterRole {
	var list []rbacv1.ClusterRole
	if err := json.Unmarshal(builtinJSON, &list); err != nil {
		panic("the built-in roles cannot be read: " + err.Error())
	}
	byName := make(map[string]*rbacv1.ClusterRole, len(list))
	for i := range list {
		role := &list[i]
		if role.Labels == nil {
			role.Labels = map[string]string{}
		}
		role.Labels[bootstrapping] = "rbac-defaults"
		byName[role.Name] = role
	}
	return byName
})

// builtinFor returns the default role of that name; nil if there is none, or if the manifest of the role tells the API
// server not to reconcile it.
func builtinFor(ref RoleRef, object *objects.Object) *rbacv1.ClusterRole {
	if !ref.Builtin() && (ref.Kind != kindClusterRole || !strings.HasPrefix(ref.Name, systemPrefix)) {
		return nil
	}
	if object != nil && annotation(object, rbacv1.AutoUpdateAnnotationKey) == "false" {
		return nil
	}
	return builtinRoles()[ref.Name]
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
