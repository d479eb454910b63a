package objects

import "slices"

// Query selects objects. All fields that are set must match; an empty query selects nothing.
type Query struct {
	// Group is the API group, "" for the core group; nil matches any.
	Group *string
	Kind  string
	// Namespace matches objects of that namespace, and those whose manifest sets none.
	Namespace string
	Name      string
}

// Matches reports whether the query selects an object.
func (q Query) Matches(o *Object) bool {
	return (q.Group == nil || *q.Group == o.Group) &&
		(q.Kind == "" || q.Kind == o.Kind) &&
		(q.Name == "" || q.Name == o.Name) &&
		SameNamespace(q.Namespace, o.Namespace)
}

// Find lists the objects of the unit that a query selects, sorted by file, document, and path. The caller can keep and
// change the list.
func (u *Unit) Find(q Query) []*Object {
	var found []*Object
	for _, object := range u.candidates(q) {
		if q.Matches(object) {
			found = append(found, object)
		}
	}
	return found
}

// candidates returns the objects in the index entries that can match a query.
func (u *Unit) candidates(q Query) []*Object {
	var by narrowing
	if q.Kind != "" {
		by |= byKind
	}
	if q.Name != "" {
		by |= byName
	}
	if anyNamespace(q.Namespace) {
		return u.filed(by, q)
	}
	found := u.filed(by|byNamespace, q)
	for _, unknown := range []string{"", ReleaseNamespace} {
		q.Namespace = unknown
		found = mergeSorted(found, u.filed(by|byNamespace, q))
	}
	return found
}

// narrowing is the set of query fields that narrow the result.
type narrowing uint8

const (
	byKind narrowing = 1 << iota
	byNamespace
	byName

	narrowings = 1 << iota
)

// indexKey holds the indexed fields of an object; the others are "".
type indexKey struct{ kind, namespace, name string }

func (by narrowing) key(kind, namespace, name string) indexKey {
	var key indexKey
	if by&byKind != 0 {
		key.kind = kind
	}
	if by&byNamespace != 0 {
		key.namespace = namespace
	}
	if by&byName != 0 {
		key.name = name
	}
	return key
}

// filed lists the objects whose indexed fields match a query, in the order of the unit. There is an index for every
// combination of fields, built on first use.
func (u *Unit) filed(by narrowing, q Query) []*Object {
	index := u.indexes[by].get(func() map[indexKey][]*Object {
		index := map[indexKey][]*Object{}
		for _, o := range u.Objects {
			key := by.key(o.Kind, o.Namespace, o.Name)
			index[key] = append(index[key], o)
		}
		return index
	})
	return index[by.key(q.Kind, q.Namespace, q.Name)]
}

// mergeSorted merges two sorted lists without common objects.
func mergeSorted(a, b []*Object) []*Object {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	merged := slices.Concat(a, b)
	slices.SortFunc(merged, Compare)
	return merged
}
