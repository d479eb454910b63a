package repo

import (
	"errors"
	"os"
	"path"
	"path/filepath"

	"github.com/salint/salint/internal/files/worktree"
)

// link reports symlinks to manifests that are not read elsewhere.
func (w *walker) link(p string) {
	real, err := w.repo.Resolve(p)
	info, statErr := os.Stat(filepath.Join(w.repo.Root, filepath.FromSlash(p)))
	isDir := statErr == nil && info.IsDir()
	switch {
	case !isDir && !IsManifest(p) && err != nil:
	case err == nil && w.addLinked(p, real, isDir):
	case !isDir && !IsManifest(p):
	case errors.Is(err, worktree.ErrOutside):
		w.skip(p, worktree.ErrOutside.Error())
	case err != nil:
		w.skip(p, "the symlink's target cannot be read")
	case worktree.InGitFolder(real) || !isDir && !IsManifest(real):
		w.skip(p, "the symlink points to "+real+", which is not read as a manifest")
	case !w.inScope(w.repo.Selected(real)):
		w.skip(p, "the symlink points to "+real+", which is outside the given paths")
	}
}

// addLinked records where a symlink leads inside the repository. It reads kustomizations, and reports whether it read one.
func (w *walker) addLinked(p, real string, isDir bool) bool {
	w.repo.addLink(p, real)
	if isDir || w.others || !isKustomization(path.Base(p)) || worktree.InGitFolder(real) {
		return false
	}
	data, err := w.repo.Read(real)
	if err != nil {
		w.skipUnreadable(p, err)
		return true
	}
	w.visit(File{Path: p, Size: int64(len(data)), Data: data})
	return true
}

// isKustomization reports whether kustomize reads a file of this name as a kustomization.
func isKustomization(name string) bool {
	return name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization"
}
