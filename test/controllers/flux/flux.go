// Package flux computes what Flux applies, with the packages that kustomize-controller and helm-controller are made of. What the
// controllers do between the calls is in their internal packages; it is written here again, in the same order.
package flux

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/kustomize"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/salint/salint/test/controllers/applied"
)

// building is held while kustomize builds, which is not safe for concurrent use.
var building sync.Mutex

// Applied returns what Flux applies to each cluster of the repository in dir. A cluster is a folder that `flux bootstrap` made:
// clusters/NAME/flux-system/gotk-sync.yaml defines what is applied first.
func Applied(dir string) (applied.World, error) {
	building.Lock()
	defer building.Unlock()
	files, err := filepath.Glob(filepath.Join(dir, "clusters", "*", "flux-system", "gotk-sync.yaml"))
	if err != nil {
		return nil, err
	}
	from := newCheckout(dir)
	defer from.remove()
	world := applied.World{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		first, err := decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		folder, err := filepath.Rel(dir, filepath.Dir(filepath.Dir(file)))
		if err != nil {
			return nil, err
		}
		results, err := reconcile(from, first)
		if err != nil {
			return nil, err
		}
		for application, result := range results {
			result.Cluster = filepath.ToSlash(folder)
			world[application] = append(world[application], result)
		}
	}
	return world, nil
}

// rounds is more than the length of any chain of applications that apply each other.
const rounds = 8

// reconcile lets all applications apply their objects until nothing changes.
func reconcile(from *checkout, first []*unstructured.Unstructured) (map[string]applied.Result, error) {
	state := cluster{}
	state.add(first)
	for range rounds {
		results := state.applications(from)
		next := cluster{}
		next.add(first)
		for _, application := range slices.Sorted(maps.Keys(results)) { // of two that apply the same object, the last one wins in each round
			next.add(results[application].Objects)
		}
		if next.equal(state) {
			return results, nil
		}
		state = next
	}
	return nil, errors.New("the applications do not come to rest")
}

// cluster is the objects on a cluster, by applied.Key.
type cluster map[string]*unstructured.Unstructured

func (c cluster) add(objects []*unstructured.Unstructured) {
	for _, o := range objects {
		c[applied.Key(o)] = o
	}
}

func (c cluster) equal(other cluster) bool {
	a, _ := json.Marshal(c)
	b, _ := json.Marshal(other)
	return bytes.Equal(a, b)
}

// applications returns what each Kustomization and HelmRelease of the cluster applies.
func (c cluster) applications(from *checkout) map[string]applied.Result {
	results := map[string]applied.Result{}
	for _, o := range c {
		var objects []*unstructured.Unstructured
		var err error
		switch o.GroupVersionKind().GroupKind() {
		case schema.GroupKind{Group: kustomizev1.GroupVersion.Group, Kind: kustomizev1.KustomizationKind}:
			objects, err = c.kustomization(from, o)
		case schema.GroupKind{Group: helmv2.GroupVersion.Group, Kind: helmv2.HelmReleaseKind}:
			objects, err = c.helmRelease(from, o)
		default:
			continue
		}
		results[o.GetKind()+" "+o.GetNamespace()+"/"+o.GetName()] = applied.Result{Objects: applied.Last(objects), Err: err}
	}
	return results
}

