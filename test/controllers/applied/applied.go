// Package applied holds what an application applies, in the form in which both sides are compared.
package applied

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Result is what one application applies, or the error that stops the controller.
type Result struct {
	// Cluster is the folder of the cluster. salint's results have none.
	Cluster string
	Objects []*unstructured.Unstructured
	Err     error
}

// World is the results of each application, as in "Kustomization flux-system/apps": one for each cluster that has it.
type World map[string][]Result

// Names returns the sorted keys.
func (w World) Names() []string { return slices.Sorted(maps.Keys(w)) }

// Drop removes the objects of a kind.
func (w World) Drop(kind string) {
	for _, results := range w {
		for i, r := range results {
			results[i].Objects = slices.DeleteFunc(slices.Clone(r.Objects), func(o *unstructured.Unstructured) bool { return o.GetKind() == kind })
		}
	}
}

// Key identifies an object on a cluster. The version of its API is no part of it.
func Key(o *unstructured.Unstructured) string {
	return fmt.Sprintf("%s %s/%s", o.GroupVersionKind().GroupKind(), o.GetNamespace(), o.GetName())
}

// clusterScoped are the kinds without a namespace that the repositories contain.
var clusterScoped = map[string]bool{
	"Namespace": true, "ClusterRole": true, "ClusterRoleBinding": true, "CustomResourceDefinition": true,
	"ClusterExtension": true, "ClusterCatalog": true,
}

// ClusterScoped reports whether the object belongs to no namespace.
func ClusterScoped(o *unstructured.Unstructured) bool { return clusterScoped[o.GetKind()] }

// InNamespace gives each namespaced object without a namespace the default one, and removes that of cluster-scoped objects.
func InNamespace(objects []*unstructured.Unstructured, namespace string) {
	for _, o := range objects {
		switch {
		case ClusterScoped(o):
			o.SetNamespace("")
		case o.GetNamespace() == "":
			o.SetNamespace(namespace)
		}
	}
}

// Last keeps the last of the objects with the same key, and sorts them by key.
func Last(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	byKey := map[string]*unstructured.Unstructured{}
	for _, o := range objects {
		byKey[Key(o)] = o
	}
	return slices.SortedFunc(maps.Values(byKey), func(a, b *unstructured.Unstructured) int { return cmp.Compare(Key(a), Key(b)) })
}
