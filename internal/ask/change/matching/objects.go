package matching

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// ID identifies an object in a unit.
type ID struct{ group, kind, namespace, name string }

// IDOf returns what identifies an object.
func IDOf(o *objects.Object) ID { return ID{o.Group, o.Kind, o.Namespace, o.Name} }

// Place identifies an object and its file.
type Place struct {
	ID

	file string
}

// PlaceOf returns what identifies an object and its file.
func PlaceOf(o *objects.Object) Place { return Place{IDOf(o), o.File} }

// CountOf returns how many objects of each identity a unit has.
func CountOf(u *objects.Unit) map[ID]int {
	all := map[ID]int{}
	for _, o := range u.Objects {
		all[IDOf(o)]++
	}
	return all
}

// Match is an object of the later state with the same object of the earlier one, nil if it is new.
type Match struct{ Then, Now *objects.Object }

// Objects finds for each object the one that it was: in the same file, otherwise any of its identity. Each is taken once; those that
// are left are removed.
func Objects(before, after []*objects.Object) (all []Match, removed []*objects.Object) {
	here, anywhere := map[Place][]*objects.Object{}, map[ID][]*objects.Object{}
	for _, o := range before {
		key := PlaceOf(o)
		here[key] = append(here[key], o)
	}
	all = make([]Match, len(after))
	for i, o := range after {
		all[i].Now = o
		if key := PlaceOf(o); len(here[key]) > 0 {
			all[i].Then = here[key][0]
			here[key] = here[key][1:]
		}
	}
	for _, list := range here {
		for _, o := range list {
			anywhere[IDOf(o)] = append(anywhere[IDOf(o)], o)
		}
	}
	for i, m := range all {
		if key := IDOf(m.Now); m.Then == nil && len(anywhere[key]) > 0 {
			all[i].Then = anywhere[key][0]
			anywhere[key] = anywhere[key][1:]
		}
	}
	for _, o := range before {
		if slices.Contains(anywhere[IDOf(o)], o) {
			removed = append(removed, o)
		}
	}
	return all, removed
}
