package lsp

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/files/worktree"
	"github.com/salint/salint/internal/render"
)

// tree is a repository in which open documents have the texts of the editor. Only findings in some of the documents are wanted.
type tree struct {
	*disk
	open     map[string][]byte
	selected map[string]bool
}

// Walk visits the files of the repository, with the texts of the editor. A document that is open and not saved yet is visited if a walk
// would visit it after that.
func (t *tree) Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	w, err := t.walk(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.Hidden != nil {
		*o.Hidden = w.hidden
		o.Hidden.Matched = maps.Clone(w.hidden.Matched)
	}
	files := slices.Clone(w.files)
	saved := map[string]bool{}
	var skips []repo.Skip
	for _, skip := range w.skips {
		if _, open := t.open[skip.Path]; open && skip.TooLarge {
			saved[skip.Path] = true // it may have become smaller
			files = append(files, repo.File{Path: skip.Path})
			continue
		}
		skips = append(skips, skip)
	}
	for _, f := range files {
		saved[f.Path] = true
	}
	created, err := t.created(saved, o)
	if err != nil {
		return nil, err
	}
	files = append(files, created...)
	limit := cmp.Or(o.MaxFileSize, worktree.DefaultMaxFileSize)
	kept := files[:0]
	for _, f := range files {
		data, open := t.open[f.Path]
		if open && int64(len(data)) > limit {
			why := (&regular.SizeError{Size: int64(len(data)), Limit: limit}).Error() + " (limits.fileSize)"
			skips = append(skips, repo.Skip{Path: f.Path, Reason: why, TooLarge: true})
			continue
		}
		if open {
			if f.Size = int64(len(data)); !o.Others {
				f.Data = data
			}
		}
		kept = append(kept, f)
	}
	slices.SortFunc(skips, func(a, b repo.Skip) int { return cmp.Compare(a.Path, b.Path) })
	return skips, parallel.Do(ctx, len(kept), func(i int) { visit(kept[i]) })
}

// created returns the open documents that are not on the disk and that a walk would visit.
func (t *tree) created(saved map[string]bool, o repo.WalkOptions) ([]repo.File, error) {
	var patterns []glob.Path
	for _, text := range o.Exclude {
		p, err := glob.ParsePath(text)
		if err != nil {
			return nil, fmt.Errorf("exclude: %w", err)
		}
		patterns = append(patterns, p)
	}
	var files []repo.File
	for _, name := range slices.Sorted(maps.Keys(t.open)) {
		if saved[name] || t.exists(name) || isExcluded(patterns, name) {
			continue
		}
		if _, ignored := t.disk.tree.Ignored(name); ignored {
			continue
		}
		isText := !repo.IsManifest(name) && o.Texts != nil && o.Texts(name)
		if repo.IsManifest(name) != o.Others || isText && !o.Others {
			files = append(files, repo.File{Path: name, Text: isText})
		}
	}
	return files, nil
}

// isExcluded reports whether a pattern matches a file or a folder above it.
func isExcluded(patterns []glob.Path, name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if slices.ContainsFunc(patterns, func(p glob.Path) bool { return p.Match(name) }) {
			return true
		}
	}
	return false
}

// Read returns the content of a file.
func (t *tree) Read(name string) ([]byte, error) {
	if data, open := t.open[name]; open {
		return data, nil
	}
	return t.read(name)
}

// Text returns the content of a file, or nil for a binary file.
func (t *tree) Text(name string) ([]byte, error) {
	if data, open := t.open[name]; open {
		return data, nil
	}
	return t.text(name)
}

// Selected reports whether findings in a file are wanted.
func (t *tree) Selected(name string) bool { return t.selected[name] }

// Files returns the tree as input of builds.
func (t *tree) Files() render.Files { return render.WithEdits(buildFiles{t.disk}, t.open) }

// Remotes returns the addresses of the git remotes.
func (t *tree) Remotes() []string { return t.disk.tree.Remotes() }

// Members returns nil: the editor has one repository.
func (t *tree) Members() []gitops.Member { return nil }

// Branches returns the branches whose files count as those of the tree.
func (t *tree) Branches() []string { return t.disk.tree.Branches() }

// Links returns the symlinks that walks have found.
func (t *tree) Links() map[string]string { return t.disk.tree.Links() }

// LacksFile reports whether the checkout leaves a file out.
func (t *tree) LacksFile(file string) bool { return t.disk.tree.LacksFile(file) }

// Ignored reports whether git ignores a new file.
func (t *tree) Ignored(file string) (place string, ignored bool) { return t.disk.tree.Ignored(file) }

// isChecked reports whether runs read a file of this name.
func isChecked(name string) bool {
	return fs.ValidPath(name) && (repo.IsManifest(name) || textpaths.IsScript(name) || textpaths.MayHoldToken(name))
}
