package rbac

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/kube/objects"
)

// RefOf returns the reference to a role; ok is false for other objects.
func RefOf(o *objects.Object) (ref RoleRef, ok bool) {
	if o.Group != Group || o.Name == "" || o.Kind != kindRole && o.Kind != kindClusterRole {
		return RoleRef{}, false
	}
	ref = RoleRef{Kind: o.Kind, Name: o.Name}
	if o.Kind == kindRole {
		ref.Namespace = o.Namespace
	}
	return ref, true
}

// Selectors returns the selectors of the ClusterRoles from which a role takes its rules; none for a role that takes no rules, or that the API
// server refuses.
func Selectors(role *objects.Object) []labels.Selector { return readRole(role).selectors }

// Labels returns the labels of an object that are strings.
func Labels(o *objects.Object) map[string]string { return stringsIn(o, "labels") }

// BindingsBy returns the bindings that an object of a unit makes, one for each subject; none for other objects.
func BindingsBy(u *objects.Unit, o *objects.Object) []Binding {
	x := indexOf(u)
	var found []Binding
	for _, place := range x.byObject()[o] {
		found = append(found, x.bindings[place])
	}
	return found
}
