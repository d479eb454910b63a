package worktree

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/regular"
)

// Overlay has what git's index has and the checkout leaves out of the working tree. It is read as if it were there.
type Overlay struct {
	// Files are the files that are missing. They are read only where the working tree has no file.
	Files fs.ReadDirFS
	// Links are the symbolic links that are missing, or that the checkout has as text files, with their targets.
	Links map[string]string
}

// maxLinks is the length of a chain of symbolic links, as on Linux.
const maxLinks = 40

// FollowLinks follows the symbolic links in a path. The function returns the target of a link, and false for what is none. The error is
// ErrOutside if the path would leave the repository.
func FollowLinks(name string, link func(string) (target string, is bool, err error)) (string, error) {
	done, rest := ".", strings.Split(name, "/")
	for followed := 0; len(rest) > 0; {
		next := path.Join(done, rest[0])
		rest = rest[1:]
		target, is, err := link(next)
		if err != nil {
			return "", err
		}
		if !is {
			done = next
			continue
		}
		if followed++; followed > maxLinks {
			return "", errors.New("too many levels of symlinks")
		}
		joined := path.Join(done, target)
		if path.IsAbs(target) || !fs.ValidPath(joined) {
			return "", ErrOutside
		}
		done, rest = ".", slices.Concat(strings.Split(joined, "/"), rest)
	}
	return done, nil
}

// follow follows the links of the overlay in a path.
func (t *Tree) follow(p string) (string, error) {
	if t.Overlay == nil || len(t.Overlay.Links) == 0 {
		return p, nil
	}
	return FollowLinks(p, func(name string) (string, bool, error) {
		target, is := t.Overlay.Links[name]
		return target, is, nil
	})
}

// LacksFile reports whether the checkout leaves a file or folder out of the working tree.
func (t *Tree) LacksFile(p string) bool {
	if t.Overlay == nil {
		return false
	}
	if _, isLink := t.Overlay.Links[p]; isLink {
		return true
	}
	_, err := t.Handle.Lstat(filepath.FromSlash(p))
	return errors.Is(err, fs.ErrNotExist) && t.overlayHas(p)
}

func (t *Tree) overlayHas(p string) bool {
	_, err := fs.Stat(t.Overlay.Files, p)
	return err == nil
}

// readOverlay reads a file that the working tree lacks. The error is missing if the overlay has no such file.
func (t *Tree) readOverlay(p string, missing error) ([]byte, error) {
	if t.Overlay == nil || !errors.Is(missing, fs.ErrNotExist) || !t.overlayHas(p) {
		return nil, missing
	}
	data, err := fs.ReadFile(t.Overlay.Files, p)
	if err == nil && int64(len(data)) > t.Limit {
		return nil, &SizeError{&regular.SizeError{Size: int64(len(data)), Limit: t.Limit}}
	}
	return data, err
}

// treeFS is the working tree with the overlay. A name has one spelling.
type treeFS struct {
	tree *Tree
	disk *regular.Folder
}

// Open opens a file or folder. Symbolic links of the overlay are followed.
func (o treeFS) Open(name string) (fs.File, error) {
	return inEither(o, "open", name, func(fsys fs.ReadDirFS, real string) (fs.File, error) { return fsys.Open(real) })
}

// Stat returns what is known of a file or folder.
func (o treeFS) Stat(name string) (fs.FileInfo, error) {
	return inEither(o, "stat", name, func(fsys fs.ReadDirFS, real string) (fs.FileInfo, error) { return fs.Stat(fsys, real) })
}

// Lstat returns what is known of a file, folder, or link of the working tree, and what a link of the overlay leads to.
func (o treeFS) Lstat(name string) (fs.FileInfo, error) {
	return inEither(o, "lstat", name, func(fsys fs.ReadDirFS, real string) (fs.FileInfo, error) { return fs.Lstat(fsys, real) })
}

// ReadLink returns the target of a symbolic link, which can be one of the overlay.
func (o treeFS) ReadLink(name string) (string, error) {
	if o.tree.Overlay != nil {
		if target, is := o.tree.Overlay.Links[name]; is {
			return target, nil
		}
	}
	if err := o.tree.spelling.check(name); err != nil {
		return "", err
	}
	return o.disk.ReadLink(name)
}

// ReadDir lists a folder: what the working tree has, and what it lacks.
func (o treeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return inEither(o, "readdir", name, func(fsys fs.ReadDirFS, real string) ([]fs.DirEntry, error) {
		entries, err := fsys.ReadDir(real)
		if err != nil || o.tree.Overlay == nil || fsys != fs.ReadDirFS(o.disk) {
			return entries, err
		}
		more, _ := o.tree.Overlay.Files.ReadDir(real) // it need not have the folder
		for _, e := range more {
			if !slices.ContainsFunc(entries, func(known fs.DirEntry) bool { return known.Name() == e.Name() }) {
				entries = append(entries, e)
			}
		}
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		return entries, nil
	})
}

// inEither asks the working tree and, if it lacks the path, the overlay.
func inEither[T any](o treeFS, op, name string, ask func(fsys fs.ReadDirFS, real string) (T, error)) (T, error) {
	var none T
	if !fs.ValidPath(name) {
		return none, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	real, err := o.tree.follow(name)
	if err != nil {
		return none, &fs.PathError{Op: op, Path: name, Err: err}
	}
	err = o.tree.spelling.check(real)
	if err == nil {
		var found T
		if found, err = ask(o.disk, real); !errors.Is(err, fs.ErrNotExist) {
			return found, err
		}
	}
	if o.tree.Overlay == nil {
		return none, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	if there, overlayErr := ask(o.tree.Overlay.Files, real); !errors.Is(overlayErr, fs.ErrNotExist) {
		return there, overlayErr
	}
	return none, err
}
