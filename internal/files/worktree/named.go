package worktree

import (
	"os"
	"path/filepath"

	"github.com/salint/salint/internal/files/regular"
)

// ReadNamed reads a file that a command line or a configuration names, of at most limit bytes. The path is absolute. A file
// outside of the repository is read wherever it is; a path in the repository never leads out of it, because a symlink there
// can come from an untrusted pull request. The errors do not name the file.
func (t *Tree) ReadNamed(file string, limit int64) ([]byte, error) {
	inside, ok := t.Inside(file)
	if !ok {
		return regular.ReadFile(file, limit)
	}
	real, err := t.Resolve(inside)
	if err != nil {
		return nil, err
	}
	return regular.ReadIn(t.Handle, filepath.FromSlash(real), limit)
}

// OpenNamed opens a folder under the same conditions as ReadNamed; limit is that of each file. The folder has to be closed.
func (t *Tree) OpenNamed(dir string, limit int64) (regular.Dir, error) {
	inside, ok := t.Inside(dir)
	if !ok {
		return regular.OpenFolder(dir, limit)
	}
	real, err := t.Resolve(inside)
	if err != nil {
		return nil, err
	}
	return regular.OpenFolderIn(t.Root, real, limit)
}

// Contains returns whether a path, which is absolute, leads through the root.
func (t *Tree) Contains(file string) bool {
	_, ok := t.Inside(file)
	return ok
}

// Inside converts a path that leads through the root to one relative to it. Only the folders above the root may be symlinks:
// a symlink below it belongs to the repository.
func (t *Tree) Inside(file string) (rel string, ok bool) {
	root, err := os.Stat(t.Root)
	if err != nil {
		return "", false
	}
	rest := "."
	for dir := filepath.Clean(file); ; {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, root) {
			return filepath.ToSlash(rest), true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = parent
	}
}
