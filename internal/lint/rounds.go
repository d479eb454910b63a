package lint

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/render"
)

// maxRounds bounds how often the outcome of fixes is mended again. One fix can make another possible: a subject that is
// corrected is a grant, and with it a placeholder can go.
const maxRounds = 5

// mendAll carries fixes out until there are none left, so that a second run has nothing to do, and judges what they
// leave: what is reported is true of the files as they are then. A preview reports on the files as they are now.
func mendAll(ctx context.Context, o Options, first *Outcome) (*Outcome, error) {
	tree := &mendedTree{Tree: o.Tree, files: map[string][]byte{}}
	writes := map[string]repo.Write{}
	var fixed, left []finding.Finding
	var notes []string
	var permissions permission.Report
	out := first
	for range maxRounds {
		for _, w := range out.Writes {
			tree.files[w.Path] = w.After
			writes[w.Path] = joined(writes, w)
		}
		fixed, left = gather(out, fixed, left)
		permissions = permissions.Follow(*out.Permissions)
		for _, note := range out.Notes {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
		o.Tree = tree
		var err error
		if out, err = once(ctx, o); err != nil {
			return nil, err
		}
		if len(out.Writes) == 0 {
			break
		}
	}
	if o.Fixes.Preview {
		out = first
	} else {
		out.Findings = slices.Concat(fixed, out.Findings, relocated(tree, left, out.Findings))
		out.Target, out.Summary.Files = first.Target, first.Summary.Files
		out.Summary.Documents, out.Reported = first.Summary.Documents, first.Reported
		finding.Sort(out.Findings)
		out.Summary.Count(out.Findings)
		out.Source = func(file string) []byte {
			data, _ := tree.Read(file) // without the text a report shows no frame
			return data
		}
	}
	out.Writes, out.Notes, out.Permissions = sortedWrites(writes), notes, &permissions
	return out, nil
}

// gather adds the findings of a round that are fixed, and those about what the removed fields leave behind, which no
// later round can see.
func gather(out *Outcome, fixed, left []finding.Finding) (all, behind []finding.Finding) {
	isFixed := func(f finding.Finding) bool { return f.Fix != nil && f.Fix.Applied }
	for _, f := range out.Findings {
		if isFixed(f) {
			fixed = append(fixed, f)
		}
	}
	return fixed, append(left, slices.DeleteFunc(slices.Clone(out.left), isFixed)...)
}

// relocated gives findings their places in the mended files. Those about objects that are gone, or that the last round
// reports itself, are left out.
func relocated(tree Tree, findings, known []finding.Finding) []finding.Finding {
	var moved []finding.Finding
	for _, f := range findings {
		again := func(other finding.Finding) bool {
			return other.Rule == f.Rule && other.Resource == f.Resource && other.File == f.File
		}
		if slices.ContainsFunc(known, again) || slices.ContainsFunc(moved, again) {
			continue
		}
		if o := findObject(tree, f); o != nil {
			at := rangeOf(o.Doc, o.At(nil))
			f.Range.Line, f.Range.Column, f.Range.Start = at.Line, at.Column, at.Start
			f.Range.EndLine, f.Range.EndColumn, f.Range.End = at.Line, at.Column, at.Start
			moved = append(moved, f)
		}
	}
	return moved
}

func findObject(tree Tree, f finding.Finding) *objects.Object {
	data, err := tree.Read(f.File)
	if err != nil {
		return nil
	}
	for _, doc := range manifest.Scan(f.File, data).Docs {
		if doc.Parse() != nil {
			continue
		}
		for _, o := range objects.Objects(doc) {
			if resourceOf(o) == f.Resource {
				return o
			}
		}
	}
	return nil
}

// joined is a further write to a file that was written to before.
func joined(writes map[string]repo.Write, w repo.Write) repo.Write {
	before, again := writes[w.Path]
	if !again {
		return w
	}
	w.Before = before.Before
	if w.After != nil {
		w.Order = min(w.Order, before.Order)
	}
	return w
}

func sortedWrites(writes map[string]repo.Write) []repo.Write {
	var all []repo.Write
	for _, w := range writes {
		if w.Before != nil || w.After != nil {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b repo.Write) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// Mended is a tree as it is once some changes are written.
func Mended(tree Tree, writes []repo.Write) Tree {
	mended := &mendedTree{Tree: tree, files: map[string][]byte{}}
	for _, w := range writes {
		mended.files[w.Path] = w.After
	}
	return mended
}

// mendedTree is a tree with some files changed, added or removed.
type mendedTree struct {
	Tree
	files map[string][]byte // nil for a file that is removed
}

// Walk visits what a walk through the tree would once the changes are written.
func (t *mendedTree) Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	var seen sync.Map
	skipped, err := t.Tree.Walk(ctx, o, func(f repo.File) {
		data, changed := t.files[f.Path]
		if changed {
			seen.Store(f.Path, true)
			if f.Size = int64(len(data)); !o.Others { // others are not read by a walk
				f.Data = data
			}
		}
		if !changed || data != nil {
			visit(f)
		}
	})
	for path, data := range t.files {
		_, visited := seen.Load(path)
		if data != nil && !visited && repo.IsManifest(path) != o.Others {
			visit(repo.File{Path: path, Size: int64(len(data)), Data: data})
		}
	}
	return skipped, err
}

// Files are those of the tree with the changes.
func (t *mendedTree) Files() render.Files {
	files := loader.FilesOf(t.Tree)
	if files == nil {
		return nil
	}
	return render.WithEdits(files, t.files)
}

// TrackedIgnored is that of the tree before.
func (t *mendedTree) TrackedIgnored(ctx context.Context) []string {
	if tree, ok := t.Tree.(tracker); ok {
		return tree.TrackedIgnored(ctx)
	}
	return nil
}

// Links are those of the tree: nothing is written through one.
func (t *mendedTree) Links() map[string]string { return linksOf(t.Tree) }

// Text is that of the tree before, but for what changed.
func (t *mendedTree) Text(path string) ([]byte, error) {
	if _, changed := t.files[path]; changed {
		return t.Read(path)
	}
	if tree, ok := t.Tree.(texter); ok {
		return tree.Text(path)
	}
	return t.Tree.Read(path)
}

func (t *mendedTree) Read(path string) ([]byte, error) {
	data, changed := t.files[path]
	switch {
	case !changed:
		return t.Tree.Read(path)
	case data == nil:
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return data, nil
}
