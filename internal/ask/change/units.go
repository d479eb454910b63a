package change

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// pair are the two states of a cluster, or of a deployment unit. A state without it is an empty unit.
type pair struct {
	before, after *objects.Unit
	// scopes are the two states as the repositories have them, without what is added for the comparison.
	scopes [2]*objects.Unit
}

// unit returns the state that exists, the later one first.
func (p pair) unit() *objects.Unit {
	if p.after.Name != "" {
		return p.after
	}
	return p.before
}

// id identifies an object in a unit.
type id struct{ group, kind, namespace, name string }

func idOf(o *objects.Object) id { return id{o.Group, o.Kind, o.Namespace, o.Name} }

// place identifies an object and its file.
type place struct {
	id

	file string
}

func placeOf(o *objects.Object) place { return place{idOf(o), o.File} }

// counted are the objects of a unit by their identity.
type counted map[id]int

func countOf(u *objects.Unit) counted {
	all := counted{}
	for _, o := range u.Objects {
		all[idOf(o)]++
	}
	return all
}

// pairScopes pairs clusters, and the units of which the cluster is not known. A unit that begins to be applied to a known cluster, or no longer is,
// is compared with itself, too, so that it is nothing new as a unit.
func pairScopes(before, after []*objects.Unit) []pair {
	pairs := pairUnits(withMembers(before, after), withMembers(after, before))
	for i, p := range pairs {
		pairs[i].scopes = [2]*objects.Unit{p.before, p.after}
		switch p.unit().Kind {
		case objects.ClusterUnit:
			pairs[i].before = withRoots(withPlainFiles(p, before), p.after, before)
			pairs[i].after = withRoots(p.after, p.before, after)
		case objects.PlainUnit:
			pairs[i].before, pairs[i].after = withApplied(p.before, p.after, before), withApplied(p.after, p.before, after)
		}
	}
	return pairs
}

// withRoots adds to one state of a cluster the units that it gets in the other one although no application applies them: people apply them in both
// states, and only the settings, or a first object of Argo CD or Flux in them, show to which cluster. Without this, a change of the settings
// alone would give and take power, or hide what else changes.
func withRoots(u, other *objects.Unit, scopes []*objects.Unit) *objects.Unit {
	wanted := map[objects.UnitKey]bool{}
	for _, part := range other.Parts() {
		wanted[part.Key()] = part.Kind != objects.PlainUnit && len(part.Appliers) == 0
	}
	for _, part := range u.Parts() {
		delete(wanted, part.Key())
	}
	for _, scope := range scopes {
		for _, part := range scope.Parts() {
			if wanted[part.Key()] {
				delete(wanted, part.Key())
				all := slices.Concat(u.Objects, part.Objects)
				slices.SortStableFunc(all, objects.Compare)
				u = &objects.Unit{Name: u.Name, Root: u.Root, Kind: u.Kind, Kubernetes: u.Kubernetes, Members: append(slices.Clip(u.Members), part), Objects: all}
			}
		}
	}
	return u
}

// withApplied adds to plain files those that a known cluster gets in one state, and that nothing applies in the other: they begin to be applied to
// that cluster, or no longer are, but are not new, or gone, as files.
func withApplied(u, other *objects.Unit, scopes []*objects.Unit) *objects.Unit {
	there, wanted := map[place]bool{}, map[place]bool{}
	for _, o := range u.Objects {
		there[placeOf(o)] = true
	}
	for _, o := range other.Objects {
		wanted[placeOf(o)] = !there[placeOf(o)]
	}
	var more []*objects.Object
	for _, scope := range scopes {
		if scope.Kind != objects.ClusterUnit {
			continue
		}
		for _, o := range scope.Objects {
			if key := placeOf(o); wanted[key] {
				wanted[key] = false
				more = append(more, o)
			}
		}
	}
	return with(u, more)
}

