package process

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

// sortAsKustomize sorts objects in the order that `kustomize build` has by default (api/internal/builtins/SortOrderTransformer.go, which
// has the order forever). No two objects have the same ID.
func sortAsKustomize(objects []*resource.Resource) {
	keys := make(map[*resource.Resource]sortKey, len(objects))
	for _, o := range objects {
		keys[o] = keyOf(o.CurId())
	}
	slices.SortFunc(objects, func(a, b *resource.Resource) int { return keys[a].compare(keys[b]) })
}

// sortKey is what decides about the place of an object.
type sortKey struct {
	rank     int
	core     bool // a Namespace of the core group, which is after those of others
	gvk, id  string
	original resid.Gvk
}

var (
	firstKinds = []string{
		"Namespace", "ResourceQuota", "StorageClass", "CustomResourceDefinition", "ServiceAccount", "PodSecurityPolicy", "Role", "ClusterRole",
		"RoleBinding", "ClusterRoleBinding", "ConfigMap", "Secret", "Endpoints", "Service", "LimitRange", "PriorityClass", "PersistentVolume",
		"PersistentVolumeClaim", "Deployment", "StatefulSet", "CronJob", "PodDisruptionBudget",
	}
	lastKinds = []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
)

func keyOf(id resid.ResId) sortKey {
	k := sortKey{original: id.Gvk}
	if i := slices.Index(firstKinds, id.Kind); i >= 0 {
		k.rank = i - len(firstKinds)
	} else if i := slices.Index(lastKinds, id.Kind); i >= 0 {
		k.rank = i + 1
	}
	k.gvk = strings.Join([]string{cmp.Or(id.Group, "~G"), cmp.Or(id.Version, "~V"), cmp.Or(id.Kind, "~K")}, "_")
	k.id = strings.Join([]string{id.Gvk.String(), cmp.Or(id.Namespace, "~X"), cmp.Or(id.Name, "~N")}, "|")
	k.core = id.Kind == "Namespace" && id.Group == ""
	return k
}

func (a sortKey) compare(b sortKey) int {
	switch {
	case a.original.Equals(b.original):
		return cmp.Compare(a.id, b.id)
	case a.rank != b.rank:
		return cmp.Compare(a.rank, b.rank)
	case a.original.Kind == "Namespace" && (a.core || b.core):
		return cmp.Compare(b.gvk, a.gvk)
	}
	return cmp.Compare(a.gvk, b.gvk)
}
