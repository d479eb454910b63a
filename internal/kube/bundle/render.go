package bundle

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/salint/salint/internal/kube/rendered"
)

// Options are what a ClusterExtension and its cluster add to a bundle.
type Options struct {
	// Namespace is where the operator is installed: spec.namespace.
	Namespace string
	// WatchNamespaces is what spec.config.inline.watchNamespace asks for. Without, operator-controller decides. The rest of
	// that configuration, deploymentConfig, changes pods and no permissions; it is not taken into account.
	WatchNamespaces []string
	// Package names the package of a bundle that does not name it itself.
	Package string
	// ServiceCA takes OpenShift's service CA for the certificates of webhooks instead of cert-manager.
	ServiceCA bool
}

// Render returns the objects that operator-controller would apply, in its order: accounts, roles and bindings of the operator,
// definitions, other manifests, deployments, webhooks with their services and certificates. Objects of cluster-scoped
// kinds have no namespace. Origins point to the part of the ClusterServiceVersion that an object comes from, or to its
// manifest.
//
// The error is an [*UnsupportedError] with operator-controller's reason when it would refuse the bundle, or the namespaces.
//
// Source: operator-controller v1.11.0, rukpak/render; v1.9.0 differs in one annotation of pods.
func (b *Bundle) Render(o Options) ([]rendered.Object, error) {
	watched, reasons := b.judge(o)
	if len(reasons) > 0 {
		return nil, unsupported(b.Origin, reasons...)
	}
	g := &generator{Bundle: b, namespace: o.Namespace, watched: watched, serviceCA: o.ServiceCA}
	for _, generate := range []func(*generator) error{
		(*generator).accounts,
		(*generator).namespacedPermissions,
		(*generator).clusterPermissions,
		(*generator).definitions,
		(*generator).manifests,
		(*generator).deploymentObjects,
		(*generator).validatingWebhooks,
		(*generator).mutatingWebhooks,
		(*generator).services,
		(*generator).certificates,
	} {
		if err := generate(g); err != nil {
			return nil, err
		}
	}
	return g.objects, nil
}

// judge decides on the namespaces to watch, or gives the reasons for which operator-controller refuses the bundle, in the
// order in which it would: what keeps a bundle from being chosen out of a catalog, what is not supported at all, the
// configuration, the validators.
func (b *Bundle) judge(o Options) (watched, reasons []string) {
	if reasons := b.checkSupport(); len(reasons) > 0 {
		return nil, reasons
	}
	modes := modesOf(b.CSV)
	watched, err := modes.watchNamespaces(o.Namespace, o.WatchNamespaces)
	if err != nil {
		return nil, []string{err.Error()}
	}
	if reasons := b.validate(cmp.Or(b.Package, o.Package)); len(reasons) > 0 {
		return nil, reasons
	}
	if err := modes.checkSeveral(o.Namespace, watched); err != nil {
		return nil, []string{err.Error()}
	}
	return watched, nil
}

// generator collects the objects of one rendering.
type generator struct {
	*Bundle
	namespace string
	watched   []string
	serviceCA bool
	objects   []rendered.Object
}

// watchesAll reports whether the operator watches all namespaces, for then its permissions are granted in all of them.
func (g *generator) watchesAll() bool { return slices.Equal(g.watched, []string{allNamespaces}) }

// add takes an object of an API type.
func (g *generator) add(at rendered.Origin, object any) error {
	json, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return errorAt(at, "%w", err)
	}
	trim(json)
	g.objects = append(g.objects, rendered.Object{Origin: at, JSON: json})
	return nil
}

// trim removes what the API types write though nobody set it.
func trim(object map[string]any) {
	delete(object, "status")
	removeNullTimestamp(object)
	template, _ := specOf(object)["template"].(map[string]any)
	removeNullTimestamp(template)
}

func removeNullTimestamp(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	if value, there := metadata["creationTimestamp"]; there && value == nil {
		delete(metadata, "creationTimestamp")
	}
}

// manifests are the other manifests of the bundle: those of namespaced kinds move to the install namespace.
func (g *generator) manifests() error {
	for _, o := range g.others {
		object := runtime.DeepCopyJSON(o.JSON)
		switch _, namespaced := supportedKinds(o.Kind()); {
		case namespaced:
			setNamespace(object, g.namespace)
		case o.Kind() != kindVPA:
			dropNamespace(object)
		}
		g.objects = append(g.objects, rendered.Object{Origin: o.Origin, JSON: object})
	}
	return nil
}

// metadataOf returns the metadata of an object, which gets some if it has none.
func metadataOf(object map[string]any) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	return metadata
}

// specOf returns the spec of an object to read, which may be nil.
func specOf(object map[string]any) map[string]any {
	spec, _ := object["spec"].(map[string]any)
	return spec
}

// setNamespace leaves an explicit null in the place of metadata alone, as operator-controller does.
func setNamespace(object map[string]any, namespace string) {
	if metadata, there := object["metadata"]; there && metadata == nil {
		return
	}
	metadataOf(object)["namespace"] = namespace
}

func dropNamespace(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	delete(metadata, "namespace")
}

// annotate adds an annotation to an object.
func annotate(object map[string]any, key, value string) {
	metadata := metadataOf(object)
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	annotations[key] = value
}
