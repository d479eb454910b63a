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

// AddedKind returns the kind of the objects that a field of a kustomization generates, or "" for a field that only changes labels,
// annotations, images and replicas. Other fields do not only add.
func AddedKind(field string) (kind string, adds bool) {
	return generatedKinds[field], slices.Contains(metadataFields, field)
}

// generatedKinds are the kinds of the objects that fields of a kustomization generate.
var generatedKinds = map[string]string{"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}

// Generated returns the kinds of the objects that a kustomization generates, by field.
func Generated(kustomization *manifest.Document) map[string]string {
	kinds := map[string]string{}
	for field, kind := range generatedKinds {
		if !IsEmpty(anyCase(kustomization.Root, field)) {
			kinds[field] = kind
		}
	}
	return kinds
}

// generates reports whether the kustomization generates an object of a kind, or any if it is "".
func (k *Kustomization) generates(kind string) bool {
	for _, generated := range Generated(k.Doc) {
		if kind == "" || kind == generated {
			return true
		}
	}
	return false
}

// AddedTexts returns what a kustomization adds to all objects: labels, annotations and images, as they are written.
func AddedTexts(kustomization *manifest.Document) [][]byte {
	var texts [][]byte
	for _, field := range []string{"commonLabels", "labels", "commonAnnotations", "images", "imageTags"} {
		if added := anyCase(kustomization.Root, field); added != nil {
			span := added.Span()
			texts = append(texts, kustomization.File.Data[span.Start:span.End])
		}
	}
	return texts
}
