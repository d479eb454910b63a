package fields

import (
	"fmt"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// Earlier is what the fixes of a run have changed in its rounds. Two rules that contradict each other need not have findings in the same
// round: one can find what the other has written. The zero value is empty.
type Earlier struct {
	made []madeEdit
	// refused are the general edits that contradict one of another round, with the reasons.
	refused []refusedEdit
	again   bool
}

type madeEdit struct {
	file   string
	object engine.ObjectName
	edit
	rule    string
	general bool
}

type refusedEdit struct {
	madeEdit
	refusal *engine.Refusal
}

// Made takes note of a fix that a round makes.
func (e *Earlier) Made(r engine.Request, p *engine.Plan) {
	for _, made := range editsOf(r, p) {
		for _, before := range e.made {
			if before.isOn(made) && before.contradicts(made.edit) {
				e.refuse(before, made)
			}
		}
		e.made = append(e.made, made)
	}
}

// editsOf returns the edits of a fix in its object. Those of a general fix are what was requested.
func editsOf(r engine.Request, p *engine.Plan) []madeEdit {
	made := madeEdit{file: engine.FileOf(r.Object), object: nameOfSource(r.Object), rule: r.Rule}
	if made.edit, made.general = editOf(r); made.general {
		return []madeEdit{made}
	}
	var all []madeEdit
	for _, c := range p.Changes {
		if !p.Touches(r.Object) || c.File != r.Object.File || c.Document != r.Object.Doc.Index || len(c.Path) <= len(r.Object.Path) {
			continue
		}
		made.edit = edit{path: c.Path[len(r.Object.Path):], remove: c.Op == engine.RemoveValue, value: c.Value}
		all = append(all, made)
	}
	return all
}

// refuse refuses the general ones of two edits that contradict each other, from the beginning of the run on.
func (e *Earlier) refuse(a, b madeEdit) {
	refusal := contradiction(a.edit, b.edit, a.rule, b.rule)
	if !a.general || !b.general {
		if a.rule > b.rule {
			a, b = b, a
		}
		refusal = &engine.Refusal{Reason: fmt.Sprintf("%s %s, and %s %s: change the rule that is not salint's, or the object by hand", a.rule, a.edit, b.rule, b.after(a.edit))}
	}
	for _, one := range []madeEdit{a, b} {
		if one.general && e.refusal(one) == nil {
			e.refused = append(e.refused, refusedEdit{one, refusal})
			e.again = true
		}
	}
}

func (e *Earlier) refusalOf(r engine.Request) *engine.Refusal {
	edits := editsOf(r, nil)
	return e.refusal(edits[0])
}

func (e *Earlier) refusal(m madeEdit) *engine.Refusal {
	if e == nil {
		return nil
	}
	i := slices.IndexFunc(e.refused, func(r refusedEdit) bool { return r.isOn(m) && r.equals(m.edit) && r.rule == m.rule })
	if i < 0 {
		return nil
	}
	return e.refused[i].refusal
}

func (m madeEdit) isOn(other madeEdit) bool { return m.file == other.file && m.object == other.object }

// nameOfSource returns the name of an object in its file.
func nameOfSource(o *objects.Object) engine.ObjectName {
	if source := o.Source(); source != nil {
		return engine.NameOf(source)
	}
	return engine.NameOf(o)
}

// Again reports whether the run has to begin again, because a round has made a fix that is refused now. It forgets what was made.
func (e *Earlier) Again() bool {
	again := e.again
	e.again, e.made = false, nil
	return again
}