// withMembers adds the members of clusters that are separate scopes in the other state.
func withMembers(scopes, other []*objects.Unit) []*objects.Unit {
	known, wanted := map[objects.UnitKey]bool{}, map[objects.UnitKey]bool{}
	for _, u := range other {
		wanted[u.Key()] = u.Kind != objects.ClusterUnit && u.Kind != objects.PlainUnit
	}
	all := slices.Clone(scopes)
	for _, u := range scopes {
		known[u.Key()] = true
	}
	for _, u := range scopes {
		for _, part := range u.Parts() {
			if key := part.Key(); wanted[key] && !known[key] {
				known[key] = true
				all = append(all, part)
			}
		}
	}
	return all
}

// withPlainFiles adds to the earlier state of a cluster the plain files that belong to it now and were there before: a folder with the first object of
// Argo CD or Flux is not new for that.
func withPlainFiles(p pair, before []*objects.Unit) *objects.Unit {
	now := map[place]bool{}
	for _, part := range p.after.Members {
		if part.Kind == objects.PlainUnit {
			for _, o := range part.Objects {
				now[placeOf(o)] = true
			}
		}
	}
	there := map[place]bool{}
	for _, o := range p.before.Objects {
		there[placeOf(o)] = true
	}
	var more []*objects.Object
	for _, u := range before {
		for _, o := range u.Objects {
			if key := placeOf(o); u.Kind == objects.PlainUnit && now[key] && !there[key] {
				more = append(more, o)
			}
		}
	}
	return with(p.before, more)
}

// pairUnits pairs units by kind and name, and the remaining ones by the objects in them, so that a moved folder is the same
// unit. What is left is compared with nothing.
func pairUnits(before, after []*objects.Unit) []pair {
	var pairs []pair
	known := map[objects.UnitKey]*objects.Unit{}
	for _, u := range before {
		known[u.Key()] = u
	}
	var unpaired []*objects.Unit
	for _, u := range after {
		old := known[u.Key()]
		if old == nil {
			unpaired = append(unpaired, u)
			continue
		}
		delete(known, u.Key())
		pairs = append(pairs, pair{before: old, after: u})
	}
	left := slices.DeleteFunc(slices.Clone(before), func(u *objects.Unit) bool { return known[u.Key()] != u })
	moved, left, unpaired := pairMoved(left, unpaired)
	return converted(append(pairs, moved...), left, unpaired)
}

// likeness is how much two units have in common.
type likeness struct {
	pair

	share float64
}

// pairMoved pairs units of which each has at least half of the objects of the other, those that are most alike first.
func pairMoved(before, after []*objects.Unit) (pairs []pair, left, unpaired []*objects.Unit) {
	var alike []likeness
	sets := map[*objects.Unit]counted{}
	holders := map[id][]*objects.Unit{}
	for _, u := range before {
		sets[u] = countOf(u)
		for o := range sets[u] {
			holders[o] = append(holders[o], u)
		}
	}
	for _, u := range after {
		set := countOf(u)
		common := map[*objects.Unit]int{}
		for o := range set {
			for _, other := range holders[o] {
				common[other]++
			}
		}
		for other, n := range common {
			if share := float64(n) / float64(max(len(set), len(sets[other]))); share >= 0.5 && other.Kind == u.Kind {
				alike = append(alike, likeness{pair{before: other, after: u}, share})
			}
		}
	}
	slices.SortFunc(alike, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(b.share, a.share), strings.Compare(a.after.Name, b.after.Name), strings.Compare(a.before.Name, b.before.Name))
	})
	used := map[*objects.Unit]bool{}
	for _, a := range alike {
		if !used[a.before] && !used[a.after] {
			used[a.before], used[a.after] = true, true
			pairs = append(pairs, a.pair)
		}
	}
	isUsed := func(u *objects.Unit) bool { return used[u] }
	return pairs, slices.DeleteFunc(slices.Clone(before), isUsed), slices.DeleteFunc(slices.Clone(after), isUsed)
}

