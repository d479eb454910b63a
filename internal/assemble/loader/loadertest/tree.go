// Package loadertest provides a repository in memory. Only tests import it.
package loadertest

import (
	"context"
	"io/fs"
	"maps"
	"slices"

	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/render"
)

// Tree is a repository in memory: the content of each file by its path. All files are selected, and nothing is built from it.
type Tree map[string]string

// Walk visits all files in the order of their paths.
func (t Tree) Walk(_ context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	if o.Others {
		return nil, nil
	}
	for _, path := range slices.Sorted(maps.Keys(t)) {
		visit(repo.File{Path: path, Size: int64(len(t[path])), Data: []byte(t[path])})
	}
	return nil, nil
}

// Read returns the content of a file.
func (t Tree) Read(path string) ([]byte, error) {
	text, ok := t[path]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

// Text returns the content of a file.
func (t Tree) Text(path string) ([]byte, error) { return t.Read(path) }

// Selected returns true.
func (t Tree) Selected(string) bool { return true }

// Files returns nil.
func (t Tree) Files() render.Files { return nil }

// Remotes returns nil.
func (t Tree) Remotes() []string { return nil }

// Links returns nil.
func (t Tree) Links() map[string]string { return nil }

// Ignored returns false.
func (t Tree) Ignored(string) (place string, ignored bool) { return "", false }

// TrackedIgnored returns nil.
func (t Tree) TrackedIgnored(context.Context) []string { return nil }
