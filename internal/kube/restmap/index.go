package restmap

import (
	"cmp"
	"slices"
	"strings"
)

// extensionRank ranks after every group of Kubernetes itself: the API server gives all custom resources one priority, and
// lists their groups by name.
const extensionRank = 1 << 20

// entry is a resource with the rank of its group in discovery.
type entry struct {
	Resource
	rank int
}

type groupKind struct{ group, kind string }

// index finds entries by kind and by the names that a user can give.
type index struct {
	byKind map[groupKind]*entry
	// names and short map a name in lower case to resources: names from the plural, the singular, and the kind, short from
	// short names. A short name counts only if it is not the full name of a resource.
	names, short map[string][]*entry
}

func newIndex() *index {
	return &index{byKind: map[groupKind]*entry{}, names: map[string][]*entry{}, short: map[string][]*entry{}}
}

func (x *index) add(r Resource, rank int) {
	e := &entry{Resource: r, rank: rank}
	x.byKind[groupKind{r.Group, r.Kind}] = e
	for _, name := range e.fullNames() {
		x.names[name] = append(x.names[name], e)
	}
	for _, name := range r.Short {
		x.short[name] = append(x.short[name], e)
	}
}

func (x *index) remove(e *entry) {
	delete(x.byKind, groupKind{e.Group, e.Kind})
	other := func(candidate *entry) bool { return candidate == e }
	for _, name := range e.fullNames() {
		x.names[name] = slices.DeleteFunc(x.names[name], other)
	}
	for _, name := range e.Short {
		x.short[name] = slices.DeleteFunc(x.short[name], other)
	}
}

// fullNames are all names except the short ones, each once.
func (e *entry) fullNames() []string {
	names := []string{e.Plural, e.Singular, strings.ToLower(e.Kind)}
	slices.Sort(names)
	return slices.Compact(names)
}

// preferred is the entry that an API server's discovery lists first.
func preferred(candidates []*entry) (*entry, bool) {
	if len(candidates) == 0 {
		return nil, false
	}
	return slices.MinFunc(candidates, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.Group, b.Group), strings.Compare(a.Plural, b.Plural))
	}), true
}
