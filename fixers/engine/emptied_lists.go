package engine

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// entryFields are the lists of a kustomization that are removed with their last item.
var entryFields = []string{"patches", "patchesStrategicMerge", "patchesJson6902", "replacements", "components"}

// removeEmptiedEntries removes lists of kustomizations, and of files that these read, that lose all their items: the list, or
// the element that needs it. It reports whether it added a removal.
func (m *merger) removeEmptiedEntries() (bool, error) {
	again := false
	appended := m.appendedLists()
	for _, removed := range m.removedItems(func(c Change) bool { return m.emptiedOwner(c) != nil }) {
		first := removed[0]
		doc, err := m.document(first.File, first.Document)
		if err != nil {
			return false, err
		}
		n := doc.Root.Lookup(first.Path[:len(first.Path)-1])
		if n.IsSequence() && len(n.Items()) == len(removed) && !appended[listOf(first.Change).key()] &&
			m.removeWhole(first.File, first.Document, m.emptiedOwner(first.Change), removed) {
			again = true
		}
	}
	return again, nil
}

// removedItems groups the removals by the list or mapping that they remove from, in the order of the changes.
func (m *merger) removedItems(wanted func(Change) bool) [][]*plannedChange {
	at := map[string]int{}
	var groups [][]*plannedChange
	for _, key := range m.order {
		change := m.changes[key]
		if change.Op != RemoveValue || len(change.Path) == 0 || !wanted(change.Change) {
			continue
		}
		list := listOf(change.Change).key()
		i, known := at[list]
		if !known {
			i = len(groups)
			at[list], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], change)
	}
	return groups
}

// emptiedOwner returns the path of what is removed if a change removes the last item of a list: an empty path for the
// document, nil if the list can be empty.
func (m *merger) emptiedOwner(c Change) manifest.Path {
	n := len(c.Path)
	isEntry := objects.IsKustomizationFile(c.File)
	inTarget := n >= 2 && (c.Path[n-2] == "fieldPaths" || c.Path[n-2] == "targets")
	switch {
	case n == 2 && isEntry && slices.Contains(entryFields, c.Path[0]):
		return c.Path[:1]
	case n == 1 && !isEntry && m.c.Repo.isPatch(c.File):
		return manifest.Path{}
	case inTarget && (isEntry || m.c.Repo.isPatch(c.File)):
		return c.Path[:n-2].Join()
	}
	return nil
}

// appendedLists returns the keys of the lists to which changes append.
func (m *merger) appendedLists() map[string]bool {
	lists := map[string]bool{}
	for _, change := range m.changes {
		if change.Op == AppendItem {
			lists[Change{File: change.File, Document: change.Document, Path: change.Path}.key()] = true
		}
	}
	return lists
}

// listOf returns the list or mapping from which a change removes, as a change without an operation.
func listOf(c Change) Change {
	return Change{File: c.File, Document: c.Document, Path: c.Path[:len(c.Path)-1]}
}

// removeEmptiedKustomizations removes kustomizations that are listed by others and lose all their fields: kustomize refuses
// an empty one.
func (m *merger) removeEmptiedKustomizations() (bool, error) {
	fields := map[string][]*plannedChange{}
	var files []string
	for _, key := range m.order {
		change := m.changes[key]
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
		doc, err := m.document(file, fields[file][0].Document)
		if err != nil {
			return false, err
		}
		if isEmptied(doc, fields[file]) && m.removeWhole(file, doc.Index, nil, fields[file]) {
			again = true
		}
	}
	return again, nil
}

// isEmptied reports whether a kustomization has no field with an effect after some changes.
func isEmptied(doc *manifest.Document, changes []*plannedChange) bool {
	gone := map[string]bool{"apiVersion": true, "kind": true, "metadata": true}
	for _, change := range changes {
		if change.Op == RemoveValue && len(change.Path) == 1 {
			gone[change.Path[0]] = true
		} else if change.Op != RemoveValue {
			return false
		}
	}
	return !slices.ContainsFunc(doc.Root.Fields(), func(f manifest.Field) bool { return !gone[f.Key.String()] })
}

// removeEntries removes the entries of kustomizations for a file that is deleted. It reports whether it added a removal.
func (m *merger) removeEntries(file string, because []*plannedChange) bool {
	found := false
	for _, l := range m.c.Repo.entriesFor(file) {
		entry := Change{File: l.doc.File.Path, Document: l.doc.Index, Op: RemoveValue, Path: l.path, Order: repo.OrderOther}
		found = found || m.changes[entry.key()] == nil
		for _, change := range because {
			m.add(entry, change.plans...)
		}
	}
	return found
}

// entryTarget returns what kustomizations list in order to apply a file: the file, or the folder of a kustomization.
func entryTarget(file string) string {
	if objects.IsKustomizationFile(file) {
		return path.Dir(file)
	}
	return file
}

// fileEntry is an item of a kustomization that refers to a file.
type fileEntry struct {
	doc  *manifest.Document
	path manifest.Path
}

// entriesFor returns the entries that list a file or, for a kustomization, its folder, and the entries that read the file.
func (r *Repository) entriesFor(file string) []fileEntry {
	r.indexed.Do(r.index)
	var all []fileEntry
	for _, l := range r.listings(entryTarget(file)) {
		all = append(all, fileEntry{l.kustomization.Doc, l.entry.Path})
	}
	for _, k := range r.allKustomizations {
		for _, claim := range k.NonObjectInputs {
			if claim.File == file {
				all = append(all, fileEntry{k.Doc, claim.Path})
			}
		}
	}
	return all
}
