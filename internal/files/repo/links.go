package repo

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/salint/salint/internal/files/worktree"
)

// link reports symlinks to manifests that are not read elsewhere.
func (w *walker) link(p string) {
	real, err := w.repo.Resolve(p)
	isDir := w.isFolder(p, real, err)
	switch {
	case !isDir && !IsManifest(p) && err != nil:
	case err == nil && w.addLinked(p, real, isDir):
	case !isDir && !IsManifest(p):
	case errors.Is(err, worktree.ErrOutside):
		w.skip(p, worktree.ErrOutside.Error())
	case err != nil:
		w.skip(p, "the symlink's target cannot be read")
	case worktree.InGitFolder(real) || !isDir && (!IsManifest(real) || w.ignores(real)):
		w.skip(p, "the symlink points to "+real+", which is not read as a manifest")
	case !w.inScope(w.repo.Selected(real)):
		w.skip(p, "the symlink points to "+real+", which is outside the given paths")
	}
}

// isFolder reports whether a symlink leads to a folder; err is why it cannot be resolved inside the repository.
func (w *walker) isFolder(p, real string, err error) bool {
	if err == nil {
		info, err := fs.Stat(w.repo.FS(), real)
		return err == nil && info.IsDir()
	}
	info, err := os.Stat(filepath.Join(w.repo.Root, filepath.FromSlash(p)))
	return err == nil && info.IsDir()
}

// addLinked records where a symlink leads inside the repository. It reads kustomizations, and reports whether it read one.
func (w *walker) addLinked(p, real string, isDir bool) bool {
	w.repo.addLink(p, real)
	if isDir || w.others || !isKustomization(path.Base(p)) || worktree.InGitFolder(real) || w.ignores(real) {
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

// ignores reports whether git ignores a file that a symlink leads to: it is private, and what applies the repository has no such file.
func (w *walker) ignores(real string) bool {
	if w.repo.named[real] {
		return false
	}
	if _, is := w.repo.Ignored(real); !is {
		return false
	}
	tracked, _ := w.repo.Git.TracksIgnored(w.ctx, real, false)
	return !tracked
}

// isKustomization reports whether kustomize reads a file of this name as a kustomization.
func isKustomization(name string) bool {
	return name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization"
}
