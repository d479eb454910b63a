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

// Files is the tree that is rendered. Names are relative to its root, with slashes; "." is the root. What does not exist
// is an error that is fs.ErrNotExist. A tree with symlinks has the methods of fs.ReadLinkFS besides; ReadFile and ReadDir
// are only asked for names that no symlink is on the way to.
type Files interface {
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
}

// MaxFileSize is the size above which FromFS reads no file.
const MaxFileSize = 32 << 20

// FromFS makes a tree of a file system, which ends where that one does: that of an os.Root has no way out.
func FromFS(fsys fs.FS) Files { return fsFiles{fsys} }

type fsFiles struct{ fs.FS }

func (f fsFiles) ReadFile(name string) ([]byte, error) {
	// Asked first: opening a pipe would wait for somebody to write to it.
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

// maxLinks is how many symlinks may follow one another, as on Linux.
const maxLinks = 40

// resolve follows the symlinks on the way to a name. One that leads out of the tree is an error.
func resolve(files Files, name string) (string, error) {
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
			return "", fmt.Errorf("%s: too many symlinks lead to one another", name)
		}
		joined := path.Join(done, target)
		if path.IsAbs(target) || !fs.ValidPath(joined) {
			return "", fmt.Errorf("%s is a symlink to %s, outside of the repository: nothing there is read", next, target)
		}
		done, rest = ".", slices.Concat(strings.Split(joined, "/"), rest)
	}
	return done, nil
}

// isDir tells whether there is a folder of that name.
func isDir(files Files, name string) bool {
	_, err := files.ReadDir(name)
	return err == nil
}

// exists tells whether there is a file of that name.
func exists(files Files, name string) bool {
	_, err := files.ReadFile(name)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}
