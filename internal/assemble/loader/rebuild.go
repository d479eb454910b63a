package loader

import (
	"context"
	"slices"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Change is how a repository differs from one whose units exist.
type Change struct {
	// Contents are the contents of the files that differ; nil is a file that does not exist.
	Contents map[string][]byte
	// Parsed are files with these contents of which documents are parsed; it can lack any of them, or be nil.
	Parsed map[string]*manifest.File
	// Built reports units that are built although nothing changes their files, so that they can be compared with built units; it
	// can be nil.
	Built func(*objects.Unit) bool
}

// Rebuild assembles a again, with a change. Units that read none of the files in Contents are the same as in units. The others
// have all objects that they apply, and not only those in question.
//
// A file in Contents need not differ: the units before a change are assembled in the same way as the units after it, so that the
// two can be compared.
func Rebuild(ctx context.Context, a Assembly, units []*objects.Unit, c Change) ([]*objects.Unit, error) {
	if a.Files != nil {
		a.Charts.Settings.Tested = charts.TestedBefore(a.Names, a.Files, a.Charts.Settings, c.Contents)
	}
	if err := a.reread(ctx, c); err != nil {
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
	a.Wanted, a.Skipped, a.Charts.Wanted, a.Defer = nil, nil, nil, nil
	a.Mentions = func([]byte) bool { return true }
	return Assemble(ctx, a)
}

// affected returns a function that reports whether the change can affect a unit. It always affects the plain unit, which has the
// files that no other unit applies.
func (c Change) affected() func(*objects.Unit) bool {
	files := map[string]bool{}
	for file := range c.Contents {
		files[file] = true
	}
	return func(u *objects.Unit) bool { return u.Kind == objects.PlainUnit || len(u.ReadOf(files)) > 0 }
}

// reread replaces the objects of the files in a change. It parses every document, because the change can alter which documents
// are in question, unless one with the same bytes is parsed already.
func (a *Assembly) reread(ctx context.Context, c Change) error {
	contents := c.Contents
	differs := func(file string) bool { _, ok := contents[file]; return ok }
	names := slices.DeleteFunc(slices.Clone(a.Names), differs)
	known := map[string]*manifest.File{}
	for _, o := range a.Objects {
		if file := o.Doc.File; differs(o.File) && file.Path == o.File {
			known[o.File] = file
		}
	}
	files := map[string]*manifest.File{}
	for file, data := range contents {
		if data == nil {
			continue
		}
		names = append(names, file)
		if _, named := slices.BinarySearch(a.Names, file); named || repo.IsManifest(file) {
			files[file] = manifest.Scan(file, data)
			files[file].TakeOver(known[file])
			files[file].TakeOver(c.Parsed[file])
		}
	}
	slices.Sort(names)
	all := func(*manifest.Document) bool { return true }
	none := func(*manifest.Document) bool { return false }
	parsed, err := Selection{Names: names, Files: files, Matters: all, Missed: none}.Parse(ctx)
	if err != nil {
		return err
	}
	Resolve(parsed.Kustomizations, a.Members, a.Links, func(file string) bool { _, named := slices.BinarySearch(names, file); return named })
	a.Objects = slices.DeleteFunc(slices.Clone(a.Objects), func(o *objects.Object) bool { return differs(o.File) })
	a.Objects = append(a.Objects, parsed.Objects...)
	a.Kustomizations = slices.DeleteFunc(slices.Clone(a.Kustomizations), func(k *objects.Kustomization) bool { return differs(k.Path) })
	a.Kustomizations = append(a.Kustomizations, parsed.Kustomizations...)
	if len(a.Names) > 0 { // otherwise the list of all files is not known
		a.Names = names
	}
	if a.Files != nil {
		a.Files = render.WithEdits(a.Files, contents)
	}
	return nil
}
