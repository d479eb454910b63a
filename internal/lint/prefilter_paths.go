package lint

import (
	"path"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// transformedPaths are the files and folders that may be applied in another form, or that are not manifests: everything that
// kustomizations name, and charts.
type transformedPaths map[string]bool

// has reports whether the set contains a file or a folder above it.
func (t transformedPaths) has(file string) bool {
	if len(t) == 0 {
		return false
	}
	for at := file; ; at = path.Dir(at) {
		if t[at] {
			return true
		}
		if at == "." || at == "/" {
			return false
		}
	}
}

// transformedPathsOf returns the paths of all kustomizations and charts. They are not known if a kustomization cannot be read,
// or if an entry goes through a symbolic link or out of the repository.
func transformedPathsOf(files *loader.Collection, linked bool) (all transformedPaths, known bool) {
	all, known = transformedPaths{}, true
	exists := loader.FilesAndFolders(files.Names)
	for _, name := range files.Names {
		if path.Base(name) == "Chart.yaml" {
			all[path.Dir(name)] = true
		}
	}
	for _, u := range files.Unread {
		if objects.IsKustomizationFile(u.File) && (u.Unknown() || u.Reading == loader.NotText) {
			known = false
		}
	}
	for name, f := range files.Files {
		if objects.IsKustomizationFile(name) {
			known = known && !linked && all.add(f, exists)
		}
	}
	return all, known
}

// add adds what the kustomizations of a file name.
func (t transformedPaths) add(f *manifest.File, exists map[string]bool) (known bool) {
	for _, doc := range f.Docs {
		if doc.Parse() != nil {
			return false
		}
		k, err := objects.ReadKustomization(doc)
		if err != nil {
			return false
		}
		for _, entry := range k.Resources {
			if !exists[entry.Target] && !entry.Remote() {
				return false
			}
			t[entry.Target] = true
		}
		for _, input := range k.NonObjectInputs {
			t[input.File] = true
		}
	}
	return true
}
