package objects

import (
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// permissionLabels are the prefixes of labels that change permissions: they add the rules of a ClusterRole to a default role, and choose
// the level of Pod Security for a namespace.
var permissionLabels = []string{"rbac.authorization.k8s.io/", "pod-security.kubernetes.io/"}

// LabelsPermissions reports whether the kustomizations of a unit add labels that can change permissions: those with a meaning for the
// API server, or any label where the unit has a ClusterRole that selects others by their labels.
func (u *Unit) LabelsPermissions() bool {
	var keys []string
	for _, k := range u.Kustomizations {
		keys = append(keys, k.labels()...)
	}
	if slices.ContainsFunc(keys, labelsPermissions) {
		return true
	}
	return len(keys) > 0 && slices.ContainsFunc(u.Objects, func(o *Object) bool {
		return o.Kind == "ClusterRole" && o.Node.Get("aggregationRule") != nil
	})
}

func labelsPermissions(key string) bool {
	return slices.ContainsFunc(permissionLabels, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// labels returns the keys of the labels that the kustomization adds to all objects.
func (k *Kustomization) labels() []string {
	keys := mappingKeys(anyCase(k.Doc.Root, "commonLabels"))
	for _, item := range Items(anyCase(k.Doc.Root, "labels")) {
		keys = append(keys, mappingKeys(anyCase(item, "pairs"))...)
	}
	return keys
}

func mappingKeys(n *manifest.Node) []string {
	if n == nil {
		return nil
	}
	fields, _ := n.Decode().(map[string]any)
	return slices.Sorted(maps.Keys(fields))
}

// GeneratesPermissions reports whether a kustomization of a unit generates a ConfigMap that maps users of AWS or sets the impersonation of
// Argo CD, or a Secret with a token of an account.
func (u *Unit) GeneratesPermissions() bool {
	return slices.ContainsFunc(u.Kustomizations, func(k *Kustomization) bool {
		return slices.ContainsFunc(Items(anyCase(k.Doc.Root, "configMapGenerator")), func(item *manifest.Node) bool {
			return slices.Contains([]string{"aws-auth", "argocd-cm"}, anyCase(item, "name").String())
		}) || slices.ContainsFunc(Items(anyCase(k.Doc.Root, "secretGenerator")), func(item *manifest.Node) bool {
			return anyCase(item, "type").String() == "kubernetes.io/service-account-token"
		})
	})
}
