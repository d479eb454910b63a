package rendered

import "strings"

// Object is an object as it would be applied, with its origin.
type Object struct {
	Origin Origin
	// JSON is the object as encoding/json decodes it; whole numbers are int64, others float64.
	JSON map[string]any
}

// Origin is the origin of an object, as far as it is known. Paths are relative to the root of the tree that was read, with
// slashes.
type Origin struct {
	// File is the user's file that contains the object, or the template, patch, or CSV that generated it.
	File string
	// Line is 1-based; 0 if it is unknown.
	Line int
	// Kustomization is the folder whose build yielded the object, Chart the folder or archive of the chart, and Template
	// the template within the tree; "" if there is none.
	Kustomization, Chart, Template string
	// Generated is set if a generator of the kustomization in File made the object.
	Generated bool
	// Namespace and Name are those that the chart renders, before a kustomization changes them; "" for objects of no chart.
	Namespace, Name string
	// Made is further information of the package that rendered the object; nil if there is none.
	Made any
}

// Group is the API group, "" for the core group.
func (o Object) Group() string {
	group, _, found := strings.Cut(o.text("apiVersion"), "/")
	if !found {
		return ""
	}
	return group
}

// Version is the API version without its group: v1.
func (o Object) Version() string {
	group, version, found := strings.Cut(o.text("apiVersion"), "/")
	if !found {
		return group
	}
	return version
}

// Kind is the object's kind; "" if it is not a string.
func (o Object) Kind() string { return o.text("kind") }

// Namespace is metadata.namespace; "" when it is missing.
func (o Object) Namespace() string { return o.metadata("namespace") }

// Name is metadata.name; "" when it is missing.
func (o Object) Name() string { return o.metadata("name") }

// Annotation returns an annotation, or "".
func (o Object) Annotation(key string) string {
	metadata, _ := o.JSON["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	value, _ := annotations[key].(string)
	return value
}

func (o Object) text(key string) string {
	value, _ := o.JSON[key].(string)
	return value
}

func (o Object) metadata(key string) string {
	metadata, _ := o.JSON["metadata"].(map[string]any)
	value, _ := metadata[key].(string)
	return value
}
