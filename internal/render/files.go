package render

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Files is the tree that is rendered. Names are relative to its root, with slashes; "." is the root. The error for a
// missing file is fs.ErrNotExist. A tree with symlinks also has the methods of fs.ReadLinkFS; ReadFile and ReadDir are
// called only with names without symlinks.
type Files interface {
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
}

// MaxFileSize is the size above which FromFS reads no file.
const MaxFileSize = 32 << 20

// FromFS returns the tree of a file system. It has the bounds of the file system: that of an os.Root cannot be left.
func FromFS(fsys fs.FS) Files { return fsFiles{fsys} }

type fsFiles struct{ fs.FS }

func (f fsFiles) ReadFile(name string) ([]byte, error) {
	// Stat first: opening a pipe would block.
	info, err := fs.Stat(f.FS, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	case info.Size() > MaxFileSize:
		return nil, tooMuch("%s has %s, over the limit of %s", name, bytesText(info.Size()), bytesText(MaxFileSize))
	}
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MaxFileSize))
}

func (f fsFiles) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.FS, name) }

func (f fsFiles) ReadLink(name string) (string, error) {
	if links, ok := f.FS.(fs.ReadLinkFS); ok {
		return links.ReadLink(name)
	}
	return "", fs.ErrInvalid
}

// linkReader is the part of fs.ReadLinkFS that is used.
type linkReader interface {
	ReadLink(name string) (string, error)
}

// maxLinks is the length of a chain of symlinks, as on Linux.
const maxLinks = 40

// Resolve resolves the symlinks in a name. A symlink that leads out of the tree is an error.
func Resolve(files Files, name string) (string, error) {
	links, ok := files.(linkReader)
	if !ok {
		return name, nil
	}
	done, rest := ".", strings.Split(name, "/")
	for followed := 0; len(rest) > 0; {
		next := path.Join(done, rest[0])
		rest = rest[1:]
		target, err := links.ReadLink(next)
		if err != nil {
			done = next
			continue
		}
		if followed++; followed > maxLinks {
			return "", fmt.Errorf("%s: too many levels of symlinks", name)
		}
		joined := path.Join(done, target)
		if path.IsAbs(target) || !fs.ValidPath(joined) {
			return "", fmt.Errorf("%s is a symlink to %s, "+Outside, next, target)
		}
		done, rest = ".", slices.Concat(strings.Split(joined, "/"), rest)
	}
	return done, nil
}

// isDir reports whether a folder exists.
func isDir(files Files, name string) bool {
	_, err := files.ReadDir(name)
	return err == nil
}

// exists reports whether a file exists.
func exists(files Files, name string) bool {
	_, err := files.ReadFile(name)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}
