package matching

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/kube/objects"
)

// Pair are the two states of a cluster, or of a deployment unit. A state without it is an empty unit.
type Pair struct {
	Before, After *objects.Unit
	// Scopes are the two states as the repositories have them, without what is added for the comparison.
	Scopes [2]*objects.Unit
}

// Unit returns the state that exists, the later one first.
func (p Pair) Unit() *objects.Unit {
	if p.After.Name != "" {
		return p.After
	}
	return p.Before
}

// NameOf returns the name of a unit for people.
func NameOf(u *objects.Unit) string {
	if u.Kind == objects.PlainUnit && u.Name == "" {
		return "plain files"
	}
	return access.View{Unit: u}.Name()
}

// Scopes pairs clusters, and the units of which the cluster is not known. A unit that begins to be applied to a known cluster, or no longer is,
// is compared with itself, too, so that it is nothing new as a unit.
func Scopes(before, after []*objects.Unit) []Pair {
	pairs := pairUnits(withMembers(before, after), withMembers(after, before))
	for i, p := range pairs {
		pairs[i].Scopes = [2]*objects.Unit{p.Before, p.After}
		switch p.Unit().Kind {
		case objects.ClusterUnit:
			pairs[i].Before = withRoots(withPlainFiles(p, before), p.After, before)
			pairs[i].After = withRoots(p.After, p.Before, after)
		case objects.PlainUnit:
			pairs[i].Before, pairs[i].After = withApplied(p.Before, p.After, before), withApplied(p.After, p.Before, after)
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
	there, wanted := map[Place]bool{}, map[Place]bool{}
	for _, o := range u.Objects {
		there[PlaceOf(o)] = true
	}
	for _, o := range other.Objects {
		wanted[PlaceOf(o)] = !there[PlaceOf(o)]
	}
	var more []*objects.Object
	for _, scope := range scopes {
		if scope.Kind != objects.ClusterUnit {
			continue
		}
		for _, o := range scope.Objects {
			if key := PlaceOf(o); wanted[key] {
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
func withPlainFiles(p Pair, before []*objects.Unit) *objects.Unit {
	now := map[Place]bool{}
	for _, part := range p.After.Members {
		if part.Kind == objects.PlainUnit {
			for _, o := range part.Objects {
				now[PlaceOf(o)] = true
			}
		}
	}
	there := map[Place]bool{}
	for _, o := range p.Before.Objects {
		there[PlaceOf(o)] = true
	}
	var more []*objects.Object
	for _, u := range before {
		for _, o := range u.Objects {
			if key := PlaceOf(o); u.Kind == objects.PlainUnit && now[key] && !there[key] {
				more = append(more, o)
			}
		}
	}
	return with(p.Before, more)
}

// pairUnits pairs units by kind and name, and the remaining ones by the objects in them, so that a moved folder is the same
// unit. What is left is compared with nothing.
func pairUnits(before, after []*objects.Unit) []Pair {
	var pairs []Pair
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
		pairs = append(pairs, Pair{Before: old, After: u})
	}
	left := slices.DeleteFunc(slices.Clone(before), func(u *objects.Unit) bool { return known[u.Key()] != u })
	variants, left, unpaired := pairVariants(before, after, left, unpaired)
	moved, left, unpaired := pairMoved(left, unpaired)
	pairs = slices.Concat(pairs, variants, moved)
	more, unpaired := variantsOfMoved(moved, unpaired)
	return converted(append(pairs, more...), left, unpaired)
}

// likeness is how much two units have in common.
type likeness struct {
	Pair

	share float64
}

// pairMoved pairs units of which each has at least half of the objects of the other, those that are most alike first.
func pairMoved(before, after []*objects.Unit) (pairs []Pair, left, unpaired []*objects.Unit) {
	var alike []likeness
	sets := map[*objects.Unit]map[ID]int{}
	holders := map[ID][]*objects.Unit{}
	for _, u := range before {
		sets[u] = CountOf(u)
		for o := range sets[u] {
			holders[o] = append(holders[o], u)
		}
	}
	for _, u := range after {
		set := CountOf(u)
		common := map[*objects.Unit]int{}
		for o := range set {
			for _, other := range holders[o] {
				common[other]++
			}
		}
		for other, n := range common {
			if share := float64(n) / float64(max(len(set), len(sets[other]))); share >= 0.5 && other.Kind == u.Kind && !isElsewhere(other, u) {
				alike = append(alike, likeness{Pair{Before: other, After: u}, share})
			}
		}
	}
	slices.SortFunc(alike, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(b.share, a.share), strings.Compare(a.After.Name, b.After.Name), strings.Compare(a.Before.Name, b.Before.Name))
	})
	used := map[*objects.Unit]bool{}
	for _, a := range alike {
		if !used[a.Before] && !used[a.After] {
			used[a.Before], used[a.After] = true, true
			pairs = append(pairs, a.Pair)
		}
	}
	isUsed := func(u *objects.Unit) bool { return used[u] }
	return pairs, slices.DeleteFunc(slices.Clone(before), isUsed), slices.DeleteFunc(slices.Clone(after), isUsed)
}

// isElsewhere reports whether two clusters are different ones, because applications have another destination.
func isElsewhere(before, after *objects.Unit) bool {
	return after.Kind == objects.ClusterUnit && cluster.Destination(before.Name) != cluster.Destination(after.Name)
}

// converted adds pairs for the units that exist in one state only. Where a kustomization was added to plain files, the plain
// objects that it now applies are its earlier state; where one was removed, its objects are an earlier state of the plain files.
func converted(pairs []Pair, left, unpaired []*objects.Unit) []Pair {
	plain := slices.IndexFunc(pairs, func(p Pair) bool { return p.Unit().Kind == objects.PlainUnit })
	if plain < 0 {
		plain = len(pairs)
		pairs = append(pairs, plainOf(left, unpaired))
		isPlain := func(u *objects.Unit) bool { return u.Kind == objects.PlainUnit }
		left, unpaired = slices.DeleteFunc(left, isPlain), slices.DeleteFunc(unpaired, isPlain)
	}
	files := &pairs[plain]
	gone, added := absent(files.Before, files.After), absent(files.After, files.Before)
	for _, u := range unpaired {
		claimed := claim(gone, u)
		files.Before = Without(files.Before, claimed)
		pairs = append(pairs, Pair{Before: with(empty(u), claimed), After: u})
		files = &pairs[plain]
	}
	for _, u := range left {
		claimed := claim(added, u)
		files.After = Without(files.After, claimed)
		pairs = append(pairs, Pair{Before: u, After: with(empty(u), claimed)})
		files = &pairs[plain]
	}
	return pairs
}

// plainOf returns the pair of the plain units if one state has none.
func plainOf(left, unpaired []*objects.Unit) Pair {
	none := &objects.Unit{Kind: objects.PlainUnit}
	p := Pair{Before: none, After: none}
	for _, u := range left {
		if u.Kind == objects.PlainUnit {
			p.Before = u
		}
	}
	for _, u := range unpaired {
		if u.Kind == objects.PlainUnit {
			p.After = u
		}
	}
	return p
}

// empty returns a unit without objects on the cluster of another one.
func empty(like *objects.Unit) *objects.Unit {
	return &objects.Unit{Kind: like.Kind, Root: like.Root, Kubernetes: like.Kubernetes}
}

// absent returns the objects of a unit that another one does not have, in that file or moved, by their identity.
func absent(u, other *objects.Unit) map[ID][]*objects.Object {
	there := map[Place]bool{}
	for _, o := range other.Objects {
		there[PlaceOf(o)] = true
	}
	left := CountOf(u)
	for o, n := range CountOf(other) {
		left[o] -= n
	}
	found := map[ID][]*objects.Object{}
	for _, o := range u.Objects {
		if key := IDOf(o); left[key] > 0 && !there[Place{key, o.File}] {
			found[key] = append(found[key], o)
		}
	}
	return found
}

// claim takes the objects that another unit has under the same identities. One object is the state of one unit only, because
// another unit can be on another cluster.
func claim(from map[ID][]*objects.Object, u *objects.Unit) []*objects.Object {
	var found []*objects.Object
	for o := range CountOf(u) {
		found = append(found, from[o]...)
		delete(from, o)
	}
	return found
}

// Without returns a unit without some objects.
func Without(u *objects.Unit, left []*objects.Object) *objects.Unit {
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
