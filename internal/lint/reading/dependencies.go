package reading

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

// ownNames returns the files that are not left out as dependencies.
func (s *Snapshot) ownNames() []string {
	names := s.Collection.Names
	if len(s.Dependencies) == 0 {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return s.Dependencies[name] })
}

// dependencies finds the files in folders of dependencies.
type dependencies struct {
	// isVendored reports whether a file is in a folder of dependencies that the user did not name; nil if nothing is left out as one.
	isVendored func(file string) bool
	snapshot   *Snapshot
}

// unused returns the files in folders of dependencies, such as vendor/, that nothing outside of such folders applies, as far as
// salint reads it.
// Nothing is reported about them. They are context like all other files: a fix takes into account what they apply and name.
func (d dependencies) unused() map[string]bool {
	if d.isVendored == nil {
		return nil
	}
	found := map[string]bool{}
	for _, name := range d.snapshot.Collection.Names {
		if d.isVendored(name) {
			found[name] = true
		}
	}
	if len(found) == 0 {
		return nil
	}
	named := d.appliedByName()
	used, roots := map[string]bool{}, map[string]bool{}
	for _, u := range d.snapshot.Units {
		u = u.AppliedBy()
		roots[u.Root] = roots[u.Root] || u.Kind != objects.PlainUnit
		if d.isOwnUnit(u) || u.Kind != objects.PlainUnit && named(u.Root) {
			for _, file := range u.ReadOf(found) {
				used[file] = true
			}
		}
	}
	maps.DeleteFunc(found, func(file string, _ bool) bool { return used[file] || d.isNamed(file, named, roots) })
	return found
}

// isNamed reports whether a file is applied by its name, or with all files of a folder without a kustomization or chart.
func (d dependencies) isNamed(file string, named func(string) bool, roots map[string]bool) bool {
	for at := file; d.isVendored(at) && !roots[at]; at = path.Dir(at) {
		if named(at) {
			return true
		}
	}
	return false
}

// appliedByName returns a function that reports whether something outside of folders of dependencies applies a file or folder in one of
// them that no deployment unit shows: an application whose clusters are unknown, a command in a script, build file, or pipeline, or the
// settings of Fleet, helmfile, or skaffold.
func (d dependencies) appliedByName() func(string) bool {
	built := &textpaths.Built{IsFolder: isPathIn(d.snapshot.Collection.Names), Files: true}
	for file, data := range d.snapshot.Texts(func(file string) bool {
		return textpaths.MayBuild(file) && !textpaths.IsDocument(file) && !d.isVendored(file)
	}) {
		if slices.ContainsFunc(folderNames, func(name []byte) bool { return bytes.Contains(data, name) }) {
			built.Add(file, data)
		}
	}
	var sources []gitops.UnresolvedSource
	for _, u := range d.snapshot.Applications.Result.Unresolved {
		if d.isVendored(path.Join(u.Path, "x")) && !d.isVendored(u.Location.Object.File) {
			sources = append(sources, u)
		}
	}
	return func(at string) bool {
		return d.isVendored(at) && built.Has(at) || slices.ContainsFunc(sources, func(u gitops.UnresolvedSource) bool { return u.Covers(at) })
	}
}

// folderNames are the names of folders of dependencies.
var folderNames = [][]byte{[]byte("vendor"), []byte("node_modules")}

// isOwnUnit reports whether a unit is applied from outside of folders of dependencies. Plain files are read by nothing but their folder.
func (d dependencies) isOwnUnit(u *objects.Unit) bool {
	if u.Kind == objects.PlainUnit {
		return false
	}
	isOwn := func(by objects.Applier) bool { return by.Object != nil && !d.isVendored(by.Object.File) }
	return !d.isVendored(path.Join(u.Root, "kustomization.yaml")) || slices.ContainsFunc(u.Appliers, isOwn)
}

// isPathIn returns a function that reports whether a path is one of some files or a folder that contains one.
func isPathIn(files []string) func(string) bool {
	paths := pathset.Of(files)
	return func(target string) bool { return target != "." && paths.Has(target) }
}
