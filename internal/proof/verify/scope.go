package verify

import (
	"maps"
	"path"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// keepsOutside checks that a unit which is not asked for applies the same objects before and after. A violation names the unit, and
// the command that changes it too.
func (e *examiner) keepsOutside(scope *engine.Scope) {
	if scope.AllowsUnit(e.before) {
		return
	}
	for _, d := range e.differentObjects() {
		if scope.Allows(e.before, d.object) {
			continue
		}
		for _, p := range e.plans {
			about := func(plan *engine.Plan) bool { return plan == p }
			if isNew := d.added && scope.Covers(e.before, engine.FileOf(p.Object)); isNew || !e.reaches(p, d.object) {
				continue
			}
			e.violation(about, "%s", scope.Reason(engine.FileOf(p.Object), p.Kind, []*objects.Unit{e.before}))
		}
	}
}

// reaches reports whether a plan can be the cause of a difference in an object; if none can be, each is.
func (e *examiner) reaches(p *engine.Plan, o *objects.Object) bool {
	id := identityOf(o)
	if e.touches(p, o.File, id) {
		return true
	}
	return !slices.ContainsFunc(e.plans, func(other *engine.Plan) bool { return e.touches(other, o.File, id) })
}

// differentObject is an object that differs between two states of a unit; it is the one before unless it is added.
type differentObject struct {
	object *objects.Object
	added  bool
}

// differentObjects returns the objects of a unit that differ before and after: for each identity, those without an equal one on the
// other side.
func (p *pair) differentObjects() []differentObject {
	before, after := p.objectsByIdentity(p.before), p.objectsByIdentity(p.after)
	var different []differentObject
	for _, o := range p.before.Objects {
		if id := identityOf(o); len(before[id]) > 0 && before[id][0] == o {
			different = append(different, unmatched(before[id], after[id])...)
		}
	}
	for _, o := range p.after.Objects {
		if id := identityOf(o); len(before[id]) == 0 && len(after[id]) > 0 {
			different = append(different, differentObject{o, true})
		}
	}
	return different
}

// unmatched returns the objects of one identity that have no equal one on the other side. An object more than before is added.
func unmatched(before, after []*objects.Object) []differentObject {
	left := map[string][]*objects.Object{}
	for _, o := range after {
		text := textOf(o)
		left[text] = append(left[text], o)
	}
	var different []differentObject
	for _, o := range before {
		text := textOf(o)
		if len(left[text]) > 0 {
			left[text] = left[text][1:]
			continue
		}
		different = append(different, differentObject{o, false})
	}
	if len(different) > 0 {
		return different
	}
	for _, text := range slices.Sorted(maps.Keys(left)) {
		for _, o := range left[text] {
			different = append(different, differentObject{o, true})
		}
	}
	return different
}

// objectsByIdentity returns the objects of a unit that can differ: all objects of a built unit, otherwise those of changed files.
func (p *pair) objectsByIdentity(u *objects.Unit) map[engine.ObjectName][]*objects.Object {
	found := map[engine.ObjectName][]*objects.Object{}
	for _, o := range u.Objects {
		if u.Built || p.changes[o.File] {
			found[identityOf(o)] = append(found[identityOf(o)], o)
		}
	}
	return found
}

// ChangedUnit is a unit whose applied objects change. Folders are those with objects that change: the unit of plain files can hold
// several clusters. Objects that hold the manifests of another changed unit do not count.
type ChangedUnit struct {
	*objects.Unit
	Folders []string
}

// changedUnits returns the units whose applied objects some changes change, which were examined last.
func (w *beforeAfter) changedUnits(changes []engine.FileChange) []ChangedUnit {
	if len(changes) == 0 {
		return nil
	}
	pairs := w.changed()
	holders := changedHolders(pairs)
	var changed []ChangedUnit
	for _, p := range pairs {
		different := p.differentObjects()
		if len(different) == 0 {
			continue
		}
		var folders []string
		for _, d := range different {
			if !holders[d.object.Ref()] {
				folders = append(folders, path.Dir(d.object.File))
			}
		}
		slices.Sort(folders)
		changed = append(changed, ChangedUnit{p.before, slices.Compact(folders)})
	}
	return changed
}

// changedHolders returns the references of objects that change only because the manifests in them do. Units of these manifests name
// the files of these objects.
func changedHolders(pairs []pair) map[string]bool {
	holders := map[string]bool{}
	for _, p := range pairs {
		if outer := p.before.Outer; outer != nil && len(p.differentObjects()) > 0 {
			holders[outer.Ref()] = true
		}
	}
	return holders
}
