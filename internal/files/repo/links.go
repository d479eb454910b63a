package repo

import (
	"errors"
	"os"
	"path"
	"path/filepath"
)

// link reports symlinks behind which manifests may lie that are not read anywhere else.
func (w *walker) link(p string) {
	real, err := w.repo.resolve(p)
	info, statErr := os.Stat(filepath.Join(w.repo.Root, filepath.FromSlash(p)))
	isDir := statErr == nil && info.IsDir()
	switch {
	case !isDir && !IsManifest(p) && err != nil:
	case err == nil && w.foundAt(p, real, isDir):
	case !isDir && !IsManifest(p):
	case errors.Is(err, errOutside):
		w.skip(p, errOutside.Error())
	case err != nil:
		w.skip(p, "the symlink points at nothing that can be read")
	case inGitFolder(real) || !isDir && !IsManifest(real):
		w.skip(p, "the symlink points at "+real+", which is not read as a manifest")
	case !w.covers(w.repo.Selected(real)):
		w.skip(p, "the symlink points at "+real+", which lies outside of the paths given")
	}
}

// foundAt takes down where a symlink leads inside the repository. It reads kustomizations, and tells whether it did.
func (w *walker) foundAt(p, real string, isDir bool) bool {
	w.repo.addLink(p, real)
	if isDir || w.others || !isKustomization(path.Base(p)) || inGitFolder(real) {
		return false
	}
	data, err := w.repo.Read(real)
	if err != nil {
		w.fail(p, err)
		return true
	}
	w.visit(File{Path: p, Size: int64(len(data)), Data: data})
	return true
}

// isKustomization tells whether kustomize takes a file of this name for a kustomization.
func isKustomization(name string) bool {
	return name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization"
}
