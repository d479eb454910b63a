package verify

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// isMeant tells whether a declaration for a unit, or with nil for every one, holds in this one.
func (p *pair) isMeant(u *objects.Unit) bool { return u == nil || u.Key() == p.before.Key() }

// declares tells whether a plan says something of what the unit, as it is built, makes of an object.
func (p *pair) declares(plan *engine.Plan, id engine.ObjectName) bool {
	return slices.ContainsFunc(plan.Applied, func(c engine.AppliedChange) bool { return p.isMeant(c.Unit) && identityOf(c.Object) == id }) ||
		slices.ContainsFunc(plan.Added, func(a engine.AppliedObject) bool { return p.isMeant(a.Unit) && identityOfJSON(a.JSON) == id })
}

// touches tells whether a plan has a hand in an object: in its file, or by what it declares of it.
func (p *pair) touches(plan *engine.Plan, file string, id engine.ObjectName) bool {
	return changes(plan, file) || p.declares(plan, id)
}

// isComparable finds what keeps a unit from being compared: it comes or goes, or it cannot be built.
func (e *examiner) isComparable() bool {
	anybody := func(*engine.Plan) bool { return true }
	if e.before.Kind != objects.PlainUnit && e.wasThere != e.isThere {
		what := "it would no longer be applied by itself"
		if e.isThere {
			what = "it would come to be"
		}
		e.fault(anybody, "%s", what)
		return false
	}
	if isUnbuilt(e.before) {
		e.fault(anybody, "%s, so nobody knows what would become of what it applies: mend that first, or make the change by hand",
			whyUnbuilt(e.before, nil))
		return false
	}
	if isUnbuilt(e.after) {
		problem := whyUnbuilt(e.after, e.before)
		e.fault(func(p *engine.Plan) bool { return changes(p, problem.Position.File) }, "it could not be built any more: %s", problem)
		return false
	}
	return true
}

// isUnbuilt tells whether a unit would have to be built, and is not.
func isUnbuilt(u *objects.Unit) bool {
	return u.NotBuilt || len(u.Transforms) > 0 && !u.Built
}

// reason is a problem as a fault quotes it.
type reason struct{ objects.Problem }

func (r reason) String() string {
	if r.Message == "" {
		return "it is not built here"
	}
	return r.Position.String() + ": " + r.Message
}

// whyUnbuilt is the problem that kept a unit from being built: the last one, which the other unit does not have.
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

// wanted is an object as a built unit should have it.
type wanted struct {
	id     engine.ObjectName
	object *objects.Object // before; nil for one that is declared to come
	// declared are the changes to it; gone tells that it is declared to go.
	declared []engine.Change
	gone     bool
	// added is the object that is declared to come.
	added engine.AppliedObject
}

// objects compares what a built unit applies with what it applied before, and what plans declare of it: object by object,
// in whatever order. It tells whether all is as it should be.
func (e *examiner) objects() bool {
	faults := len(e.faults)
	want, order := e.wanted()
	got := byIdentity(e.after)
	for _, o := range e.after.Objects {
		if id := identityOf(o); want[id] == nil {
			want[id] = []*wanted{}
			order = append(order, id)
		}
	}
	var missing []*wanted
	surplus := map[engine.ObjectName][]*objects.Object{}
	for _, id := range order {
		m, s := e.match(want[id], got[id])
		missing = append(missing, m...)
		surplus[id] = s
	}
	missing = e.matchAdded(missing, order, surplus)
	e.reportObjects(missing, order, surplus)
	return len(e.faults) == faults
}

// wanted lists the objects of the unit before, with what is declared of them, by identity.
func (e *examiner) wanted() (map[engine.ObjectName][]*wanted, []engine.ObjectName) {
	want := map[engine.ObjectName][]*wanted{}
	var order []engine.ObjectName
	for _, o := range e.before.Objects {
		id := identityOf(o)
		if want[id] == nil {
			order = append(order, id)
		}
		want[id] = append(want[id], &wanted{id: id, object: o})
	}
	for _, plan := range e.plans {
		for _, c := range plan.Applied {
			if !e.isMeant(c.Unit) {
				continue
			}
			if w := counterpart(want[identityOf(c.Object)], c.Object); w != nil {
				w.declare(c)
			} else {
				e.fault(func(p *engine.Plan) bool { return p == plan }, "a change of %s was declared, which it does not apply", identityOf(c.Object))
			}
		}
	}
	return want, order
}

