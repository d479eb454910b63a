package objects

// Near returns the candidates that an object refers to by name: for each identity the nearest one, that is, the one that
// shares the deepest common folder with the object. If several of one identity are equally near, all of them are owned and
// are also the tie, because it is unknown which of them is meant.
//
// A candidate whose manifest sets no namespace can be in any namespace, so it competes with all candidates of its name. In
// a unit that is applied together, every candidate is owned.
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

// nearer collects the objects that are nearest to an object.
type nearer struct {
	from       *Object
	owned, tie map[*Object]bool
}

// choose takes the nearest object of every namespace. Objects of unknown namespace compete in each.
func (n *nearer) choose(namespaces map[string][]*Object) {
	unknown, unknownDepth := NewFolderIndex(namespaces[""]).nearest(n.from)
	owned, tie := len(namespaces) == 1, false
	for namespace, objects := range namespaces {
		if namespace == "" {
			continue
		}
		known, depth := NewFolderIndex(objects).nearest(n.from)
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

// Owns answers the question of Near in the other direction: does a candidate, such as a binding, belong to `from` and not
// to another of its namesakes? It belongs to the namesake that shares the deepest common folder with it. If several are
// equally near, it belongs to each of them, and the tie lists them all, including `from`. There is no tie between folders of
// clusters: if each namesake is in a separate subfolder of one folder, and the candidate is beside that folder, as common/ is
// beside clusters/, it belongs to each of them with certainty.
//
// Namesakes are the objects of one kind and name that refer to the candidate; `from` need not be one of them. In a unit
// that is applied together the answer is always yes. To ask about many candidates, create a [FolderIndex] once; to ask for
// many namesakes too, use [FolderIndex.Assign].
func (u *Unit) Owns(from *Object, namesakes []*Object, candidate *Object) (owned bool, tie []*Object) {
	if u.Kind != PlainUnit {
		return true, nil
	}
	return NewFolderIndex(namesakes).Owns(from, candidate)
}

// Namesakes returns the objects of the unit with the same group, kind, and name, and the same namespace if both are known;
// the object itself is one of them.
func (u *Unit) Namesakes(o *Object) []*Object {
	if o.Name == "" {
		return []*Object{o}
	}
	return u.Find(Query{Group: &o.Group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name})
}
