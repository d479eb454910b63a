package gitops

import (
	"maps"
	"path"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/files/pathset"
)

// linkedFolder returns where the links in the path of a source of Argo CD lead. Argo CD follows them in the folders above, but it walks through the
// folder itself to see what is in it, and such a walk does not begin at a link (Discover in util/app/discovery, findManifests in
// reposerver/repository). It runs kustomize or Helm there if the source has settings for it, as entered says.
func (f *files) linkedFolder(dir string, entered bool) (real string, stops bool) {
	if !f.known() {
		return dir, false
	}
	links := pathset.Links(f.tree.Links())
	real = path.Join(links.Real(path.Dir(dir)), path.Base(dir))
	if to := links[real]; to != "" && f.HasFolder(links.Real(to)) {
		return links.Real(to), !entered
	}
	return real, false
}

// realFile returns where a path leads through symbolic links.
func (f *files) realFile(name string) string {
	if !f.known() {
		return name
	}
	return pathset.Links(f.tree.Links()).Real(name)
}

// linkedFiles returns the symbolic links that lead to files.
func (f *files) linkedFiles() []string {
	if !f.known() {
		return nil
	}
	links := pathset.Links(f.tree.Links())
	return slices.DeleteFunc(slices.Collect(maps.Keys(links)), func(link string) bool { return !f.HasFile(links.Real(link)) })
}

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