// converted adds pairs for the units that exist in one state only. Where a kustomization was added to plain files, the plain
// objects that it now applies are its earlier state; where one was removed, its objects are an earlier state of the plain files.
func converted(pairs []pair, left, unpaired []*objects.Unit) []pair {
	plain := slices.IndexFunc(pairs, func(p pair) bool { return p.unit().Kind == objects.PlainUnit })
	if plain < 0 {
		plain = len(pairs)
		pairs = append(pairs, plainOf(left, unpaired))
		isPlain := func(u *objects.Unit) bool { return u.Kind == objects.PlainUnit }
		left, unpaired = slices.DeleteFunc(left, isPlain), slices.DeleteFunc(unpaired, isPlain)
	}
	files := &pairs[plain]
	gone, added := absent(files.before, files.after), absent(files.after, files.before)
	for _, u := range unpaired {
		claimed := claim(gone, u)
		files.before = without(files.before, claimed)
		pairs = append(pairs, pair{before: with(empty(u), claimed), after: u})
		files = &pairs[plain]
	}
	for _, u := range left {
		claimed := claim(added, u)
		files.after = without(files.after, claimed)
		pairs = append(pairs, pair{before: u, after: with(empty(u), claimed)})
		files = &pairs[plain]
	}
	return pairs
}

// plainOf returns the pair of the plain units if one state has none.
func plainOf(left, unpaired []*objects.Unit) pair {
	none := &objects.Unit{Kind: objects.PlainUnit}
	p := pair{before: none, after: none}
	for _, u := range left {
		if u.Kind == objects.PlainUnit {
			p.before = u
		}
	}
	for _, u := range unpaired {
		if u.Kind == objects.PlainUnit {
			p.after = u
		}
	}
	return p
}

// empty returns a unit without objects on the cluster of another one.
func empty(like *objects.Unit) *objects.Unit {
	return &objects.Unit{Kind: like.Kind, Root: like.Root, Kubernetes: like.Kubernetes}
}

// absent returns the objects of a unit that another one does not have, in that file or moved, by their identity.
func absent(u, other *objects.Unit) map[id][]*objects.Object {
	there := map[place]bool{}
	for _, o := range other.Objects {
		there[placeOf(o)] = true
	}
	left := countOf(u)
	for o, n := range countOf(other) {
		left[o] -= n
	}
	found := map[id][]*objects.Object{}
	for _, o := range u.Objects {
		if key := idOf(o); left[key] > 0 && !there[place{key, o.File}] {
			found[key] = append(found[key], o)
		}
	}
	return found
}

// claim takes the objects that another unit has under the same identities. One object is the state of one unit only, because
// another unit can be on another cluster.
func claim(from map[id][]*objects.Object, u *objects.Unit) []*objects.Object {
	var found []*objects.Object
	for o := range countOf(u) {
		found = append(found, from[o]...)
		delete(from, o)
	}
	return found
}

// without returns a unit without some objects.
func without(u *objects.Unit, left []*objects.Object) *objects.Unit {
	if len(left) == 0 {
		return u
	}
	out := map[*objects.Object]bool{}
	for _, o := range left {
		out[o] = true
	}
	rest := slices.DeleteFunc(slices.Clone(u.Objects), func(o *objects.Object) bool { return out[o] })
	return &objects.Unit{Name: u.Name, Root: u.Root, Kind: u.Kind, Kubernetes: u.Kubernetes, Members: u.Members, Objects: rest}
}

// with returns a unit with more objects.
func with(u *objects.Unit, more []*objects.Object) *objects.Unit {
	if len(more) == 0 {
		return u
	}
	all := slices.Concat(u.Objects, more)
	slices.SortStableFunc(all, objects.Compare)
	return &objects.Unit{Name: u.Name, Root: u.Root, Kind: u.Kind, Kubernetes: u.Kubernetes, Members: u.Members, Objects: all}
}
