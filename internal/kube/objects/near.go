package objects

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
// kustomization unit the answer is always yes. To ask about many candidates, make [NewNeighbours] once; to ask on behalf
// of many namesakes too, deal the candidates out by [Neighbours.Deal].
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
