package inventory

import "slices"

// Query asks for objects. Its fields narrow the answer down together; an empty one asks for nothing.
type Query struct {
	// Group is the API group, "" being the core group; nil takes any.
	Group *string
	Kind  string
	// Namespace finds objects of that namespace, and those whose manifest names none.
	Namespace string
	Name      string
}

// Matches tells whether the query would find an object.
func (q Query) Matches(o *Object) bool {
	return (q.Group == nil || *q.Group == o.Group) &&
		(q.Kind == "" || q.Kind == o.Kind) &&
		(q.Name == "" || q.Name == o.Name) &&
		SameNamespace(q.Namespace, o.Namespace)
}

// Find lists the objects of the unit that a query asks for, sorted by file, document and path. The caller may keep and
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

// candidates are the objects among which a query finds its own: those filed under what it names.
func (u *Unit) candidates(q Query) []*Object {
	index := u.index.get(u.buildIndex)
	key := indexKey{kind: q.Kind, name: q.Name, namespace: q.Namespace}
	if q.Kind != "" {
		key.by |= byKind
	}
	if q.Name != "" {
		key.by |= byName
	}
	if q.Namespace == "" {
		return index[key]
	}
	key.by |= byNamespace
	unknown := key
	unknown.namespace = ""
	return mergeSorted(index[key], index[unknown])
}

// indexKey is a combination of what a query may name. What is not in `by` is "", and does not narrow anything down.
type indexKey struct {
	by                    narrowing
	kind, namespace, name string
}

type narrowing uint8

const (
	byKind narrowing = 1 << iota
	byNamespace
	byName
)

// buildIndex files every object under each combination of its kind, namespace and name. The lists keep the order of the
// unit.
func (u *Unit) buildIndex() map[indexKey][]*Object {
	index := make(map[indexKey][]*Object, 4*len(u.Objects))
	for _, object := range u.Objects {
		for by := narrowing(0); by <= byKind|byNamespace|byName; by++ {
			key := indexKey{by: by}
			if by&byKind != 0 {
				key.kind = object.Kind
			}
			if by&byNamespace != 0 {
				key.namespace = object.Namespace
			}
			if by&byName != 0 {
				key.name = object.Name
			}
			index[key] = append(index[key], object)
		}
	}
	return index
}

// mergeSorted joins two sorted lists of different objects.
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
