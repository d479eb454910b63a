package inventory

import (
	"path"
	"slices"
	"strings"
)

// Near answers which of the candidates an object means by the name they share: of each identity the one that lies
// nearest, that is, shares the deepest common folder with it. Several of one identity that are equally near are all
// owned, and are the tie as well; which of them is meant cannot be said.
//
// A candidate whose manifest names no namespace may be of any, so it competes with all of its name. In a kustomization
// unit, where everything is applied together, every candidate is owned.
func (u *Unit) Near(from *Object, candidates []*Object) (owned, tie []*Object) {
	if u.Kind != PlainUnit {
		return candidates, nil
	}
	n := nearer{from: from, owned: map[*Object]bool{}, tie: map[*Object]bool{}}
	for _, namespaces := range groupByName(candidates) {
		n.choose(namespaces)
	}
	return pick(candidates, n.owned), pick(candidates, n.tie)
}

func pick(objects []*Object, chosen map[*Object]bool) []*Object {
	var picked []*Object
	for _, object := range objects {
		if chosen[object] {
			picked = append(picked, object)
		}
	}
	return picked
}

// groupByName groups objects of one kind and name, and within the group by namespace.
func groupByName(objects []*Object) map[identity]map[string][]*Object {
	groups := map[identity]map[string][]*Object{}
	for _, o := range objects {
		key := identity{o.Group, o.Kind, o.Name}
		if groups[key] == nil {
			groups[key] = map[string][]*Object{}
		}
		groups[key][o.Namespace] = append(groups[key][o.Namespace], o)
	}
	return groups
}

type identity struct{ group, kind, name string }

// nearer collects what is nearest to an object.
type nearer struct {
	from       *Object
	owned, tie map[*Object]bool
}

// choose takes the nearest object of every namespace. Those of unknown namespace compete in each.
func (n *nearer) choose(namespaces map[string][]*Object) {
	unknown, unknownDepth := NewNeighbours(namespaces[""]).nearest(n.from)
	owned, tie := len(namespaces) == 1, false
	for namespace, objects := range namespaces {
		if namespace == "" {
			continue
		}
		known, depth := NewNeighbours(objects).nearest(n.from)
		draw := len(unknown) > 0 && depth == unknownDepth
		if depth >= unknownDepth {
			n.take(known, draw)
		}
		owned = owned || depth <= unknownDepth
		tie = tie || draw
	}
	if owned {
		n.take(unknown, tie)
	}
}

func (n *nearer) take(objects []*Object, draw bool) {
	for _, object := range objects {
		n.owned[object] = true
		n.tie[object] = n.tie[object] || draw || len(objects) > 1
	}
}

// Owns answers the question of Near from the other end: does a candidate, a binding for example, belong to `from` rather
// than to another of its namesakes? It belongs to the namesake that shares the deepest common folder with it. With
// several equally near it belongs to each of them, and the tie lists them all, `from` among them.
//
// Namesakes are the objects of one kind and name that refer to the candidate; `from` may be one of them or not. In a
// kustomization unit the answer is always yes. Who asks for many candidates makes [NewNeighbours] once.
func (u *Unit) Owns(from *Object, namesakes []*Object, candidate *Object) (owned bool, tie []*Object) {
	if u.Kind != PlainUnit {
		return true, nil
	}
	return NewNeighbours(namesakes).Owns(from, candidate)
}

// Namesakes are the objects of the unit that an object shares group, kind and name with, and the namespace as far as
// it is known; the object itself is among them.
func (u *Unit) Namesakes(o *Object) []*Object {
	if o.Name == "" {
		return []*Object{o}
	}
	return u.Find(Query{Group: &o.Group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name})
}

// Neighbours is a set of objects of which it can be asked, often and fast, which lie nearest to another.
type Neighbours struct {
	// below holds the objects in each folder and all folders below it.
	below   map[string][]*Object
	members map[*Object]bool
}

// NewNeighbours makes the set. The answers keep the order of the objects given.
func NewNeighbours(objects []*Object) *Neighbours {
	n := &Neighbours{below: map[string][]*Object{}, members: map[*Object]bool{}}
	for _, object := range objects {
		n.members[object] = true
		for folder := path.Dir(object.File); ; folder = path.Dir(folder) {
			n.below[folder] = append(n.below[folder], object)
			if isTop(folder) {
				break
			}
		}
	}
	return n
}

// Nearest lists the objects that share the deepest common folder with the file of another.
func (n *Neighbours) Nearest(to *Object) []*Object {
	found, _ := n.nearest(to)
	return found
}

// nearest goes up from the file's folder to the first one below which there are objects, and gives its depth too: -1
// when there is none.
func (n *Neighbours) nearest(to *Object) (found []*Object, depth int) {
	for folder := path.Dir(to.File); ; folder = path.Dir(folder) {
		if found := n.below[folder]; len(found) > 0 {
			return found, depthOf(folder)
		}
		if isTop(folder) {
			return nil, -1
		}
	}
}

// Owns answers [Unit.Owns] for a plain unit, with the members of the set as namesakes.
func (n *Neighbours) Owns(from, candidate *Object) (owned bool, tie []*Object) {
	nearest, depth := n.nearest(candidate)
	switch own := depthOf(commonFolder(from.File, candidate.File)); {
	case own < depth:
		return false, nil
	case own > depth:
		return true, nil
	}
	if !n.members[from] {
		nearest = append(slices.Clone(nearest), from)
	}
	if len(nearest) > 1 {
		return true, nearest
	}
	return true, nil
}

// commonFolder is the deepest folder that two files lie in or below.
func commonFolder(a, b string) string {
	folder := path.Dir(a)
	for !isTop(folder) && !strings.HasPrefix(b, folder+"/") {
		folder = path.Dir(folder)
	}
	return folder
}

func depthOf(folder string) int {
	if isTop(folder) {
		return 0
	}
	return strings.Count(folder, "/") + 1
}

func isTop(folder string) bool { return folder == "." || folder == "/" }
