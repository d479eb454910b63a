package objects

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

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

// nearest returns the depth of the common folder too: -1 when the set is empty.
func (n *Neighbours) nearest(to *Object) (found []*Object, depth int) {
	folder := n.nearestFolder(to)
	if found = n.below[folder]; len(found) == 0 {
		return nil, -1
	}
	return found, depthOf(folder)
}

// nearestFolder goes up from the file's folder to the first one below which there are objects, else to the top.
func (n *Neighbours) nearestFolder(to *Object) string {
	folder := path.Dir(to.File)
	for len(n.below[folder]) == 0 && !isTop(folder) {
		folder = path.Dir(folder)
	}
	return folder
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
	return true, tieOf(nearest)
}

// Deal says of each candidate which members of the set it belongs to, as Owns does, for all members at once.
func (n *Neighbours) Deal(candidates []*Object) *Shares {
	s := &Shares{among: n, candidates: candidates, byFolder: map[string][]int{}}
	for i, candidate := range candidates {
		folder := n.nearestFolder(candidate)
		s.byFolder[folder] = append(s.byFolder[folder], i)
	}
	return s
}

// Shares are candidates dealt out among the members of a set.
type Shares struct {
	among      *Neighbours
	candidates []*Object
	// byFolder holds the candidates by the folder through which they belong to members: to all those below it.
	byFolder map[string][]int
}

// Share is a candidate, by its place in the list that was dealt out, and the tie over it as in Owns.
type Share struct {
	Candidate int
	Tie       []*Object
}

// Of lists the candidates that belong to an object, in their order. It is fast for members of the set.
func (s *Shares) Of(from *Object) []Share {
	var shares []Share
	if !s.among.members[from] {
		for i, candidate := range s.candidates {
			if owned, tie := s.among.Owns(from, candidate); owned {
				shares = append(shares, Share{i, tie})
			}
		}
		return shares
	}
	for folder := path.Dir(from.File); ; folder = path.Dir(folder) {
		for _, i := range s.byFolder[folder] {
			shares = append(shares, Share{i, tieOf(s.among.below[folder])})
		}
		if isTop(folder) {
			break
		}
	}
	slices.SortFunc(shares, func(a, b Share) int { return cmp.Compare(a.Candidate, b.Candidate) })
	return shares
}

// tieOf turns the nearest objects into the tie: one alone has none.
func tieOf(nearest []*Object) []*Object {
	if len(nearest) < 2 {
		return nil
	}
	return nearest
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
