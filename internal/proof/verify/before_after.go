package verify

import (
	"maps"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// beforeAfter is the units of the repository before and after the changes. Both are assembled in the same way, from all
// documents of the changed files, so that they differ only by the changes. The units before are shared by several rounds.
type beforeAfter struct {
	c *engine.Context
	// contents are the original files that a round changes; built are the units that are built before or after.
	contents map[string][]byte
	built    map[objects.UnitKey]bool
	// before is nil until it is assembled, and again if it is incomplete.
	before, after []*objects.Unit
	changes       []engine.FileChange
	others        *otherBindings
}

func newBeforeAfter(c *engine.Context) *beforeAfter {
	w := &beforeAfter{c: c, contents: map[string][]byte{}, built: map[objects.UnitKey]bool{}, others: &otherBindings{c: c}}
	for _, u := range c.Repo.Units {
		w.note(u)
	}
	return w
}

// note records a unit that is built, or must be.
func (w *beforeAfter) note(u *objects.Unit) {
	if key := u.Key(); (u.Built || u.NotBuilt || len(u.Transforms) > 0) && !w.built[key] {
		w.built[key] = true
		w.before = nil
	}
}

// change assembles the units with and without changes, of which the files are known as they will be; nil is a file that is not known.
// Units that a change requires to be built are also built without it.
func (w *beforeAfter) change(changes []engine.FileChange, after []*manifest.File) (err error) {
	w.changes = changes
	for _, change := range changes {
		if _, known := w.contents[change.Path]; !known {
			w.contents[change.Path] = change.Before
			w.before = nil
		}
	}
	contents, parsed := maps.Clone(w.contents), map[string]*manifest.File{}
	for i, change := range changes {
		contents[change.Path], parsed[change.Path] = change.After, after[i]
	}
	isBuilt := func(u *objects.Unit) bool { return w.built[u.Key()] }
	if w.after, err = w.c.Lookups.Rebuild(contents, parsed, isBuilt); err != nil {
		return err
	}
	for _, u := range w.after {
		w.note(u)
	}
	if w.before == nil {
		w.before, err = w.c.Lookups.Rebuild(w.contents, nil, isBuilt)
	}
	return err
}

// pair is a unit before and after. A unit that does not exist is empty.
type pair struct {
	before, after *objects.Unit
	// wasThere and isThere report whether the unit exists before and after.
	wasThere, isThere bool
	// target returns the target of an object of the unit.
	target func(*objects.Object) olm.Target
	// files are those with objects of the unit, before or after; changes are all changed files of the repository, and read
	// those that the unit reads.
	files, changes map[string]bool
	read           []string
}

// isBuilt reports whether both sides are built.
func (p *pair) isBuilt() bool { return p.before.Built && p.after.Built }

// changed returns the units that read a changed file, and those that appear or disappear because of it.
func (w *beforeAfter) changed() []pair {
	changes := map[string]bool{}
	for _, c := range w.changes {
		changes[c.Path] = true
	}
	pairs := map[objects.UnitKey]*pair{}
	var order []objects.UnitKey
	of := func(u *objects.Unit) *pair {
		k := u.Key()
		if pairs[k] == nil {
			empty := &objects.Unit{Name: u.Name, Root: u.Root, Kind: u.Kind}
			unknown := func(*objects.Object) olm.Target { return olm.Target{} }
			pairs[k] = &pair{before: empty, after: empty, target: unknown, files: map[string]bool{}, changes: changes}
			order = append(order, k)
		}
		pairs[k].addFiles(u)
		return pairs[k]
	}
	for _, u := range w.before {
		p := of(u)
		p.before, p.wasThere = u, true
	}
	for _, u := range w.after {
		p := of(u)
		p.after, p.isThere = u, true
	}
	for _, u := range w.c.Repo.Units {
		if p := pairs[u.Key()]; p != nil {
			p.target = func(o *objects.Object) olm.Target { return w.c.Lookups.Target(u, o) }
		}
	}
	var changed []pair
	for _, k := range order {
		p := pairs[k]
		p.read = slices.Concat(p.before.ReadOf(changes), p.after.ReadOf(changes))
		if len(p.read) > 0 || p.wasThere != p.isThere {
			changed = append(changed, *p)
		}
	}
	return changed
}

func (p *pair) addFiles(u *objects.Unit) {
	for _, o := range u.Objects {
		p.files[o.File] = true
	}
	for _, k := range u.Kustomizations {
		p.files[k.Path] = true
	}
}
