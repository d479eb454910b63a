package render

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// WithEdits returns a tree with some files changed: edits are their new contents, nil for a removed file. The original tree
// stays unchanged.
func WithEdits(files Files, edits map[string][]byte) Files {
	o := &editedTree{files: files, edits: edits, added: map[string][]fs.DirEntry{}}
	for name, data := range edits {
		if data != nil {
			o.add(name, int64(len(data)))
		}
	}
	return o
}

type editedTree struct {
	files Files
	edits map[string][]byte
	// added are the folder entries that edits add.
	added map[string][]fs.DirEntry
}

// add adds a file to its folder, and that folder to its parent, up to the root.
func (o *editedTree) add(name string, size int64) {
	entry := entry{name: path.Base(name), size: size}
	for name != "." {
		dir := path.Dir(name)
		if slices.ContainsFunc(o.added[dir], func(e fs.DirEntry) bool { return e.Name() == entry.name }) {
			return
		}
		o.added[dir] = append(o.added[dir], entry)
		name, entry.name, entry.dir, entry.size = dir, path.Base(dir), true, 0
	}
}

func (o *editedTree) ReadFile(name string) ([]byte, error) {
	if data, edited := o.edits[name]; edited {
		if data == nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return data, nil
	}
	return o.files.ReadFile(name)
}

func (o *editedTree) ReadDir(name string) ([]fs.DirEntry, error) {
	below, err := o.files.ReadDir(name)
	added := o.added[name]
	if err != nil && (len(added) == 0 || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	var entries []fs.DirEntry
	for _, e := range below {
		_, edited := o.edits[path.Join(name, e.Name())]
		if !edited && !slices.ContainsFunc(added, func(a fs.DirEntry) bool { return a.Name() == e.Name() }) {
			entries = append(entries, e)
		}
	}
	entries = append(entries, added...)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (o *editedTree) ReadLink(name string) (string, error) {
	links, ok := o.files.(linkReader)
	if _, edited := o.edits[name]; edited || !ok {
		return "", fs.ErrInvalid
	}
	return links.ReadLink(name)
}

// entry is a file or folder that exists only in memory.
type entry struct {
	name string
	size int64
	dir  bool
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) Size() int64                { return e.size }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
