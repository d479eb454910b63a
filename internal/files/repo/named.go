package repo

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/salint/salint/internal/files/regular"
)

// ReadNamed reads a file that a command line or a configuration names, of at most limit bytes. The path is absolute. A file
// outside of the repository is read wherever it is; a path in the repository never leads out of it, because a symlink there
// can come from an untrusted pull request. The errors do not name the file.
func (r *Repo) ReadNamed(file string, limit int64) ([]byte, error) {
	inside, ok := r.inside(file)
	if !ok {
		return regular.ReadFile(file, limit)
	}
	real, err := r.resolve(inside)
	if err != nil {
		return nil, err
	}
	return regular.ReadIn(r.root, filepath.FromSlash(real), limit)
}

// OpenNamed opens a folder under the same conditions as ReadNamed; limit is that of each file. The folder has to be closed.
func (r *Repo) OpenNamed(dir string, limit int64) (regular.Dir, error) {
	inside, ok := r.inside(dir)
	if !ok {
		return regular.OpenFolder(dir, limit)
	}
	real, err := r.resolve(inside)
	if err != nil {
		return nil, err
	}
	return regular.OpenFolderIn(r.Root, real, limit)
}

// Contains returns whether a path, which is absolute, leads through the root.
func (r *Repo) Contains(file string) bool {
	_, ok := r.inside(file)
	return ok
}

// inside converts a path that leads through the root to one relative to it. Only the folders above the root may be symlinks:
// a symlink below it belongs to the repository.
func (r *Repo) inside(file string) (rel string, ok bool) {
	root, err := os.Stat(r.Root)
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

// IsOutside reports whether an error says that a symlink leaves the repository.
func IsOutside(err error) bool { return errors.Is(err, errOutside) }
