package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/files/regular"
)

// DefaultMaxFileSize is the size above which files are not read, unless the configuration sets another limit.
const DefaultMaxFileSize = 32 << 20

// Tree is an open folder. Reads go through os.Root, so that neither a symlink nor a race leads outside. Paths are relative to Root
// and use slashes.
type Tree struct {
	// Root is absolute and free of symlinks.
	Root string
	// Handle is the open folder.
	Handle *os.Root
	// Limit is the size above which Read reads no file.
	Limit int64
	// Overlay is what the checkout leaves out; nil if it leaves out nothing.
	Overlay *Overlay

	spelling *spelling
}

// Open opens a folder, given by its absolute path without symlinks. It has to be closed.
func Open(root string) (*Tree, error) {
	handle, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", root, regular.Cause(err))
	}
	return &Tree{Root: root, Handle: handle, Limit: DefaultMaxFileSize, spelling: newSpelling(root)}, nil
}

// Close releases the folder handle.
func (t *Tree) Close() error { return t.Handle.Close() }

// FS returns the regular files of the repository as a file system that nothing can leave, not even symlinks.
func (t *Tree) FS() fs.FS {
	disk := regular.FolderOf(t.Handle, t.Limit)
	if t.Overlay == nil && t.spelling == nil {
		return disk
	}
	return treeFS{t, disk}
}

// Read returns the bytes of a file. Symlinks are followed inside the repository. The error reports a file that is not
// regular, or over the limit.
func (t *Tree) Read(p string) ([]byte, error) {
	at, err := t.follow(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	var data []byte
	if err = t.spelling.check(at); err == nil {
		data, err = ReadFile(t.Handle, filepath.FromSlash(at), t.Limit)
	}
	if err == nil {
		return data, nil
	}
	if errors.Is(err, fs.ErrNotExist) { // looking for symlinks in a path takes a call for each of its folders
		if data, err = t.readOverlay(at, err); err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		return data, nil
	}
	// os.Root refuses every absolute symlink, even those that stay inside.
	if real, resolveErr := t.Resolve(at); resolveErr == nil && real != at {
		data, err = ReadFile(t.Handle, filepath.FromSlash(real), t.Limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return data, nil
}

// Resolve follows the symlinks in a path. The result is relative to Root; the error is ErrOutside if it would be outside.
func (t *Tree) Resolve(p string) (string, error) {
	at, err := t.follow(p)
	if err != nil {
		return "", err
	}
	real, err := at, t.spelling.check(at)
	if err == nil {
		real, err = filepath.EvalSymlinks(filepath.Join(t.Root, filepath.FromSlash(at)))
	}
	if errors.Is(err, fs.ErrNotExist) && t.Overlay != nil && t.overlayHas(at) {
		return at, nil
	}
	if err != nil {
		return "", regular.Cause(err)
	}
	rel, err := filepath.Rel(t.Root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", ErrOutside
	}
	return filepath.ToSlash(rel), nil
}

// ErrOutside reports a symlink that leads out of the repository.
var ErrOutside = errors.New("the symlink leaves the repository")

// InGitFolder reports whether a relative path leads into a folder .git, in the spelling of any file system.
func InGitFolder(rel string) bool {
	if !strings.Contains(strings.ToLower(rel), "git") {
		return false
	}
	for name := range strings.SplitSeq(rel, "/") {
		if IsGitFolder(name) {
			return true
		}
	}
	return false
}

// IsGitFolder reports whether a file system can take a name for .git: those of Windows and macOS ignore case, Windows also dots and
// spaces at the end, and it has the short name git~1.
func IsGitFolder(name string) bool {
	name = strings.TrimRight(name, ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}
