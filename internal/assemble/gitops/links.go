package gitops

import "github.com/salint/salint/internal/assemble/gitops/sources"

// hasLink reports whether a folder has a symbolic link. Git has no empty folders, so one that has only links exists.
func (f *files) hasLink(dir string) bool {
	for link := range f.tree.Links() {
		if _, inside := sources.Below(dir, link); inside {
			return true
		}
	}
	return false
}