// counterpart finds an object that a plan is about among those of its identity: where there are several, the one of the same
// source.
func counterpart(same []*wanted, o *objects.Object) *wanted {
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

// declare adds what a plan says of the object. What several plans say alike is one change.
func (w *wanted) declare(c engine.AppliedChange) {
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

// losesSubjects tells whether all subjects of a binding are declared to go: then it goes as well.
func (w *wanted) losesSubjects() bool {
	removed := 0
	for _, c := range w.declared {
		if c.Op == engine.RemoveValue && len(c.Path) == 2 && c.Path[0] == "subjects" {
			removed++
		}
	}
	subjects := w.object.Node.Get("subjects")
	return removed > 0 && isBinding(w.object) && subjects.IsSequence() && len(subjects.Items) == removed
}

// match pairs the objects of one identity that should be there with those that are. What is left over on either side is
// where they differ.
func (e *examiner) match(want []*wanted, got []*objects.Object) (missing []*wanted, surplus []*objects.Object) {
	if len(want) == 1 && len(got) == 1 && want[0].isSame(got[0]) {
		return nil, nil
	}
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
			e.fault(func(p *engine.Plan) bool { return e.declares(p, w.id) }, "%s: %v", w.id, err)
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

// isSame tells whether an object obviously is as it should be: byte by byte, as most are.
func (w *wanted) isSame(o *objects.Object) bool {
	return !w.gone && len(w.declared) == 0 && len(o.Path)+len(w.object.Path) == 0 && bytes.Equal(content(w.object.Text()), content(o.Text()))
}

// matchAdded takes the objects that plans declare out of those left over; a declared one that is not there is missing.
func (e *examiner) matchAdded(missing []*wanted, order []engine.ObjectName, surplus map[engine.ObjectName][]*objects.Object) []*wanted {
	done := map[string]bool{}
	for _, plan := range e.plans {
		for _, added := range plan.Added {
			text := fmt.Sprint(added.Affixed, added.JSON)
			if !e.isMeant(added.Unit) || done[text] {
				continue
			}
			done[text] = true
			w := &wanted{id: identityOfJSON(added.JSON), added: added}
			if !w.takeFrom(order, surplus) {
				missing = append(missing, w)
			}
		}
	}
	return missing
}

// takeFrom takes the first object that is what was declared.
func (w *wanted) takeFrom(order []engine.ObjectName, surplus map[engine.ObjectName][]*objects.Object) bool {
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

// isAffixed tells whether an identity is another with something before and behind its name.
func isAffixed(id, plain engine.ObjectName) bool {
	return id.Group == plain.Group && id.Kind == plain.Kind && id.Namespace == plain.Namespace && strings.Contains(id.Name, plain.Name)
}

// reportObjects says of the objects left over what is wrong with them.
func (e *examiner) reportObjects(missing []*wanted, order []engine.ObjectName, surplus map[engine.ObjectName][]*objects.Object) {
	for _, w := range missing {
		blame := func(p *engine.Plan) bool { return e.declares(p, w.id) || w.object != nil && changes(p, w.object.File) }
		there := surplus[w.id]
		switch {
		case len(there) > 0:
			e.fault(blame, "%s: %v", w.id, w.difference(there[0]))
			surplus[w.id] = there[1:]
		case w.object == nil:
			e.fault(blame, "%s would not come to be as it was declared", w.id)
		default:
			e.fault(blame, "%s would be gone, and nobody declared that", w.id)
		}
	}
	for _, id := range order {
		for _, o := range surplus[id] {
			e.fault(func(p *engine.Plan) bool { return e.touches(p, o.File, id) }, "%s would come to be, and nobody declared that", id)
		}
	}
}
