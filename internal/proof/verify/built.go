package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// applies reports whether a declaration for a unit, or for every unit if u is nil, applies to this one.
func (p *pair) applies(u *objects.Unit) bool { return u == nil || u.Key() == p.before.Key() }

// declares reports whether a plan declares a change of an object as the unit builds it.
func (p *pair) declares(plan *engine.Plan, id engine.ObjectName) bool {
	return slices.ContainsFunc(plan.Applied, func(c engine.AppliedChange) bool { return p.applies(c.Unit) && identityOf(c.Object) == id }) ||
		slices.ContainsFunc(plan.Added, func(a engine.AppliedObject) bool { return p.applies(a.Unit) && identityOfJSON(a.JSON) == id })
}

// touches reports whether a plan changes an object: its file, or the object as it is built.
func (p *pair) touches(plan *engine.Plan, file string, id engine.ObjectName) bool {
	return changes(plan, file) || p.declares(plan, id)
}

// isComparable records what prevents comparing a unit: it appears or disappears, or cannot be built.
func (e *examiner) isComparable() bool {
	anybody := func(*engine.Plan) bool { return true }
	if e.before.Kind != objects.PlainUnit && e.wasThere != e.isThere {
		what := "it would no longer be a separate unit"
		switch {
		case e.isThere:
			what = "it would be added"
		case e.before.Kind == objects.ApplicationUnit && e.removesAll():
			what = "nothing would be left in its folder, so its sync would fail and delete nothing: delete the application with its " +
				"objects by hand, then the folder"
		}
		e.violation(anybody, "%s", what)
		return false
	}
	if isUnbuilt(e.before) {
		e.violation(anybody, "%s, so the effect on its objects is unknown. Fix that first, or make the change by hand",
			whyUnbuilt(e.before, nil))
		return false
	}
	if isUnbuilt(e.after) {
		problem := whyUnbuilt(e.after, e.before)
		e.violation(func(p *engine.Plan) bool { return changes(p, problem.Position.File) }, "it could no longer be built: %s", problem)
		return false
	}
	return true
}

// removesAll reports whether every file of the unit is deleted.
func (e *examiner) removesAll() bool {
	return !slices.ContainsFunc(e.before.Objects, func(o *objects.Object) bool { return !e.deleted[o.File] })
}

// isUnbuilt reports whether a unit must be built, and is not.
func isUnbuilt(u *objects.Unit) bool {
	return u.NotBuilt || len(u.Transforms) > 0 && !u.Built
}

// reason is a problem as a violation quotes it.
type reason struct{ objects.Problem }

func (r reason) String() string {
	if r.Message == "" {
		return "it is not built"
	}
	return r.Position.String() + ": " + r.Message
}

// whyUnbuilt returns the problem that prevented building a unit: the last one that the other unit does not have.
func whyUnbuilt(u, other *objects.Unit) reason {
	known := map[string]bool{}
	if other != nil {
		for _, p := range other.Problems {
			known[p.Message] = true
		}
	}
	for _, p := range slices.Backward(u.Problems) {
		if u.NotBuilt && !known[p.Message] {
			return reason{p}
		}
	}
	return reason{}
}

// expectedObject is an object as a built unit should have it.
type expectedObject struct {
	id     engine.ObjectName
	object *objects.Object // before; nil for an object that is declared to be added
	// declared are the changes to it; gone is set if its removal is declared.
	declared []engine.Change
	gone     bool
	// added is the object that is declared to be added.
	added engine.AppliedObject
}

// objects compares the objects of a built unit with those before and the declared changes, in any order. It reports whether
// there is no violation.
func (e *examiner) objects() bool {
	violations := len(e.violations)
	want, order := e.expectedObjects()
	got := byIdentity(e.after)
	for _, o := range e.after.Objects {
		if id := identityOf(o); want[id] == nil {
			want[id] = []*expectedObject{}
			order = append(order, id)
		}
	}
	var missing []*expectedObject
	surplus := map[engine.ObjectName][]*objects.Object{}
	for _, id := range order {
		m, s := e.match(want[id], got[id])
		missing = append(missing, m...)
		surplus[id] = s
	}
	missing = e.matchAdded(missing, order, surplus)
	e.reportObjects(missing, order, surplus)
	return len(e.violations) == violations
}

// expectedObjects returns the objects of the unit before, with the declared changes, by identity.
func (e *examiner) expectedObjects() (map[engine.ObjectName][]*expectedObject, []engine.ObjectName) {
	want := map[engine.ObjectName][]*expectedObject{}
	var order []engine.ObjectName
	for _, o := range e.before.Objects {
		id := identityOf(o)
		if want[id] == nil {
			order = append(order, id)
		}
		want[id] = append(want[id], &expectedObject{id: id, object: o})
	}
	for _, plan := range e.plans {
		for _, c := range plan.Applied {
			if !e.applies(c.Unit) {
				continue
			}
			if w := counterpart(want[identityOf(c.Object)], c.Object); w != nil {
				w.declare(c)
			} else {
				e.violation(func(p *engine.Plan) bool { return p == plan }, "a change of %s was declared, but the unit does not apply it", identityOf(c.Object))
			}
		}
	}
	return want, order
}

