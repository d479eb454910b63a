package bundle

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/rendered"
)

// Options are the inputs from a ClusterExtension and its cluster.
type Options struct {
	// Namespace is the install namespace: spec.namespace.
	Namespace string
	// WatchNamespaces are the namespaces of spec.config.inline.watchNamespace. If it is empty, operator-controller decides.
	WatchNamespaces []string
	// Config is spec.config in JSON, nil if there is none. Only its deploymentConfig changes what is installed: pods, and no permissions; it
	// is checked, and not rendered.
	Config any
	// Package is the package of a bundle that does not set it.
	Package string
	// ServiceCA selects OpenShift's service CA for the certificates of webhooks instead of cert-manager.
	ServiceCA bool
	// Release is the release that installs the bundle.
	Release bundlesupport.Release
	// Anyway renders a bundle that the release does not install, too. OwnMode selects an install mode that the operator supports: that of
	// WatchNamespaces if it does, otherwise all namespaces, or the install namespace.
	Anyway, OwnMode bool
}

// Render returns the objects that operator-controller would apply, in its order: accounts, roles, and bindings of the
// operator, definitions, other manifests, deployments, webhooks with their services and certificates. Objects of
// cluster-scoped kinds have no namespace. Origins are positions of the parts of the ClusterServiceVersion that yield the
// objects, or of their manifests.
//
// The error is an [*UnsupportedError] with operator-controller's reason if the release does not install the bundle with these namespaces,
// whatever its feature gates.
//
// Source: operator-controller v1.11.0, rukpak/render; v1.9.0 differs in one annotation of pods.
func (b *Bundle) Render(o Options) ([]rendered.Object, error) {
	watched, obstacles := b.Judge(o)
	if err := Refusal(b.Origin, obstacles); err != nil && !o.Anyway {
		return nil, err
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

// Judge returns the namespaces that the operator watches ("" is all), and why the release refuses the bundle, in the order of operator-controller, which stops at the
// first step that refuses it: obstacles to selecting the bundle from a catalog, unsupported features, the configuration, the validators.
func (b *Bundle) Judge(o Options) (watched []string, all []bundlesupport.Obstacle) {
	watched, inWatch := b.watch(o)
	for _, step := range [][]bundlesupport.Obstacle{
		hard(b.checkSupport()...), b.checkWebhookSupport(o.Release), inWatch, b.validate(cmp.Or(b.Package, o.Package), o.Release),
		b.checkSeveral(o.Namespace, watched), hard(b.checkConverted()...),
	} {
		if all = append(all, step...); slices.ContainsFunc(step, isHard) {
			break
		}
	}
	return watched, all
}

// hard returns obstacles that no gate removes.
func hard(reasons ...string) []bundlesupport.Obstacle {
	var all []bundlesupport.Obstacle
	for _, reason := range reasons {
		all = append(all, bundlesupport.Obstacle{Reason: reason})
	}
	return all
}

func isHard(o bundlesupport.Obstacle) bool { return o.Hard() }

// generator collects the objects of one rendering.
type generator struct {
	*Bundle
	namespace string
	watched   []string
	serviceCA bool
	objects   []rendered.Object
}

// watchesAll reports whether the operator watches all namespaces: its permissions are then granted in all of them.
func (g *generator) watchesAll() bool { return slices.Equal(g.watched, []string{allNamespaces}) }

// add adds an object of an API type.
func (g *generator) add(at rendered.Origin, object any) error {
	json, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return errorAt(at, "%w", err)
	}
	trim(json)
	g.objects = append(g.objects, rendered.Object{Origin: at, JSON: json})
	return nil
}

// trim removes fields that the API types write although they are not set.
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

// manifests adds the other manifests of the bundle: those of namespaced kinds move to the install namespace.
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

// metadataOf returns the metadata of an object, and creates it if it is missing.
func metadataOf(object map[string]any) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	return metadata
}

// specOf returns the spec of an object for reading; it can be nil.
func specOf(object map[string]any) map[string]any {
	spec, _ := object["spec"].(map[string]any)
	return spec
}

// setNamespace keeps metadata that is explicitly null, as operator-controller does.
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
