package engine

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Steps returns the changes of plans in a sequence that can be interrupted after every write: first what grants something and the
// entries that apply it, then the other changes, and last what is removed. A file with changes of several steps is written
// several times. After each step a unit builds, and every identity has the permissions that it needs. final are the files after
// all changes. The error is about a file that could not be read.
func Steps(c *Context, plans []*Plan, final []FileChange) ([]commit.Write, error) {
	s := stepWriter{c: c, now: map[string][]byte{}, depths: map[string]int{}}
	for _, order := range []int{commit.OrderGrant, commit.OrderOther} {
		files, ok, err := s.partial(plans, order)
		if err != nil {
			return nil, err
		}
		if ok {
			s.add(files, order)
		}
	}
	s.add(final, commit.OrderRemoval)
	return s.writes, nil
}

// stepWriter collects the writes of several steps.
type stepWriter struct {
	c      *Context
	writes []commit.Write
	// now are the contents after the steps so far.
	now    map[string][]byte
	order  int
	depths map[string]int
}

// partial returns the files after the changes of the steps up to one. ok is false if there are none, or if they cannot be made
// without those of the later steps, which then include them.
func (s *stepWriter) partial(plans []*Plan, last int) (files []FileChange, ok bool, err error) {
	var parts []*Plan
	for _, p := range plans {
		if part := p.until(last); len(part.files()) > 0 {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return nil, false, nil
	}
	merged, err := Merge(s.c, parts)
	return merged.Files, err == nil && len(merged.Refused) == 0, err
}

// until returns a copy of a plan that has only the changes of the steps up to one.
func (p *Plan) until(last int) *Plan {
	part := *p
	part.Needs = nil
	part.Changes = slices.DeleteFunc(slices.Clone(p.Changes), func(c Change) bool { return p.stepOf(c.Op, c.Order) > last })
	part.Texts = slices.DeleteFunc(slices.Clone(p.Texts), func(t TextChange) bool { return p.stepOf(SetText, t.Order) > last })
	return &part
}

// stepOf returns the step in which a change is made. What a list or kustomization gains is a grant.
func (p *Plan) stepOf(op Op, order int) int {
	switch {
	case order == commit.OrderRemoval, p.Kind == finding.Prune:
		return commit.OrderRemoval
	case op == AppendItem && order <= commit.OrderKustomization:
		return commit.OrderGrant
	}
	return commit.OrderOther
}

// add adds the writes of a step in their order.
func (s *stepWriter) add(files []FileChange, order int) {
	var changed []FileChange
	for _, f := range files {
		if before, written := s.now[f.Path]; written {
			f.Before = before
		}
		if (f.Before == nil) != (f.After == nil) || !bytes.Equal(f.Before, f.After) {
			changed = append(changed, f)
		}
	}
	rank := map[string]int{}
	for _, f := range changed {
		rank[f.Path] = s.rank(f, order)
	}
	slices.SortStableFunc(changed, func(a, b FileChange) int {
		return cmp.Or(cmp.Compare(rank[a.Path], rank[b.Path]), cmp.Compare(s.depth(a.Path), s.depth(b.Path)), strings.Compare(a.Path, b.Path))
	})
	for i, f := range s.unlistedFirst(changed) {
		if i == 0 || rank[f.Path] != rank[s.writes[len(s.writes)-1].Path] {
			s.order++
		}
		s.now[f.Path] = f.After
		s.writes = append(s.writes, commit.Write{Path: f.Path, Before: f.Before, After: f.After, Order: s.order})
	}
}

// unlistedFirst lets a file be deleted directly after the kustomizations that listed it: in between, it looks like a separate
// manifest.
func (s *stepWriter) unlistedFirst(changed []FileChange) []FileChange {
	inStep := map[string]bool{}
	for _, f := range changed {
		inStep[f.Path] = true
	}
	listed, waits := map[string][]FileChange{}, map[string]int{} // by the kustomization; how many kustomizations a file waits for
	for _, f := range changed {
		for _, parent := range s.parents(f.Path) {
			if f.After == nil && inStep[parent] && parent != f.Path {
				listed[parent] = append(listed[parent], f)
				waits[f.Path]++
			}
		}
	}
	sequence, written := make([]FileChange, 0, len(changed)), map[string]bool{}
	var write func(f FileChange)
	write = func(f FileChange) {
		if written[f.Path] {
			return
		}
		written[f.Path] = true
		sequence = append(sequence, f)
		for _, next := range listed[f.Path] {
			if waits[next.Path]--; waits[next.Path] == 0 {
				write(next)
			}
		}
	}
	for _, f := range changed {
		if waits[f.Path] == 0 {
			write(f)
		}
	}
	for _, f := range changed {
		write(f) // kustomizations that list each other
	}
	return sequence
}

// parents returns the kustomizations that list a file or read it, each once.
func (s *stepWriter) parents(file string) []string {
	var parents []string
	for _, entry := range s.c.entriesFor(file) {
		parents = append(parents, entry.doc.File.Path)
	}
	slices.Sort(parents)
	return slices.Compact(parents)
}

// rank returns the position of a write in its step.
func (s *stepWriter) rank(f FileChange, order int) int {
	isKustomization := objects.IsKustomizationFile(f.Path)
	switch {
	case order == commit.OrderGrant && isKustomization:
		return 1 // lists files that must exist
	case order == commit.OrderGrant:
		return 0
	case isKustomization && f.After != nil, s.c.isPatch(f.Path) && order == commit.OrderOther:
		return 1 // before what it names changes
	case order == commit.OrderOther:
		return s.rankOfEdit(f)
	}
	return s.rankOfRemoval(f)
}

// rankOfEdit returns the position of an edit: bindings come before the extensions that rely on them.
func (s *stepWriter) rankOfEdit(f FileChange) int {
	isRBAC := func(group, _ string) bool { return group == rbac.Group }
	if f.Before == nil || s.all(f, isRBAC) {
		return 0
	}
	return 2
}

// rankOfRemoval returns the position of a removal: what refers to something is removed before it.
func (s *stepWriter) rankOfRemoval(f FileChange) int {
	switch {
	case f.Before == nil:
		return 0
	case objects.IsKustomizationFile(f.Path):
		return 2
	case s.c.isPatch(f.Path):
		return 3
	case s.any(f, func(group, kind string) bool { return group == "" && kind == rbac.KindServiceAccount }):
		return 6
	case s.any(f, func(group, kind string) bool { return group == rbac.Group && (kind == "Role" || kind == "ClusterRole") }):
		return 5
	}
	return 4
}

func (s *stepWriter) all(f FileChange, is func(group, kind string) bool) bool {
	return len(f.Changes) > 0 && !s.any(f, func(group, kind string) bool { return !is(group, kind) })
}

// any reports whether a change of a file is about a kind of objects.
func (s *stepWriter) any(f FileChange, is func(group, kind string) bool) bool {
	file, err := s.c.Repo.File(f.Path)
	if err != nil || file == nil {
		return false
	}
	return slices.ContainsFunc(f.Changes, func(c Change) bool {
		if c.Document >= len(file.Docs) || file.Docs[c.Document].Parse() != nil {
			return false
		}
		doc := file.Docs[c.Document]
		return slices.ContainsFunc(objects.AllObjects(doc), func(o *objects.Object) bool {
			within := len(o.Path) <= len(c.Path) && slices.Equal(o.Path, c.Path[:len(o.Path)])
			return within && is(o.Group, o.Kind)
		})
	})
}

// maxDepth limits how deep kustomizations are followed: they can list each other.
const maxDepth = 100

// depth returns how many kustomizations lie between a kustomization, or a file that one reads, and the top: an overlay names
// what its base contains, so it changes first.
func (s *stepWriter) depth(file string) int { return s.depthBelow(file, maxDepth) }

func (s *stepWriter) depthBelow(file string, left int) int {
	if depth, known := s.depths[file]; known || left == 0 {
		return depth
	}
	s.depths[file] = 0 // for kustomizations that list each other
	deepest := 0
	for _, parent := range s.parents(file) {
		if parent != file {
			deepest = max(deepest, 1+s.depthBelow(parent, left-1))
		}
	}
	s.depths[file] = deepest
	return deepest
}
