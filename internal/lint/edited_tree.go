package lint

import (
	"context"
	"io/fs"
	"sync"

	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/render"
)

// Edited returns a tree as it is after some changes are written.
func Edited(tree Tree, writes []commit.Write) Tree {
	edited := newEditedTree(tree)
	for _, w := range writes {
		edited.contents[w.Path] = w.After
	}
	return edited
}

// editedTree is a tree in which some files are changed, added or removed. Git knows it as it knows the original, and nothing is
// written through symbolic links.
type editedTree struct {
	Tree
	contents map[string][]byte // nil for a removed file
	// created are the files that did not exist. They belong to the paths of the command line, because the run itself writes them there.
	created map[string]bool
}

func newEditedTree(tree Tree) *editedTree {
	return &editedTree{Tree: tree, contents: map[string][]byte{}, created: map[string]bool{}}
}

// Selected reports whether findings in a file are wanted.
func (t *editedTree) Selected(file string) bool { return t.created[file] || t.Tree.Selected(file) }

// Walk visits the files that a walk visits after the changes are written.
func (t *editedTree) Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
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
func (t *editedTree) Files() render.Files {
	files := t.Tree.Files()
	if files == nil {
		return nil
	}
	return render.WithEdits(files, t.contents)
}

func (t *editedTree) Text(path string) ([]byte, error) {
	if _, changed := t.contents[path]; changed {
		return t.Read(path)
	}
	return t.Tree.Text(path)
}

func (t *editedTree) Read(path string) ([]byte, error) {
	data, changed := t.contents[path]
	switch {
	case !changed:
		return t.Tree.Read(path)
	case data == nil:
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return data, nil
}
