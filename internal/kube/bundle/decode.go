package bundle

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/salint/salint/internal/kube/rendered"
)

// decodeFile reads the objects of a file as operator-controller does, with the behavior of kubectl's reader: documents of
// YAML or JSON, lists split into their items, empty documents left out.
//
// Source: k8s.io/cli-runtime/pkg/resource (StreamVisitor, FlattenListVisitor) and
// k8s.io/apimachinery/pkg/apis/meta/v1/unstructured (UnstructuredJSONScheme).
func decodeFile(file string, data []byte) ([]rendered.Object, error) {
	documents, err := split(file, data)
	if err != nil {
		return nil, err
	}
	var objects []rendered.Object
	for _, d := range documents {
		var value any
		if err := utiljson.Unmarshal(d.json, &value); err != nil {
			return nil, errorAt(d.at, "%w", err)
		}
		if objects, err = flatten(objects, d.at, value, maxListDepth); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// maxListDepth limits nested lists.
const maxListDepth = 8

// flatten splits lists. An object with items is a list, whatever its kind.
func flatten(objects []rendered.Object, at rendered.Origin, value any, depth int) ([]rendered.Object, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errorAt(at, "not a Kubernetes object: apiVersion and kind are missing")
	}
	if err := checkType(at, object); err != nil {
		return nil, err
	}
	items, isList := object["items"]
	if !isList {
		return append(objects, rendered.Object{Origin: at, JSON: object}), nil
	}
	list, ok := items.([]any)
	if !ok && items != nil {
		return nil, errorAt(at, "items of a list must be a list")
	}
	if depth == 0 {
		return nil, errorAt(at, "lists nested more than %d deep", maxListDepth)
	}
	var err error
	for _, item := range list {
		if err := inheritType(at, object, item); err != nil {
			return nil, err
		}
		if objects, err = flatten(objects, at, item, depth-1); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// inheritType sets the type of an item of a typed list (RoleList), which need not set its own.
func inheritType(at rendered.Origin, list map[string]any, item any) error {
	object, ok := item.(map[string]any)
	if !ok {
		return nil // reported when the item is read
	}
	if text(object, "kind") == "" && text(object, "apiVersion") == "" {
		object["apiVersion"] = text(list, "apiVersion")
		object["kind"] = strings.TrimSuffix(text(list, "kind"), "List")
	}
	if text(object, "apiVersion") == "" {
		return errorAt(at, "Object 'apiVersion' is missing in an item of a list")
	}
	return nil
}

func checkType(at rendered.Origin, object map[string]any) error {
	if text(object, "kind") == "" {
		return errorAt(at, "Object 'Kind' is missing; a bundle contains only Kubernetes objects")
	}
	if depth := nesting(object); depth > maxDepth {
		return errorAt(at, "nested %d levels deep, which is too deep for a manifest", depth)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, &metav1.PartialObjectMetadata{}); err != nil {
		return errorAt(at, "apiVersion, kind, or metadata are not valid: %s", clip(err.Error()))
	}
	return nil
}

// maxDepth is several times what the deepest published definitions need.
const maxDepth = 500

func nesting(value any) int {
	deepest := 0
	switch v := value.(type) {
	case map[string]any:
		for _, field := range v {
			deepest = max(deepest, nesting(field))
		}
	case []any:
		for _, item := range v {
			deepest = max(deepest, nesting(item))
		}
	}
	return deepest + 1
}

func text(from map[string]any, key string) string {
	value, _ := from[key].(string)
	return value
}

// clip shortens long values in messages.
func clip(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:limit], ""), len(s))
}
