package engine

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// refuseNamed refuses the plans that delete a file which a text names, or the last file of a folder which a text names: what
// reads it there would fail.
func (m *merger) refuseNamed(file string, removals []*plannedChange) {
	why := m.namedInText(file)
	if why == "" {
		return
	}
	m.refuse(removals, &Refusal{Reason: why + ": remove that reference first"})
}

// namedInText returns which text names a file that is deleted, or a folder that is left without manifests; "" if none does.
func (m *merger) namedInText(file string) string {
	if ref, ok := m.c.Lookups.AppliedByName(file); ok {
		return fmt.Sprintf("%s would be deleted, but %s", file, ref.Names("it"))
	}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if !m.isEmptied(dir) && entryTarget(file) != dir {
			return ""
		}
		if ref, ok := m.c.Lookups.AppliedByName(dir); ok {
			return fmt.Sprintf("nothing in %s would be applied any longer, but %s", dir, ref.Names("the folder"))
		}
	}
	return ""
}

// isEmptied reports whether a folder has no manifest after the changes of the run.
func (m *merger) isEmptied(dir string) bool {
	stays := func(file string) bool { return !m.deleted[file] }
	for file := range m.documents {
		if path.Dir(file) == dir {
			return false
		}
	}
	return !slices.ContainsFunc(m.c.Lookups.FilesIn(dir), stays) && !strings.HasPrefix(dir, "..")
}
