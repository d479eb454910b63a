package gitops

import (
	"maps"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Place is where in an object something stands, or would stand.
type Place struct {
	Object *objects.Object
	Path   manifest.Path
}

// Position is the line the user wrote, or that of the nearest ancestor that is there.
func (p Place) Position() objects.Position {
	if p.Object == nil {
		return objects.Position{}
	}
	return p.Object.Position(p.Path)
}

// Field is a value and its place. A field that nobody wrote has the zero value, and the place where it would stand.
type Field[T any] struct {
	Value T
	Place Place
}

// Entry is a key with its value, as in labels.
type Entry struct {
	Key   string
	Value Field[string]
}

// Reason is something that was not looked at, where, and why. Messages are whole sentences without a full stop.
type Reason struct {
	Place   Place
	Message string
}

// view is a value inside an object, or inside what a template made of one, that knows where the user wrote it.
type view struct {
	value any
	path  manifest.Path
	place func(manifest.Path) Place
}

// viewOf is a whole object as it stands.
func viewOf(o *objects.Object) view {
	return view{value: o.JSON(), place: func(path manifest.Path) Place { return Place{o, path} }}
}

// at is the place of the value; of no view it is none.
func (v view) at() Place {
	if v.place == nil {
		return Place{}
	}
	return v.place(v.path)
}

// get is the value at a path of keys. One that is not there has the value nil.
func (v view) get(keys ...string) view {
	for _, key := range keys {
		fields, _ := v.value.(map[string]any)
		v = view{fields[key], v.path.Join(key), v.place}
	}
	return v
}

func (v view) there() bool { return v.value != nil }

// items are those of a list; none for anything else.
func (v view) items() []view {
	list, _ := v.value.([]any)
	items := make([]view, len(list))
	for i, item := range list {
		items[i] = view{item, v.path.Join(strconv.Itoa(i)), v.place}
	}
	return items
}

// text is a text; "" for anything else, which the API server would refuse.
func (v view) text() Field[string] {
	text, _ := v.value.(string)
	return Field[string]{text, v.at()}
}

func (v view) string() string { return v.text().Value }

func (v view) bool() Field[bool] {
	value, _ := v.value.(bool)
	return Field[bool]{value, v.at()}
}

// texts are the texts of a list.
func (v view) texts() []Field[string] {
	var texts []Field[string]
	for _, item := range v.items() {
		if text := item.text(); text.Value != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// entries are the texts of a mapping, sorted by key.
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

// annotation gives an annotation of the object that the view is of.
func (v view) annotation(key string) Field[string] {
	return v.get("metadata", "annotations", key).text()
}
