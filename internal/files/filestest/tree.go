// Package filestest provides a repository in memory, the only one that tests use. Only tests import it.
package filestest

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/salint/salint/internal/files/repo"
)

// Tree is a repository in memory: the content of each file by its path. The files of a golden case are one, too. It has the
// methods with which the packages read a repository: FS is for all that read a file system, such as builds and bundles;
// loadertest.Repository adds what a run of salint needs.
//
// No path is ignored or a link, and git knows nothing about the files.
type Tree map[string]string

// Names returns the paths of the files, sorted.
func (t Tree) Names() []string { return slices.Sorted(maps.Keys(t)) }

// FS returns a file system with the files as they are now. A test can add symlinks to it.
func (t Tree) FS() fstest.MapFS {
	system := fstest.MapFS{}
	for name, text := range t {
		system[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return system
}

// Read returns the content of a file.
func (t Tree) Read(name string) ([]byte, error) {
	text, ok := t[name]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

// Text returns the content of a file.
func (t Tree) Text(name string) ([]byte, error) { return t.Read(name) }

// ReadAtMost returns the content of a file of at most limit bytes.
func (t Tree) ReadAtMost(name string, limit int64) ([]byte, error) {
	if int64(len(t[name])) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return t.Read(name)
}

// Walk visits all files in the order of their paths.
func (t Tree) Walk(_ context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	if o.Others {
		return nil, nil
	}
	for _, name := range t.Names() {
		text := o.Texts != nil && !repo.IsManifest(name) && o.Texts(name)
		visit(repo.File{Path: name, Size: int64(len(t[name])), Data: []byte(t[name]), Text: text})
	}
	return nil, nil
}

// Selected returns true.
func (t Tree) Selected(string) bool { return true }

// Remotes returns nil.
func (t Tree) Remotes() []string { return nil }

// Branches returns nil.
func (t Tree) Branches() []string { return nil }

// Links returns nil.
func (t Tree) Links() map[string]string { return nil }

// LacksFile returns false.
func (t Tree) LacksFile(string) bool { return false }

// Ignored returns false.
func (t Tree) Ignored(string) (place string, ignored bool) { return "", false }

// Dump returns all files with their contents as one text, for messages of tests.
func (t Tree) Dump() string {
	var b strings.Builder
	for _, name := range t.Names() {
		fmt.Fprintf(&b, "-- %s --\n%s", name, t[name])
	}
	return b.String()
}

// Programs returns the files of Jsonnet in a folder and in those below.
func (t Tree) Programs(dir string) []string {
	var found []string
	for _, name := range t.Names() {
		if strings.HasSuffix(name, "sonnet") && (dir == "." || strings.HasPrefix(name, dir+"/")) {
			found = append(found, name)
		}
	}
	return found
}
