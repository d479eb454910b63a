package lint

import (
	"path"
	"slices"

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

// dependencies returns the files in folders of dependencies, such as vendor/, that no deployment unit outside of such folders reads.
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
	used := map[string]bool{}
	for _, u := range files.units {
		if u = u.AppliedBy(); s.isOwnUnit(u) {
			for _, file := range u.ReadOf(found) {
				used[file] = true
			}
		}
	}
	for file := range used {
		delete(found, file)
	}
	return found
}

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
	return "not checked: " + vendoredFiles(n, "file") + ", which no kustomization, chart, or application outside of them applies, as far as salint reads them: " + checkVendored
}

const checkVendored = "pass a folder to check it, or set `vendored: true` in .salint.yaml"

func vendoredFiles(n int, what string) string {
	return plural(n, what) + " in folders named vendor or node_modules"
}
