package gitops

import (
	"maps"
	"path"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops/sources"
)

// hasLink reports whether a folder has a symbolic link. Git has no empty folders, so one that has only links exists.
func (f *files) hasLink(dir string) bool {
	for link := range f.tree.Links() {
		if _, inside := sources.Below(dir, link); inside {
			return true
		}
	}
	return false
}

// foldersOfLinks returns the folders that have only symbolic links, sorted.
func (f *files) foldersOfLinks() []string {
	found := map[string]bool{}
	for link := range f.tree.Links() {
		for dir := path.Dir(link); dir != "." && dir != "/" && !f.HasFolder(dir); dir = path.Dir(dir) {
			found[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}
