package flux

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/salint/salint/test/controllers/applied"
)

// Kustomizations returns what Flux applies for each Kustomization among objects that are all on the cluster. Those without a namespace are bases, and
// those with variables of several ConfigMaps of one name are of several clusters: they are left out. What the repository in dir does not show is filled
// in: a source that is not among the objects is the repository, and a Secret has each variable with a reference to itself as the value, which is how
// salint leaves it.
func Kustomizations(dir string, objects []*unstructured.Unstructured) (applied.World, error) {
	building.Lock()
	defer building.Unlock()
	variables, err := variablesIn(dir)
	if err != nil {
		return nil, err
	}
	from := newCheckout(dir)
	defer from.remove()
	world := applied.World{}
	first := cluster{}
	reversed := slices.Clone(objects)
	slices.Reverse(reversed)
	first.add(reversed)
	differ := map[string]bool{}
	for _, o := range objects {
		key := applied.Key(o)
		differ[key] = differ[key] || !reflect.DeepEqual(o.Object, first[key].Object)
	}
	for _, o := range objects {
		if o.GroupVersionKind().Group != kustomizev1.GroupVersion.Group || o.GetKind() != kustomizev1.KustomizationKind || o.GetNamespace() == "" {
			continue
		}
		k := &kustomizev1.Kustomization{}
		if err := convert(o, k); err != nil {
			return nil, err
		}
		if k.Spec.PostBuild != nil && slices.ContainsFunc(k.Spec.PostBuild.SubstituteFrom, func(from kustomizev1.SubstituteReference) bool {
			return differ[fmt.Sprintf("%s %s/%s", from.Kind, k.Namespace, from.Name)]
		}) {
			continue
		}
		state := cluster{}
		state.add(slices.DeleteFunc(slices.Clone(objects), func(o *unstructured.Unstructured) bool { return o.GetKind() == "Secret" }))
		state.addSource(k)
		state.addSecrets(k, variables)
		built, err := state.kustomization(from, o)
		name := "Kustomization " + o.GetNamespace() + "/" + o.GetName()
		world[name] = append(world[name], applied.Result{Cluster: "the cluster", Objects: applied.Last(built), Err: err})
	}
	return world, nil
}

// addSource adds the source of a Kustomization if it is not known.
func (c cluster) addSource(k *kustomizev1.Kustomization) {
	source := &unstructured.Unstructured{}
	source.SetGroupVersionKind(sourcev1.GroupVersion.WithKind(sourcev1.GitRepositoryKind))
	source.SetName(k.Spec.SourceRef.Name)
	if source.SetNamespace(k.Spec.SourceRef.Namespace); source.GetNamespace() == "" {
		source.SetNamespace(k.Namespace)
	}
	if _, known := c[applied.Key(source)]; !known {
		c[applied.Key(source)] = source
	}
}

// addSecrets adds the Secrets of a Kustomization's variables, with the variables that no ConfigMap has.
func (c cluster) addSecrets(k *kustomizev1.Kustomization, variables []string) {
	if k.Spec.PostBuild == nil {
		return
	}
	known := map[string]bool{}
	for _, from := range k.Spec.PostBuild.SubstituteFrom {
		if o := c[fmt.Sprintf("ConfigMap %s/%s", k.Namespace, from.Name)]; o != nil && from.Kind == "ConfigMap" {
			data, _, _ := unstructured.NestedStringMap(o.Object, "data")
			for name := range data {
				known[name] = true
			}
		}
	}
	data := map[string]any{}
	for _, name := range variables {
		if !known[name] {
			data[name] = base64.StdEncoding.EncodeToString([]byte("${" + name + "}"))
		}
	}
	for _, from := range k.Spec.PostBuild.SubstituteFrom {
		if from.Kind == "Secret" {
			secret := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "data": data}}
			secret.SetName(from.Name)
			secret.SetNamespace(k.Namespace)
			c[applied.Key(secret)] = secret
		}
	}
}

var variable = regexp.MustCompile(`\$\{([_a-zA-Z][_a-zA-Z0-9]*)`)

// variablesIn returns the names of all variables in the files of a folder.
func variablesIn(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, found := range variable.FindAllSubmatch(data, -1) {
			names = append(names, string(found[1]))
		}
		return err
	})
	slices.Sort(names)
	return slices.Compact(names), err
}
