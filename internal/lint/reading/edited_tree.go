package reading

import (
	"context"
	"io/fs"
	"sync"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/render"
)

// Edited returns a tree as it is after some changes are written.
func Edited(tree loader.Tree, writes []commit.Write) loader.Tree {
	edited := NewEditedTree(tree)
	for _, w := range writes {
		edited.contents[w.Path] = w.After
	}
	return edited
}

// EditedTree is a tree in which some files are changed, added or removed. Git knows it as it knows the original, and nothing is
// written through symbolic links.
type EditedTree struct {
	loader.Tree
	contents map[string][]byte // nil for a removed file
	// created are the files that did not exist. They belong to the paths of the command line, because the run itself writes them there.
	created map[string]bool
}

// NewEditedTree returns a tree without changes.
func NewEditedTree(tree loader.Tree) *EditedTree {
	return &EditedTree{Tree: tree, contents: map[string][]byte{}, created: map[string]bool{}}
}

// Write changes a file. created is whether the original tree lacks it.
func (t *EditedTree) Write(w commit.Write, created bool) {
	t.contents[w.Path], t.created[w.Path] = w.After, created
}

// Created reports of each file that was written whether the original tree lacks it.
func (t *EditedTree) Created() map[string]bool { return t.created }

// Selected reports whether findings in a file are wanted.
func (t *EditedTree) Selected(file string) bool { return t.created[file] || t.Tree.Selected(file) }

// Walk visits the files that a walk visits after the changes are written.
func (t *EditedTree) Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	var seen sync.Map
	skipped, err := t.Tree.Walk(ctx, o, func(f repo.File) {
		data, changed := t.contents[f.Path]
		if changed {
			seen.Store(f.Path, true)
			if f.Size = int64(len(data)); !o.Others { // a walk through other files does not read them
				f.Data = data
			}
		}
		if !changed || data != nil {
			visit(f)
		}
	})
	for path, data := range t.contents {
		_, visited := seen.Load(path)
		if data != nil && !visited && repo.IsManifest(path) != o.Others {
			visit(repo.File{Path: path, Size: int64(len(data)), Data: data})
		}
	}
	return skipped, err
}

// Files returns the files of the original tree with the changes.
func (t *EditedTree) Files() render.Files {
	files := t.Tree.Files()
	if files == nil {
		return nil
	}
	return render.WithEdits(files, t.contents)
}

func (t *EditedTree) Text(path string) ([]byte, error) {
	if _, changed := t.contents[path]; changed {
		return t.Read(path)
	}
	return t.Tree.Text(path)
}

func (t *EditedTree) Read(path string) ([]byte, error) {
	data, changed := t.contents[path]
	switch {
	case !changed:
		return t.Tree.Read(path)
	case data == nil:
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return data, nil
}
