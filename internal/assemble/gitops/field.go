package gitops

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

// Reason is something that was not read, with location and cause. Messages are sentences without a full stop.
type Reason struct {
	Location Location
	Message  string
	// Values is set if values of a chart are unknown, so that the chart may render other objects.
	Values bool
}

// view is a value in an object, or in what a template generated, that can be traced to the user's file.
type view struct {
	value  any
	path   manifest.Path
	locate func(manifest.Path) Location
}

// viewOf returns the view of a whole object.
func viewOf(o *objects.Object) view {
	return view{value: o.JSON(), locate: func(path manifest.Path) Location { return Location{o, path} }}
}

// at returns the location of the value; it is zero for the zero view.
func (v view) at() Location {
	if v.locate == nil {
		return Location{}
	}
	return v.locate(v.path)
}

// get returns the value at a path of keys. Its value is nil if there is none.
func (v view) get(keys ...string) view {
	for _, key := range keys {
		fields, _ := v.value.(map[string]any)
		v = view{fields[key], v.path.Join(key), v.locate}
	}
	return v
}

func (v view) there() bool { return v.value != nil }

// items returns the items of a list; nil for all other values.
func (v view) items() []view {
	list, _ := v.value.([]any)
	items := make([]view, len(list))
	for i, item := range list {
		items[i] = view{item, v.path.Join(strconv.Itoa(i)), v.locate}
	}
	return items
}

// text returns a string; "" for all other values, which the API server would reject.
func (v view) text() Field[string] {
	text, _ := v.value.(string)
	return Field[string]{text, v.at()}
}

func (v view) string() string { return v.text().Value }

func (v view) bool() Field[bool] {
	value, _ := v.value.(bool)
	return Field[bool]{value, v.at()}
}

// texts returns the strings of a list.
func (v view) texts() []Field[string] {
	var texts []Field[string]
	for _, item := range v.items() {
		if text := item.text(); text.Value != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// entries returns the string entries of a mapping, sorted by key.
func (v view) entries() []Entry {
	fields, _ := v.value.(map[string]any)
	var entries []Entry
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if value, isText := fields[key].(string); isText {
			entries = append(entries, Entry{key, Field[string]{value, v.get(key).at()}})
		}
	}
	return entries
}

// annotation returns an annotation of the view's object.
func (v view) annotation(key string) Field[string] {
	return v.get("metadata", "annotations", key).text()
}