// kustomization does what kustomize-controller does with a Kustomization, up to the request to the API server.
func (c cluster) kustomization(from *checkout, o *unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	k := &kustomizev1.Kustomization{}
	if err := convert(o, k); err != nil {
		return nil, err
	}
	if k.Spec.Suspend {
		return nil, errors.New("suspended")
	}
	namespace := k.Spec.SourceRef.Namespace
	if namespace == "" {
		namespace = k.Namespace
	}
	root, err := c.artifact(from, k.Spec.SourceRef.Kind, namespace, k.Spec.SourceRef.Name)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(root, filepath.Join("/", k.Spec.Path))
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("kustomization path not found: %w", err)
	}
	// The controller hands over what it decoded, with the defaults of the type.
	typed := &unstructured.Unstructured{}
	if err := convert(k, typed); err != nil {
		return nil, err
	}
	typed.SetAPIVersion(o.GetAPIVersion())
	typed.SetKind(o.GetKind())
	action, err := kustomize.NewGenerator(root, *typed).WriteFile(path, kustomize.WithSaveOriginalKustomization())
	if err != nil {
		return nil, err
	}
	resources, err := kustomize.SecureBuild(root, path, false)
	if cleaned := kustomize.CleanDirectory(path, action); cleaned != nil { // others build from the same folder
		return nil, cleaned
	}
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	for _, resource := range resources.Resources() {
		if resource.GetName() == "" || resource.GetKind() == "" || resource.GetApiVersion() == "" {
			return nil, fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", resource.String())
		}
		if k.Spec.PostBuild == nil {
			continue
		}
		always := k.GetSubstituteStrategy() == kustomizev1.SubstituteStrategyAlways
		substituted, err := kustomize.SubstituteVariables(context.Background(), reader{objects: c}, *typed, resource, kustomize.SubstituteWithAlways(always))
		if err != nil {
			return nil, fmt.Errorf("post build failed for %s/%s: %w", resource.GetKind(), resource.GetName(), err)
		}
		if substituted == nil {
			continue
		}
		if _, err := resources.Replace(resource); err != nil {
			return nil, err
		}
	}
	data, err := resources.AsYaml()
	if err != nil {
		return nil, err
	}
	objects, err := decode(data)
	if err != nil {
		return nil, err
	}
	if metadata := k.Spec.CommonMetadata; metadata != nil {
		setMetadata(objects, metadata.Labels, metadata.Annotations)
	}
	applied.InNamespace(objects, "") // the API server drops that of a cluster-scoped object
	return slices.DeleteFunc(objects, disabled), nil
}

// disabled reports whether kustomize-controller leaves the object out.
func disabled(o *unstructured.Unstructured) bool {
	group := kustomizev1.GroupVersion.Group
	for _, m := range []map[string]string{o.GetLabels(), o.GetAnnotations()} {
		if strings.EqualFold(m[group+"/reconcile"], kustomizev1.DisabledValue) || strings.EqualFold(m[group+"/ssa"], kustomizev1.IgnoreValue) {
			return true
		}
	}
	return false
}

func setMetadata(objects []*unstructured.Unstructured, labels, annotations map[string]string) {
	for _, o := range objects {
		o.SetLabels(with(o.GetLabels(), labels))
		o.SetAnnotations(with(o.GetAnnotations(), annotations))
	}
}

func with(m, more map[string]string) map[string]string {
	if m == nil && len(more) > 0 {
		m = map[string]string{}
	}
	for k, v := range more {
		m[k] = v
	}
	return m
}

// artifact returns the folder with what source-controller packs for the GitRepository.
func (c cluster) artifact(from *checkout, kind, namespace, name string) (root string, err error) {
	o, ok := c[fmt.Sprintf("%s.%s %s/%s", sourcev1.GitRepositoryKind, sourcev1.GroupVersion.Group, namespace, name)]
	if kind != sourcev1.GitRepositoryKind || !ok {
		return "", fmt.Errorf("no source %s %s/%s", kind, namespace, name)
	}
	source := &sourcev1.GitRepository{}
	if err := convert(o, source); err != nil {
		return "", err
	}
	return from.artifact(source.Spec.Ignore, source.Spec.SparseCheckout)
}

// reader answers the requests of the controllers' packages for single objects.
type reader struct {
	client.Client
	objects cluster
}

// Get decodes the object into the given one.
func (r reader) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	kind := "ConfigMap"
	if _, ok := into.(*corev1.Secret); ok {
		kind = "Secret"
	}
	o, ok := r.objects[fmt.Sprintf("%s %s/%s", kind, key.Namespace, key.Name)]
	if !ok {
		return apierrors.NewNotFound(schema.GroupResource{Resource: strings.ToLower(kind) + "s"}, key.Name)
	}
	return convert(o, into)
}

func convert(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// decode reads all objects of a YAML stream.
func decode(data []byte) ([]*unstructured.Unstructured, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	var objects []*unstructured.Unstructured
	for {
		o := &unstructured.Unstructured{}
		switch err := decoder.Decode(&o.Object); {
		case errors.Is(err, io.EOF):
			return objects, nil
		case err != nil:
			return nil, err
		case len(o.Object) > 0:
			objects = append(objects, o)
		}
	}
}
