package objects

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
)

// FolderIndex is a set of objects, indexed by folder, that finds the ones nearest to another object.
type FolderIndex struct {
	// below holds the objects in each folder and all folders below it.
	below   map[string][]*Object
	members map[*Object]bool
	ties    sync.Map // []*Object by folder: see tieIn
}

// NewFolderIndex returns an index of the objects. Results keep their order.
func NewFolderIndex(objects []*Object) *FolderIndex {
	n := &FolderIndex{below: map[string][]*Object{}, members: map[*Object]bool{}}
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

// Nearest returns the objects that share the deepest common folder with the file of another object.
func (n *FolderIndex) Nearest(to *Object) []*Object {
	found, _ := n.nearest(to)
	return found
}

// nearest returns the depth of the common folder too: -1 for an empty set.
func (n *FolderIndex) nearest(to *Object) (found []*Object, depth int) {
	folder := n.nearestFolder(to)
	if found = n.below[folder]; len(found) == 0 {
		return nil, -1
	}
	return found, depthOf(folder)
}

// nearestFolder goes up from the file's folder to the first one that contains objects of the set, otherwise to the top.
func (n *FolderIndex) nearestFolder(to *Object) string {
	folder := path.Dir(to.File)
	for len(n.below[folder]) == 0 && !isTop(folder) {
		folder = path.Dir(folder)
	}
	return folder
}

// Owns answers [Unit.Owns] for a plain unit, with the members of the set as namesakes.
func (n *FolderIndex) Owns(from, candidate *Object) (owned bool, tie []*Object) {
	nearest, depth := n.nearest(candidate)
	switch own := depthOf(commonFolder(from.File, candidate.File)); {
	case own < depth:
		return false, nil
	case own > depth:
		return true, nil
	}
	if !n.members[from] {
		return true, tieOf(append(slices.Clone(nearest), from))
	}
	return true, n.tieIn(n.nearestFolder(candidate))
}

// tieIn returns the members below a folder as the tie of a candidate for which it is the nearest folder. There is none if the
// candidate is beside a folder that has a subfolder for each of the members, as common/ is beside clusters/: then it belongs
// to each of them.
func (n *FolderIndex) tieIn(folder string) []*Object {
	if tie, known := n.ties.Load(folder); known {
		return tie.([]*Object)
	}
	tie := tieOf(n.below[folder])
	if common := n.deepestCommon(folder); common != folder && !slices.ContainsFunc(tie, func(o *Object) bool { return !n.isAloneBelow(common, o) }) {
		tie = nil
	}
	n.ties.Store(folder, tie)
	return tie
}

// deepestCommon returns the deepest folder with all members that are below a folder.
func (n *FolderIndex) deepestCommon(folder string) string {
	for all := n.below[folder]; len(all) > 0; {
		next := childTowards(folder, all[0])
		if next == folder || len(n.below[next]) != len(all) {
			break
		}
		folder = next
	}
	return folder
}

// isAloneBelow reports whether a member is in a subfolder of a folder, without other members.
func (n *FolderIndex) isAloneBelow(folder string, member *Object) bool {
	child := childTowards(folder, member)
	return child != folder && len(n.below[child]) == 1
}

// childTowards returns the subfolder of a folder that contains the file of an object; the folder itself if the file is
// directly in it.
func childTowards(folder string, o *Object) string {
	dir := path.Dir(o.File)
	if dir == folder {
		return folder
	}
	rest := dir
	if !isTop(folder) {
		rest = strings.TrimPrefix(dir, folder+"/")
	}
	first, _, _ := strings.Cut(rest, "/")
	return path.Join(folder, first)
}

// Assign assigns each candidate to the members of the set that own it, as Owns does, for all members at once.
func (n *FolderIndex) Assign(candidates []*Object) *Assignments {
	s := &Assignments{members: n, candidates: candidates, byFolder: map[string][]int{}}
	for i, candidate := range candidates {
		folder := n.nearestFolder(candidate)
		s.byFolder[folder] = append(s.byFolder[folder], i)
	}
	return s
}

// Assignments are candidates assigned to the members of a set.
type Assignments struct {
	members    *FolderIndex
	candidates []*Object
	// byFolder holds the candidates by folder: a candidate belongs to all members below its folder.
	byFolder map[string][]int
}

// Assignment is a candidate, by its index in the assigned list, and its tie as in Owns.
type Assignment struct {
	Candidate int
	Tie       []*Object
}

// Of lists the candidates that belong to an object, in their order. It is fast for members of the set.
func (s *Assignments) Of(from *Object) []Assignment {
	var shares []Assignment
	if !s.members.members[from] {
		for i, candidate := range s.candidates {
			if owned, tie := s.members.Owns(from, candidate); owned {
				shares = append(shares, Assignment{i, tie})
			}
		}
		return shares
	}
	for folder := path.Dir(from.File); ; folder = path.Dir(folder) {
		for _, i := range s.byFolder[folder] {
			shares = append(shares, Assignment{i, s.members.tieIn(folder)})
		}
		if isTop(folder) {
			break
		}
	}
	slices.SortFunc(shares, func(a, b Assignment) int { return cmp.Compare(a.Candidate, b.Candidate) })
	return shares
}

// tieOf returns the nearest objects as a tie: a single object is not a tie.
func tieOf(nearest []*Object) []*Object {
	if len(nearest) < 2 {
		return nil
	}
	return nearest
}

// commonFolder is the deepest folder that contains two files.
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
