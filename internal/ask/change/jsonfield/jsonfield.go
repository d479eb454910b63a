// Package jsonfield reads fields of objects of any kind.
package jsonfield

import "github.com/salint/salint/internal/kube/objects"

// Content returns an object without its descriptive fields.
func Content(o *objects.Object) map[string]any {
	out := map[string]any{}
	for key, value := range o.JSON() {
		if key != "metadata" && key != "status" && key != "apiVersion" {
			out[key] = value
		}
	}
	return out
}

// At returns a field of an object, as JSON has it; nil if there is none.
func At(o *objects.Object, path ...string) any {
	var value any = o.JSON()
	for _, key := range path {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	return value
}

// List returns the items of a list, none of another value.
func List(value any) []any {
	items, _ := value.([]any)
	return items
}

// Text returns a text, "" for another value.
func Text(value any) string {
	s, _ := value.(string)
	return s
}
