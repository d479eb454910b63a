package fixers

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// entryFields are the lists of a kustomization that go with their last item.
var entryFields = []string{"patches", "patchesStrategicMerge", "patchesJson6902", "replacements", "components"}

// collapseEntries removes lists of kustomizations, and of what these read, that lose all their items: the list itself, or
// what is nothing without it. It is true when something came of that.
func (s *settling) collapseEntries() (bool, error) {
	again := false
	for _, removed := range s.removedItems(func(c Change) bool { return s.emptiedOwner(c) != nil }) {
		first := removed[0]
		doc, err := s.document(first.File, first.Document)
		if err != nil {
			return false, err
		}
		n := doc.Root.Lookup(first.Path[:len(first.Path)-1])
		if n.IsSequence() && len(n.Items) == len(removed) && !s.appends(first.Change) &&
			s.removeWhole(first.File, first.Document, s.emptiedOwner(first.Change), removed) {
			again = true
		}
	}
	return again, nil
}

// removedItems groups the removals that are asked for by what they are taken from, in the order in which they came.
func (s *settling) removedItems(wanted func(Change) bool) [][]*owned {
	at := map[string]int{}
	var groups [][]*owned
	for _, key := range s.order {
		change := s.changes[key]
		if change.Op != RemoveValue || len(change.Path) == 0 || !wanted(change.Change) {
			continue
		}
		list := Change{File: change.File, Document: change.Document, Path: change.Path[:len(change.Path)-1]}.key()
		i, known := at[list]
		if !known {
			i = len(groups)
			at[list], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], change)
	}
	return groups
}

// emptiedOwner is what goes when the list goes of which an item is removed: an empty path is the document; nil is for a list
// that may be empty.
func (s *settling) emptiedOwner(c Change) manifest.Path {
	n := len(c.Path)
	isEntry := objects.IsKustomizationFile(c.File)
	inTarget := n >= 2 && (c.Path[n-2] == "fieldPaths" || c.Path[n-2] == "targets")
	switch {
	case n == 2 && isEntry && slices.Contains(entryFields, c.Path[0]):
		return c.Path[:1]
	case n == 1 && !isEntry && s.c.isPatch(c.File):
		return manifest.Path{}
	case inTarget && (isEntry || s.c.isPatch(c.File)):
		return c.Path[:n-2].Join()
	}
	return nil
}

// appends tells whether something is added to the list of which an item is removed.
func (s *settling) appends(c Change) bool {
	list := c.Path[:len(c.Path)-1]
	for _, key := range s.order {
		if o := s.changes[key]; o.Op == AppendItem && o.File == c.File && o.Document == c.Document && slices.Equal(o.Path, list) {
			return true
		}
	}
	return false
}

// emptyKustomizations removes kustomizations that others list and that say nothing any more, which kustomize refuses.
func (s *settling) emptyKustomizations() (bool, error) {
	fields := map[string][]*owned{}
	var files []string
	for _, key := range s.order {
		change := s.changes[key]
		if !objects.IsKustomizationFile(change.File) || change.Op == RemoveDocument {
			continue
		}
		if fields[change.File] == nil {
			files = append(files, change.File)
		}
		fields[change.File] = append(fields[change.File], change)
	}
	again := false
	for _, file := range files {
		doc, err := s.document(file, fields[file][0].Document)
		if err != nil {
			return false, err
		}
		if saysNothing(doc, fields[file]) && s.removeWhole(file, doc.Index, nil, fields[file]) {
			again = true
		}
	}
	return again, nil
}

// saysNothing tells whether a kustomization is left without any field that does something.
func saysNothing(doc *manifest.Document, changes []*owned) bool {
	gone := map[string]bool{"apiVersion": true, "kind": true, "metadata": true}
	for _, change := range changes {
		if change.Op == RemoveValue && len(change.Path) == 1 {
			gone[change.Path[0]] = true
		} else if change.Op != RemoveValue {
			return false
		}
	}
	return !slices.ContainsFunc(doc.Root.Fields, func(f manifest.Field) bool { return !gone[f.Key.String()] })
}

// removeEntries removes from kustomizations what leads to a file that goes; true when something was left to remove.
func (s *settling) removeEntries(file string, because []*owned) bool {
	found := false
	for _, l := range s.c.entriesFor(file) {
		entry := Change{File: l.doc.File.Path, Document: l.doc.Index, Op: RemoveValue, Path: l.path, Order: repo.OrderOther}
		found = found || s.changes[entry.key()] == nil
		for _, change := range because {
			s.add(entry, change.plans...)
		}
	}
	return found
}

// entryOf is what kustomizations list to apply a file: itself, or the folder of a kustomization.
func entryOf(file string) string {
	if objects.IsKustomizationFile(file) {
		return path.Dir(file)
	}
	return file
}

// leadsTo is an item of a kustomization that leads to a file.
type leadsTo struct {
	doc  *manifest.Document
	path manifest.Path
}

// entriesFor finds what leads to a file: entries that list it or, for a kustomization, its folder, and those that read it.
func (c *Context) entriesFor(file string) []leadsTo {
	c.indexed.Do(c.index)
	var all []leadsTo
	for _, l := range c.listings(entryOf(file)) {
		all = append(all, leadsTo{l.kustomization.Doc, l.entry.Path})
	}
	for _, k := range c.all {
		for _, claim := range k.NonObjectInputs {
			if claim.File == file {
				all = append(all, leadsTo{k.Doc, claim.Path})
			}
		}
	}
	return all
}
