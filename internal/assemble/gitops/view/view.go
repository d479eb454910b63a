package view

import (
	"maps"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Location is a field of an object, whether it is set or not.
type Location struct {
	Object *objects.Object
	Path   manifest.Path
}

// Position returns the position of the field in the user's file, or that of its nearest existing ancestor.
func (p Location) Position() objects.Position {
	if p.Object == nil {
		return objects.Position{}
	}
	return p.Object.Position(p.Path)
}

// Field is a value with its location. An unset field has the zero value, and the location at which it would be set.
type Field[T any] struct {
	Value    T
	Location Location
}

// Entry is a key with its value, as in labels.
type Entry struct {
	Key   string
	Value Field[string]
}

// View is a value in an object, or in what a template generated, that can be traced to the user's file.
type View struct {
	// Value is nil if there is none.
	Value any
	Path  manifest.Path
	// Locate returns the place of a path in the user's file.
	Locate func(manifest.Path) Location
}

// Of returns the view of a whole object.
func Of(o *objects.Object) View {
	return View{Value: o.JSON(), Locate: func(path manifest.Path) Location { return Location{o, path} }}
}

// At returns the location of the value; it is zero for the zero view.
func (v View) At() Location {
	if v.Locate == nil {
		return Location{}
	}
	return v.Locate(v.Path)
}

// Get returns the value at a path of keys. Its value is nil if there is none.
func (v View) Get(keys ...string) View {
	for _, key := range keys {
		fields, _ := v.Value.(map[string]any)
		v = View{fields[key], v.Path.Join(key), v.Locate}
	}
	return v
}

// There reports whether there is a value.
func (v View) There() bool { return v.Value != nil }

// Items returns the items of a list; nil for all other values.
func (v View) Items() []View {
	list, _ := v.Value.([]any)
	items := make([]View, len(list))
	for i, item := range list {
		items[i] = View{item, v.Path.Join(strconv.Itoa(i)), v.Locate}
	}
	return items
}

// Text returns a string; "" for all other values, which the API server would reject.
func (v View) Text() Field[string] {
	text, _ := v.Value.(string)
	return Field[string]{text, v.At()}
}

// String returns what Text returns, without the location.
func (v View) String() string { return v.Text().Value }

// Bool returns a boolean; false for all other values.
func (v View) Bool() Field[bool] {
	value, _ := v.Value.(bool)
	return Field[bool]{value, v.At()}
}

// Texts returns the strings of a list.
func (v View) Texts() []Field[string] {
	var texts []Field[string]
	for _, item := range v.Items() {
		if text := item.Text(); text.Value != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// Entries returns the string entries of a mapping, sorted by key.
func (v View) Entries() []Entry {
	fields, _ := v.Value.(map[string]any)
	var entries []Entry
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if value, isText := fields[key].(string); isText {
			entries = append(entries, Entry{key, Field[string]{value, v.Get(key).At()}})
		}
	}
	return entries
}

// Annotation returns an annotation of the view's object.
func (v View) Annotation(key string) Field[string] {
	return v.Get("metadata", "annotations", key).Text()
}