// counterpart returns the object that a plan changes among those of its identity: if there are several, the one from the
// same source.
func counterpart(same []*expectedObject, o *objects.Object) *expectedObject {
	if len(same) == 1 {
		return same[0]
	}
	for _, w := range same {
		if w.object.Ref() == o.Ref() {
			return w
		}
	}
	return nil
}

// declare adds a declared change of the object. The same change of several plans counts once.
func (w *expectedObject) declare(c engine.AppliedChange) {
	if c.Op == engine.RemoveDocument {
		w.gone = true
		return
	}
	change := engine.Change{Op: c.Op, Path: c.Path, Value: c.Value}
	same := func(other engine.Change) bool {
		return other.Op == change.Op && slices.Equal(other.Path, change.Path) && fmt.Sprint(other.Value) == fmt.Sprint(change.Value)
	}
	if slices.ContainsFunc(w.declared, same) {
		return
	}
	w.declared = append(w.declared, change)
	w.gone = w.gone || w.losesSubjects()
}

// losesSubjects reports whether all subjects of a binding are declared to be removed: then the binding is removed as well.
func (w *expectedObject) losesSubjects() bool {
	removed := 0
	for _, c := range w.declared {
		if c.Op == engine.RemoveValue && len(c.Path) == 2 && c.Path[0] == "subjects" {
			removed++
		}
	}
	subjects := w.object.Node.Get("subjects")
	return removed > 0 && isBinding(w.object) && subjects.IsSequence() && len(subjects.Items()) == removed
}

// match pairs the expected objects of one identity with the actual ones. It returns the unpaired ones of both.
func (e *examiner) match(want []*expectedObject, got []*objects.Object) (missing []*expectedObject, surplus []*objects.Object) {
	if len(want) == 1 && len(got) == 1 && want[0].isSame(got[0]) {
		return nil, nil
	}
	takeChecksums(want, got)
	texts := map[string][]*objects.Object{}
	for _, o := range got {
		text := textOf(o)
		texts[text] = append(texts[text], o)
	}
	found := map[*objects.Object]bool{}
	for _, w := range want {
		if w.gone {
			continue
		}
		text, err := w.text()
		if err != nil {
			e.violation(func(p *engine.Plan) bool { return e.declares(p, w.id) }, "%s: %v", w.id, err)
			continue
		}
		if same := texts[text]; len(same) > 0 {
			found[same[0]] = true
			texts[text] = same[1:]
			continue
		}
		missing = append(missing, w)
	}
	return missing, slices.DeleteFunc(slices.Clone(got), func(o *objects.Object) bool { return found[o] })
}

// isSame reports whether an object is equal to the expected one byte for byte, as most are.
func (w *expectedObject) isSame(o *objects.Object) bool {
	return !w.gone && len(w.declared) == 0 && len(o.Path)+len(w.object.Path) == 0 && bytes.Equal(content(w.object.Text()), content(o.Text()))
}

// matchAdded pairs added objects with the declared ones. A declared object that does not exist is missing.
func (e *examiner) matchAdded(missing []*expectedObject, order []engine.ObjectName, surplus map[engine.ObjectName][]*objects.Object) []*expectedObject {
	done := map[string]bool{}
	for _, plan := range e.plans {
		for _, added := range plan.Added {
			text := fmt.Sprint(added.Affixed, added.JSON)
			if !e.applies(added.Unit) || done[text] {
				continue
			}
			done[text] = true
			w := &expectedObject{id: identityOfJSON(added.JSON), added: added}
			if !w.takeFrom(order, surplus) {
				missing = append(missing, w)
			}
		}
	}
	return missing
}

// takeFrom removes the first object that equals the declared one.
func (w *expectedObject) takeFrom(order []engine.ObjectName, surplus map[engine.ObjectName][]*objects.Object) bool {
	candidates := []engine.ObjectName{w.id}
	if w.added.Affixed {
		candidates = slices.DeleteFunc(slices.Clone(order), func(id engine.ObjectName) bool { return !isAffixed(id, w.id) })
	}
	for _, id := range candidates {
		for i, o := range surplus[id] {
			if w.isAdded(o) {
				surplus[id] = slices.Delete(slices.Clone(surplus[id]), i, i+1)
				return true
			}
		}
	}
	return false
}

// isAffixed reports whether an identity differs from another only by a prefix and suffix of the name.
func isAffixed(id, plain engine.ObjectName) bool {
	return id.Group == plain.Group && id.Kind == plain.Kind && id.Namespace == plain.Namespace && strings.Contains(id.Name, plain.Name)
}

// reportObjects records the violations of the unpaired objects.
func (e *examiner) reportObjects(missing []*expectedObject, order []engine.ObjectName, surplus map[engine.ObjectName][]*objects.Object) {
	for _, w := range missing {
		blame := func(p *engine.Plan) bool { return e.declares(p, w.id) || w.object != nil && changes(p, w.object.File) }
		there := surplus[w.id]
		switch {
		case len(there) > 0:
			e.violation(blame, "%s: %v", w.id, w.difference(there[0]))
			surplus[w.id] = there[1:]
		case w.object == nil:
			e.violation(blame, "%s would not be added as declared", w.id)
		default:
			e.violation(blame, "%s would be removed, which was not declared", w.id)
		}
	}
	for _, id := range order {
		for _, o := range surplus[id] {
			e.violation(func(p *engine.Plan) bool { return e.touches(p, o.File, id) }, "%s would be added, which was not declared", id)
		}
	}
}
