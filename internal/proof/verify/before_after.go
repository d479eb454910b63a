package verify

import (
	"maps"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// beforeAfter is the units of the repository before the changes and after them. Both are put together in the same way, from
// all documents of the files that change, so that they differ by the changes alone. Several rounds of a proof share what
// was there before.
type beforeAfter struct {
	c *engine.Context
	// contents are the files that a round changes, as they are; built are the units that are built on one of the sides.
	contents map[string][]byte
	built    map[objects.UnitKey]bool
	// before is nil until it is put together, and again when it lacks something.
	before, after []*objects.Unit
	changes       []engine.FileChange
}

func newBeforeAfter(c *engine.Context) *beforeAfter {
	w := &beforeAfter{c: c, contents: map[string][]byte{}, built: map[objects.UnitKey]bool{}}
	for _, u := range c.Repo.Units {
		w.note(u)
	}
	return w
}

// note remembers a unit that is built, or would have to be.
func (w *beforeAfter) note(u *objects.Unit) {
	if key := u.Key(); (u.Built || u.NotBuilt || len(u.Transforms) > 0) && !w.built[key] {
		w.built[key] = true
		w.before = nil
	}
}

// change puts the units together with and without changes. Those that a change has built must be built without it as well.
func (w *beforeAfter) change(changes []engine.FileChange) (err error) {
	w.changes = changes
	for _, change := range changes {
		if _, known := w.contents[change.Path]; !known {
			w.contents[change.Path] = change.Before
			w.before = nil
		}
	}
	contents := maps.Clone(w.contents)
	for _, change := range changes {
		contents[change.Path] = change.After
	}
	isBuilt := func(u *objects.Unit) bool { return w.built[u.Key()] }
	if w.after, err = w.c.Lookups.Rebuild(contents, isBuilt); err != nil {
		return err
	}
	for _, u := range w.after {
		w.note(u)
	}
	if w.before == nil {
		w.before, err = w.c.Lookups.Rebuild(w.contents, isBuilt)
	}
	return err
}

// pair is a unit before and after. One that is not there is empty.
type pair struct {
	before, after *objects.Unit
	// wasThere and isThere tell whether it is there.
	wasThere, isThere bool
	// target is what an object of the unit is judged for.
	target func(*objects.Object) olm.Target
	// files are those with objects of the unit, before or after; changes are the files of the repository that change, and read
	// those of them that the unit reads.
	files, changes map[string]bool
	read           []string
}

// isBuilt tells whether both sides are what is applied rather than what files hold.
func (p *pair) isBuilt() bool { return p.before.Built && p.after.Built }

// changed lists the units that have a hand in a file that changed, and those that come or go with it.
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
