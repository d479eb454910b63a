package objects_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
)

// sharedFolders counts the common leading folders of two files: the literal definition of nearness.
func sharedFolders(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] && x[n] != "." {
		n++
	}
	return n
}

// naiveOwns compares every namesake with the candidate.
func naiveOwns(from *objects.Object, namesakes []*objects.Object, candidate *objects.Object) (bool, []*objects.Object) {
	all := namesakes
	if !slices.Contains(all, from) {
		all = append(slices.Clone(all), from)
	}
	best := 0
	for _, o := range all {
		best = max(best, sharedFolders(o.File, candidate.File))
	}
	var nearest []*objects.Object
	for _, o := range all {
		if sharedFolders(o.File, candidate.File) == best {
			nearest = append(nearest, o)
		}
	}
	if !slices.Contains(nearest, from) {
		return false, nil
	}
	if len(nearest) == 1 || slices.Contains(namesakes, from) && areBranches(nearest, best) {
		return true, nil
	}
	return true, nearest
}

// areBranches reports whether each object is in a separate subfolder of one folder, which is deeper than depth.
func areBranches(all []*objects.Object, depth int) bool {
	common := sharedFolders(all[0].File, all[1].File)
	for i, o := range all {
		if sharedFolders(o.File, o.File) == common {
			return false
		}
		for _, other := range all[:i] {
			if sharedFolders(o.File, other.File) != common {
				return false
			}
		}
	}
	return common > depth
}

// naiveAssignments calls naiveOwns for every candidate.
func naiveAssignments(from *objects.Object, namesakes, candidates []*objects.Object) []string {
	var all []string
	for i, candidate := range candidates {
		if owned, tie := naiveOwns(from, namesakes, candidate); owned {
			all = append(all, fmt.Sprint(i, refs(tie)))
		}
	}
	return all
}

func assignmentsOf(from *objects.Object, namesakes, candidates []*objects.Object) []string {
	var all []string
	for _, share := range objects.NewFolderIndex(namesakes).Assign(candidates).Of(from) {
		all = append(all, fmt.Sprint(share.Candidate, refs(share.Tie)))
	}
	return all
}

// naiveNear compares every candidate with every other one that can be the same object.
func naiveNear(from *objects.Object, candidates []*objects.Object) (owned, tie []*objects.Object) {
	for _, c := range candidates {
		for _, namespace := range namespacesFor(c, candidates) {
			best, equal := true, 0
			for _, rival := range candidates {
				same := sameName(rival, c) && (rival.Namespace == namespace || rival.Namespace == "")
				mine, other := sharedFolders(from.File, c.File), sharedFolders(from.File, rival.File)
				best = best && (!same || mine >= other)
				if same && mine == other {
					equal++
				}
			}
			if best && !slices.Contains(owned, c) {
				owned = append(owned, c)
			}
			if best && equal > 1 && !slices.Contains(tie, c) {
				tie = append(tie, c)
			}
		}
	}
	return owned, tie
}

func sameName(a, b *objects.Object) bool {
	return a.Group == b.Group && a.Kind == b.Kind && a.Name == b.Name
}

// namespacesFor returns the namespaces in which a candidate competes: its own or, if that is unknown, those of all rivals.
func namespacesFor(c *objects.Object, candidates []*objects.Object) []string {
	if c.Namespace != "" {
		return []string{c.Namespace}
	}
	namespaces := map[string]bool{}
	for _, rival := range candidates {
		if sameName(rival, c) && rival.Namespace != "" {
			namespaces[rival.Namespace] = true
		}
	}
	if len(namespaces) == 0 {
		return []string{""}
	}
	return slices.Sorted(maps.Keys(namespaces))
}

func TestNearnessAgainstItsDefinition(t *testing.T) {
	t.Parallel()
	eachRandomTree(t, func(t *testing.T, r *rand.Rand, u *objects.Unit) {
		from := u.Objects[r.IntN(len(u.Objects))]
		candidate := u.Objects[r.IntN(len(u.Objects))]
		namesakes := u.Find(objects.Query{Kind: from.Kind, Name: from.Name})
		if r.IntN(4) == 0 {
			namesakes = slices.DeleteFunc(namesakes, func(o *objects.Object) bool { return o == from })
		}
		owned, tie := u.Owns(from, namesakes, candidate)
		wantOwned, wantTie := naiveOwns(from, namesakes, candidate)
		if owned != wantOwned || !slices.Equal(tie, wantTie) {
			t.Errorf("Owns: %v %v, want %v %v", owned, refs(tie), wantOwned, refs(wantTie))
		}
		if diff := cmp.Diff(naiveAssignments(from, namesakes, u.Objects), assignmentsOf(from, namesakes, u.Objects)); diff != "" {
			t.Errorf("Deal: %s", diff)
		}
		near, tie := u.Near(from, u.Objects)
		wantNear, wantTie := naiveNear(from, u.Objects)
		if diff := cmp.Diff(refs(wantNear), refs(near)); diff != "" {
			t.Errorf("Near: %s", diff)
		}
		if diff := cmp.Diff(refs(wantTie), refs(tie)); diff != "" {
			t.Errorf("tie of Near: %s", diff)
		}
	})
}
