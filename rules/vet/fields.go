package vet

import (
	"slices"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/inputschema"
)

var inputSchema = sync.OnceValue(func() any { return inputschema.Without() })

// textFields are fields of the metadata of an object that are strings. The API server rejects any other value.
var textFields = []string{"name", "namespace", "generateName", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp"}

// typeOfField returns the type of a field of the input, or of an object, as ast.ValueName; "" if it is not known.
func typeOfField(ref ast.Ref) string {
	for i := 1; i < len(ref)-1; i++ {
		if constantStep(ref[i]) == "resource" {
			return typeInObject(ref[i+1:])
		}
	}
	if !ref[0].Equal(ast.InputRootDocument) {
		return ""
	}
	schema, problem := fieldOf(inputSchema(), ref[1:])
	if schema == nil || problem != "" {
		return ""
	}
	return typeOfSchema(schema)
}

// typeInObject returns the type of a field of every object.
func typeInObject(path ast.Ref) string {
	first, last := constantStep(path[0]), constantStep(path[len(path)-1])
	switch {
	case len(path) == 1 && (first == "kind" || first == "apiVersion"):
		return "string"
	case first != "metadata":
		return ""
	case len(path) == 2 && slices.Contains(textFields, last):
		return "string"
	case len(path) == 3 && (constantStep(path[1]) == "labels" || constantStep(path[1]) == "annotations"):
		return "string"
	}
	return ""
}

// fieldOf returns the schema at a path; nil if the schema leaves open what is there. The problem is a field that does not exist.
func fieldOf(schema any, path ast.Ref) (at map[string]any, problem string) {
	at, _ = schema.(map[string]any)
	for _, step := range path {
		name := constantStep(step)
		properties, lists := at["properties"].(map[string]any)
		switch items, isArray := at["items"].(map[string]any); {
		case isArray && name == "":
			at = items
		case !lists || name == "":
			return nil, ""
		default:
			property, known := properties[name].(map[string]any)
			if !known && at["additionalProperties"] == false {
				return nil, name
			}
			at = property
		}
	}
	return at, ""
}

// typeOfSchema returns the only type that a schema allows, as ast.ValueName; "" if there are several.
func typeOfSchema(schema map[string]any) string {
	name, _ := schema["type"].(string)
	if name == "integer" {
		return "number"
	}
	return name
}
