package cluster

import (
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// Relation says whether two scopes are on one cluster.
type Relation int

// The relations, from the closest.
const (
	// Together are units of one known cluster.
	Together Relation = iota
	// Perhaps are units of which it is unknown whether they are on one cluster.
	Perhaps
	// Variants are units that are probably forms of one thing for several clusters. That is a guess.
	Variants
	// Apart are units of two known clusters.
	Apart
)

// Relations are the relations between the scopes of a repository.
type Relations struct {
	clusters map[*objects.Unit]*Cluster
	known    map[string]bool // the folders clusters/NAME that are clusters
	// alike are the scopes that apply an object that another one applies, too.
	alike map[[2]*objects.Unit]bool
	// separating are the pairs of names of folders that separate variants.
	separating map[[2]string]bool
	// earlier decide about variants, for the former states of the scopes, if they are set.
	earlier *Relations
	former  map[*objects.Unit]*objects.Unit
}

// GuessBy takes what is only guessed, which units are variants, from the relations of an earlier state, so that a change cannot make two units variants.
// Former are the scopes of that state; a new scope is a variant of none.
func (r *Relations) GuessBy(earlier *Relations, former map[*objects.Unit]*objects.Unit) {
	r.earlier, r.former = earlier, former
}

// maxAlike is how many scopes can apply the same object as variants. What more of them apply is something that all clusters get.
const maxAlike = 60

// Relations returns the relations between scopes, as Scopes returns them.
func (c *Clusters) Relations(scopes []*objects.Unit) *Relations {
	r := &Relations{clusters: map[*objects.Unit]*Cluster{}, known: map[string]bool{}, alike: map[[2]*objects.Unit]bool{}, separating: map[[2]string]bool{}}
	byID := map[string]*Cluster{}
	for _, of := range c.All {
		byID[of.ID] = of
		if of.ID == FolderOf(of.ID) {
			r.known[of.ID] = true
		}
	}
	for _, u := range scopes {
		if u.Kind == objects.ClusterUnit {
			r.clusters[u] = byID[u.Name]
		}
	}
	r.findVariants(scopes)
	return r
}

// Between returns the relation between two scopes, in one of which only a folder matters if it is the unit of plain files.
func (r *Relations) Between(a, b *objects.Unit, folderA, folderB string) Relation {
	ca, cb := r.clusters[a], r.clusters[b]
	switch {
	case a == b:
		return Together
	case ca != nil && cb != nil && ca.isApart(cb):
		return Apart
	case r.inOtherFolder(ca, folderA, cb, folderB):
		return Apart
	case r.areVariants(a, b, folderA, folderB):
		return Variants
	}
	return Perhaps
}

func (r *Relations) areVariants(a, b *objects.Unit, folderA, folderB string) bool {
	if r.earlier != nil {
		a, b = r.former[a], r.former[b]
		return a != nil && b != nil && r.earlier.areVariants(a, b, folderA, folderB)
	}
	return r.alike[ordered(a, b)] || r.separates(folderA, folderB)
}

// isApart reports whether two clusters are certainly two.
func (c *Cluster) isApart(other *Cluster) bool {
	return !c.isUnknown && !other.isUnknown && (c.isNamed && other.isNamed || c.root == other.root)
}

// inOtherFolder reports whether two folders are in two folders clusters/NAME, of which one is a known cluster and the other one, too, or the
// folder of the other scope.
func (r *Relations) inOtherFolder(ca *Cluster, a string, cb *Cluster, b string) bool {
	folderA, folderB := FolderOf(a), FolderOf(b)
	if ca != nil {
		folderA = ca.root
	}
	if cb != nil {
		folderB = cb.root
	}
	return folderA != folderB && r.known[folderA] && r.known[folderB]
}

// separates reports whether two paths differ in names of folders that separate variants.
func (r *Relations) separates(a, b string) bool {
	if len(r.separating) == 0 {
		return false
	}
	for _, s := range strings.Split(a, "/") {
		for _, t := range strings.Split(b, "/") {
			if s != t && r.separating[orderedNames(s, t)] {
				return true
			}
		}
	}
	return false
}

// findVariants finds the scopes that apply the same object, other than a Namespace or a definition, and the names of folders in which the paths of
// such scopes differ below at least two parents.
func (r *Relations) findVariants(scopes []*objects.Unit) {
	type identity struct{ group, kind, namespace, name string }
	holders := map[identity][]*objects.Unit{}
	for _, u := range scopes {
		if u.Kind == objects.PlainUnit {
			continue
		}
		seen := map[identity]bool{}
		for _, o := range u.Objects {
			id := identity{o.Group, o.Kind, o.Namespace, o.Name}
			if o.Name != "" && o.Kind != "Namespace" && o.Kind != "CustomResourceDefinition" && !seen[id] {
				seen[id] = true
				holders[id] = append(holders[id], u)
			}
		}
	}
	parents := map[[2]string]map[string]bool{}
	for _, list := range holders {
		if len(list) > maxAlike {
			continue
		}
		for i, a := range list {
			for _, b := range list[i+1:] {
				if key := ordered(a, b); !r.alike[key] {
					r.alike[key] = true
					addParent(parents, a.Root, b.Root)
				}
			}
		}
	}
	for names, of := range parents {
		if len(of) > 1 {
			r.separating[names] = true
		}
	}
}

// addParent notes the parent below which two paths differ, if they differ in one name.
func addParent(parents map[[2]string]map[string]bool, a, b string) {
	partsA, partsB := strings.Split(a, "/"), strings.Split(b, "/")
	if len(partsA) != len(partsB) {
		return
	}
	at := -1
	for i := range partsA {
		switch {
		case partsA[i] == partsB[i]:
		case at >= 0:
			return
		default:
			at = i
		}
	}
	if at < 0 {
		return
	}
	names := orderedNames(partsA[at], partsB[at])
	if parents[names] == nil {
		parents[names] = map[string]bool{}
	}
	parents[names][strings.Join(partsA[:at], "/")] = true
}

func orderedNames(a, b string) [2]string {
	if b < a {
		a, b = b, a
	}
	return [2]string{a, b}
}

// ordered returns a pair of units in one of its two orders.
func ordered(a, b *objects.Unit) [2]*objects.Unit {
	if b.Name < a.Name || b.Name == a.Name && b.Kind < a.Kind {
		a, b = b, a
	}
	return [2]*objects.Unit{a, b}
}
