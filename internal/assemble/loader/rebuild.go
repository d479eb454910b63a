package loader

import (
	"context"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Change is what differs from a repository whose units are put together already.
type Change struct {
	// Contents are the files that differ; nil is no file.
	Contents map[string][]byte
	// Built tells of units that are built although they are applied as their files stand, to be compared with what is built;
	// it may be nil.
	Built func(*objects.Unit) bool
}

// Rebuild puts the units together again that Assemble made of a. Those that read none of the files which differ are the
// same as before. The others have everything that they apply, be it of interest or not, and all objects of those files.
//
// That the contents of a file are named does not mean that they differ: the units before a change are put together in the
// same way as those after it.
func Rebuild(ctx context.Context, a Assembly, units []*objects.Unit, c Change) ([]*objects.Unit, error) {
	if err := a.reread(ctx, c.Contents); err != nil {
		return nil, err
	}
	known := map[objects.UnitKey]*objects.Unit{}
	for _, u := range units {
		known[u.Key()] = u
	}
	affected := c.affected()
	a.Known = func(u *objects.Unit) *objects.Unit {
		if affected(u) {
			return nil
		}
		return known[u.Key()]
	}
	a.Must = func(u *objects.Unit) bool {
		return affected(u) && (u.Kind == objects.ChartUnit || c.Built != nil && c.Built(u))
	}
	a.Wanted, a.Charts.Wanted = nil, nil
	a.Mentions = func([]byte) bool { return true }
	return Assemble(ctx, a)
}

// affected tells of units whether they may be others with the change. The unit of plain files is what the others leave.
func (c Change) affected() func(*objects.Unit) bool {
	files := map[string]bool{}
	for file := range c.Contents {
		files[file] = true
	}
	return func(u *objects.Unit) bool { return u.Kind == objects.PlainUnit || len(u.ReadOf(files)) > 0 }
}

// reread replaces what was read of files by what other contents of them hold: every document, for what is of interest before
// and after a change may differ.
func (a *Assembly) reread(ctx context.Context, contents map[string][]byte) error {
	differs := func(file string) bool { _, ok := contents[file]; return ok }
	names := slices.DeleteFunc(slices.Clone(a.Names), differs)
	files := map[string]*manifest.File{}
	for file, data := range contents {
		if data == nil {
			continue
		}
		names = append(names, file)
		if _, named := slices.BinarySearch(a.Names, file); named || repo.IsManifest(file) {
			files[file] = manifest.Scan(file, data)
		}
	}
	slices.Sort(names)
	all := func(*manifest.Document) bool { return true }
	none := func(*manifest.Document) bool { return false }
	parsed, err := Selection{Names: names, Files: files, Matters: all, Missed: none}.Parse(ctx)
	if err != nil {
		return err
	}
	a.Objects = slices.DeleteFunc(slices.Clone(a.Objects), func(o *objects.Object) bool { return differs(o.File) })
	a.Objects = append(a.Objects, parsed.Objects...)
	a.Kustomizations = slices.DeleteFunc(slices.Clone(a.Kustomizations), func(k *objects.Kustomization) bool { return differs(k.Path) })
	a.Kustomizations = append(a.Kustomizations, parsed.Kustomizations...)
	if len(a.Names) > 0 { // else nobody knows all files
		a.Names = names
	}
	if a.Files != nil {
		a.Files = render.WithEdits(a.Files, contents)
	}
	return nil
}
