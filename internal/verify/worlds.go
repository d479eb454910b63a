package verify

import (
	"slices"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/olm"
)

// worlds are the units of the repository before the changes and after them. Both are put together in the same way, from
// all documents of the files that change, so that they differ by the changes alone.
type worlds struct {
	c             *fixers.Context
	changes       []fixers.FileChange
	before, after []*inventory.Unit
}

// newWorlds puts the units together twice.
func newWorlds(c *fixers.Context, files []string, changes []fixers.FileChange) (*worlds, error) {
	old, new := map[string][]byte{}, map[string][]byte{}
	var filesAfter []string
	for _, change := range changes {
		old[change.Path], new[change.Path] = change.Before, change.After
	}
	for _, file := range files {
		if data, changed := new[file]; !changed || data != nil {
			filesAfter = append(filesAfter, file)
		}
	}
	for _, change := range changes {
		if change.Before == nil && len(files) > 0 {
			filesAfter = append(filesAfter, change.Path)
		}
	}
	w := &worlds{c: c, changes: changes}
	var err error
	if w.before, err = assemble(c.Units, old, files); err != nil {
		return nil, err
	}
	w.after, err = assemble(c.Units, new, filesAfter)
	return w, err
}

// assemble puts units together from what they were made of, with other contents for some files; nil is no file.
func assemble(units []*inventory.Unit, contents map[string][]byte, files []string) ([]*inventory.Unit, error) {
	var objects []*inventory.Object
	var kustomizations []*inventory.Kustomization
	seenObjects, seenKustomizations := map[*inventory.Object]bool{}, map[*inventory.Kustomization]bool{}
	for _, unit := range units {
		for _, o := range unit.AsWritten() {
			if _, replaced := contents[o.File]; !replaced && !seenObjects[o] {
				seenObjects[o] = true
				objects = append(objects, o)
			}
		}
		for _, k := range unit.Kustomizations {
			if seenKustomizations[k] {
				continue
			}
			seenKustomizations[k] = true
			replaced, err := reread(k, contents)
			if err != nil {
				return nil, err
			}
			kustomizations = append(kustomizations, replaced)
		}
	}
	for path, data := range contents {
		objects = append(objects, read(path, data)...)
	}
	return inventory.Units(objects, kustomizations, files...), nil
}

// reread gives a kustomization as the contents have it, or as it is when they do not.
func reread(k *inventory.Kustomization, contents map[string][]byte) (*inventory.Kustomization, error) {
	data, replaced := contents[k.Path]
	if !replaced {
		return k, nil
	}
	doc := manifest.Scan(k.Path, data).Docs[k.Doc.Index] // checkFile has counted the documents
	if err := doc.Parse(); err != nil {
		return nil, err
	}
	return inventory.ReadKustomization(doc)
}

// read lists the objects of a file. Documents that cannot be read have none, before and after alike.
func read(path string, data []byte) []*inventory.Object {
	var objects []*inventory.Object
	for _, doc := range manifest.Scan(path, data).Docs {
		if doc.Parse() == nil {
			objects = append(objects, inventory.Objects(doc)...)
		}
	}
	return objects
}

// pair is a unit before and after. One that is not there is empty.
type pair struct {
	before, after *inventory.Unit
	// target is what an object of the unit is judged for.
	target func(*inventory.Object) olm.Target
	// files are those of the unit, before or after; changes are the files of the repository that change.
	files, changes map[string]bool
}

// changed lists the units that have a hand in a file that changed.
func (w *worlds) changed() []pair {
	type key struct {
		kind inventory.UnitKind
		name string
	}
	pairs := map[key]*pair{}
	changes := map[string]bool{}
	for _, c := range w.changes {
		changes[c.Path] = true
	}
	var order []key
	add := func(u *inventory.Unit, set func(*pair)) {
		k := key{u.Kind, u.Name}
		if pairs[k] == nil {
			empty := &inventory.Unit{Name: u.Name, Root: u.Root, Kind: u.Kind}
			unknown := func(*inventory.Object) olm.Target { return olm.Target{} }
			pairs[k] = &pair{before: empty, after: empty, target: unknown, files: map[string]bool{}, changes: changes}
			order = append(order, k)
		}
		set(pairs[k])
		pairs[k].addFiles(u)
	}
	for _, u := range w.before {
		add(u, func(p *pair) { p.before = u })
	}
	for _, u := range w.after {
		add(u, func(p *pair) { p.after = u })
	}
	for _, u := range w.c.Units {
		if p := pairs[key{u.Kind, u.Name}]; p != nil {
			p.target = func(o *inventory.Object) olm.Target { return w.c.Target(u, o) }
		}
	}
	var changed []pair
	for _, k := range order {
		p := pairs[k]
		if slices.ContainsFunc(w.changes, func(c fixers.FileChange) bool { return p.files[c.Path] }) {
			changed = append(changed, *p)
		}
	}
	return changed
}

func (p *pair) addFiles(u *inventory.Unit) {
	for _, o := range u.Objects {
		p.files[o.File] = true
	}
	for _, k := range u.Kustomizations {
		p.files[k.Path] = true
	}
}
