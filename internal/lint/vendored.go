package lint

import (
	"bytes"
	"maps"
	"path"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// selected reports whether the paths of the command line contain a file, and it is not left out as a dependency.
func (r *run) selected(file string) bool { return r.tree.Selected(file) && !r.dependencyFiles[file] }

// ownNames returns the files that are not left out as dependencies.
func (r *run) ownNames() []string {
	if len(r.dependencyFiles) == 0 {
		return r.Names
	}
	return slices.DeleteFunc(slices.Clone(r.Names), func(name string) bool { return r.dependencyFiles[name] })
}

// dependencies returns the files in folders of dependencies, such as vendor/, that nothing outside of such folders applies, as far as
// salint reads it.
// Nothing is reported about them. They are context like all other files: a fix takes into account what they apply and name.
func (s *Session) dependencies(files *snapshot) map[string]bool {
	if s.Vendored == nil {
		return nil
	}
	found := map[string]bool{}
	for _, name := range files.Names {
		if s.Vendored(name) {
			found[name] = true
		}
	}
	if len(found) == 0 {
		return nil
	}
	named := s.appliedByName(files)
	used, roots := map[string]bool{}, map[string]bool{}
	for _, u := range files.units {
		u = u.AppliedBy()
		roots[u.Root] = roots[u.Root] || u.Kind != objects.PlainUnit
		if s.isOwnUnit(u) || u.Kind != objects.PlainUnit && named(u.Root) {
			for _, file := range u.ReadOf(found) {
				used[file] = true
			}
		}
	}
	maps.DeleteFunc(found, func(file string, _ bool) bool { return used[file] || s.isNamed(file, named, roots) })
	return found
}

// isNamed reports whether a file is applied by its name, or with all files of a folder without a kustomization or chart.
func (s *Session) isNamed(file string, named func(string) bool, roots map[string]bool) bool {
	for at := file; s.Vendored(at) && !roots[at]; at = path.Dir(at) {
		if named(at) {
			return true
		}
	}
	return false
}

// appliedByName returns a function that reports whether something outside of folders of dependencies applies a file or folder in one of
// them that no deployment unit shows: an application whose clusters are unknown, a command in a script, build file, or pipeline, or the
// settings of Fleet, helmfile, or skaffold.
func (s *Session) appliedByName(files *snapshot) func(string) bool {
	paths := pathset.Of(files.Names)
	built := &textpaths.Built{IsFolder: func(target string) bool { return target != "." && paths.Has(target) }, Files: true}
	for file, data := range files.textsOf(func(file string) bool { return textpaths.MayBuild(file) && !s.Vendored(file) }) {
		if slices.ContainsFunc(folderNames, func(name []byte) bool { return bytes.Contains(data, name) }) {
			built.Add(file, data)
		}
	}
	var sources []gitops.UnresolvedSource
	for _, u := range files.applications.Result.Unresolved {
		if s.Vendored(path.Join(u.Path, "x")) && !s.Vendored(u.Location.Object.File) {
			sources = append(sources, u)
		}
	}
	return func(at string) bool {
		return s.Vendored(at) && built.Has(at) || slices.ContainsFunc(sources, func(u gitops.UnresolvedSource) bool { return u.Covers(at) })
	}
}

// folderNames are the names of folders of dependencies.
var folderNames = [][]byte{[]byte("vendor"), []byte("node_modules")}

// isOwnUnit reports whether a unit is applied from outside of folders of dependencies. Plain files are read by nothing but their folder.
func (s *Session) isOwnUnit(u *objects.Unit) bool {
	if u.Kind == objects.PlainUnit {
		return false
	}
	isOwn := func(by objects.Applier) bool { return by.Object != nil && !s.Vendored(by.Object.File) }
	return !s.Vendored(path.Join(u.Root, "kustomization.yaml")) || slices.ContainsFunc(u.Appliers, isOwn)
}

// vendoredNote returns the note with the number of files in the paths of the command line that are left out as dependencies and hold something that rules judge; "" if
// there are none.
func (s *Session) vendoredNote() string {
	judged := map[string]bool{}
	for file := range s.snapshot.Files {
		judged[file] = true
	}
	for _, u := range s.snapshot.unread() {
		judged[u.File] = true
	}
	n := 0
	for file := range s.snapshot.dependencyFiles {
		if judged[file] && s.Tree.Selected(file) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return "not checked: " + vendoredFiles(n, "file") + ", which nothing outside of them applies, as far as salint reads it: " + checkVendored
}

const checkVendored = "pass a folder to check it, or set `vendored: true` in .salint.yaml"

func vendoredFiles(n int, what string) string {
	return plural(n, what) + " in folders named vendor or node_modules"
}
