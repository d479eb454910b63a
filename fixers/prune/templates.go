package prune

import (
	"fmt"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/helm"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
)

// isRendered reports whether a template of a chart makes an object.
func isRendered(o *objects.Object) bool { return !o.InFile() && charts.Of(o) != nil }

// refOf identifies the manifest of an object: a document of a file, or a document of a template.
func refOf(c *engine.Context, o *objects.Object) string {
	if !isRendered(o) {
		return applied.SourceRef(o)
	}
	if d, err := helm.DocumentOf(c, o); err == nil {
		return fmt.Sprintf("template %s %d/%s", d.Change.File, d.Change.Span.Start, o.Kind)
	}
	return fmt.Sprintf("%s %p", o.Ref(), o)
}

// formsOfManifest returns the objects that units make from the manifest of an object.
func formsOfManifest(c *engine.Context, o *objects.Object) []applied.Form {
	if !isRendered(o) {
		return c.Repo.AppliedForms(o)
	}
	d, err := helm.DocumentOf(c, o)
	if err != nil {
		return []applied.Form{{Unit: c.Repo.UnitThatHas(o), Object: o}}
	}
	return slices.DeleteFunc(slices.Clone(d.Forms), func(form applied.Form) bool {
		return form.Object.Kind != o.Kind || form.Object.Group != o.Group
	})
}

// checkRemovable refuses to remove an object if its removal cannot be proven, or if its template cannot be edited.
func checkRemovable(c *engine.Context, o *objects.Object) error {
	if !isRendered(o) {
		return c.CheckRemovable(o)
	}
	_, err := helm.DocumentOf(c, o)
	return err
}

// unknownUsers returns why the users of a role are unknown; "" if they are known.
func unknownUsers(c *engine.Context, role *objects.Object) string {
	if !isRendered(role) {
		return c.UnknownUsers(role)
	}
	if err := checkRemovable(c, role); err != nil {
		return err.Error()
	}
	if err := c.CheckFullyRead(role); err != nil {
		return err.Error()
	}
	return ""
}

// removeObject adds the removal of an object to a plan.
func (p *Pruner) removeObject(plan *engine.Plan, o *objects.Object) {
	if !isRendered(o) {
		plan.RemoveObject(o, commit.OrderRemoval)
		return
	}
	if d, err := helm.DocumentOf(p.c, o); err == nil {
		d.Declare(p.c, plan)
	}
}

// removeSubjects adds the removal of subjects of a binding to a plan.
func (p *Pruner) removeSubjects(plan *engine.Plan, binding *objects.Object, indexes []int) {
	switch {
	case !isRendered(binding):
		subjects.Remove(plan, binding, indexes, commit.OrderRemoval)
	case p.removed.object(refOf(p.c, binding)):
		p.removeObject(plan, binding)
	default:
		for _, form := range formsOfManifest(p.c, binding) {
			p.removeItems(plan, form)
		}
	}
}

// removeItems adds the removal of the subjects that a binding loses in a unit.
func (p *Pruner) removeItems(plan *engine.Plan, form applied.Form) {
	for i := range subjects.Count(form.Object) {
		if !p.removed.bound[boundForm{form.Object, i}] {
			continue
		}
		lines, err := helm.ItemOf(p.c, form, subjects.Path(i)[:1], i)
		if err != nil {
			continue // checkItems refuses it before
		}
		if !slices.Contains(plan.Texts, lines.Change) {
			plan.Texts = append(plan.Texts, lines.Change)
		}
		plan.Applied = append(plan.Applied, engine.AppliedChange{
			Unit: form.Unit, Object: form.Object, Op: engine.RemoveValue, Path: subjects.Path(i),
		})
	}
	if d, err := helm.DocumentOf(p.c, form.Object); err == nil {
		d.DeclareChecksums(p.c, plan)
	}
}

// checkItems refuses to remove some subjects of a binding from its template if their lines also write subjects that stay.
func (p *Pruner) checkItems(binding *objects.Object) error {
	var gone, stay []helm.ItemLines
	for _, form := range formsOfManifest(p.c, binding) {
		for i := range subjects.Count(form.Object) {
			lines, err := helm.ItemOf(p.c, form, subjects.Path(i)[:1], i)
			bound := p.removed.bound[boundForm{form.Object, i}]
			switch {
			case err != nil && bound:
				return err
			case bound:
				gone = append(gone, lines)
			case err == nil:
				stay = append(stay, lines)
			}
		}
	}
	for _, lines := range gone {
		if slices.ContainsFunc(stay, lines.SameAs) {
			return engine.Refuse("the lines of %s that write the subject also write other subjects: remove it there by hand", engine.NameOf(binding))
		}
	}
	return nil
}

// checkDocuments refuses a candidate if a document of a template that is removed with it renders an object that stays.
func (p *Pruner) checkDocuments(cand *candidate) error {
	for _, o := range p.wholeObjects(cand) {
		if form, found := p.staysWith(o); found {
			d, _ := helm.DocumentOf(p.c, o)
			return d.RefuseOther(form)
		}
	}
	return nil
}

// wholeObjects returns the objects of templates that are removed with a candidate.
func (p *Pruner) wholeObjects(cand *candidate) []*objects.Object {
	all := append([]*objects.Object{cand.object}, cand.secrets...)
	for _, s := range cand.subjects {
		if p.removed.object(refOf(p.c, s.Object)) {
			all = append(all, s.Object)
		}
	}
	return slices.DeleteFunc(all, func(o *objects.Object) bool { return !isRendered(o) })
}

// staysWith returns an object that stays, although the document of a template that renders another one is removed.
func (p *Pruner) staysWith(o *objects.Object) (applied.Form, bool) {
	if !isRendered(o) {
		return applied.Form{}, false
	}
	d, err := helm.DocumentOf(p.c, o)
	if err != nil {
		return applied.Form{}, false
	}
	for _, form := range d.Forms {
		if !p.removed.forms[form.Object] {
			return form, true
		}
	}
	return applied.Form{}, false
}

// addForms records the objects of units that are removed, and the documents of templates that render them.
func (r *removedSet) addForms(c *engine.Context, o *objects.Object) {
	for _, form := range formsOfManifest(c, o) {
		r.forms[form.Object] = true
	}
	if !isRendered(o) {
		return
	}
	if d, err := helm.DocumentOf(c, o); err == nil && !slices.Contains(r.documents, d) {
		r.documents = append(r.documents, d)
	}
}

// losesAllSubjects reports whether a binding of a template loses all subjects in all units.
func (r *removedSet) losesAllSubjects(c *engine.Context, binding *objects.Object) bool {
	for _, form := range formsOfManifest(c, binding) {
		for i := range subjects.Count(form.Object) {
			if !r.bound[boundForm{form.Object, i}] {
				return false
			}
		}
	}
	return true
}

// covers reports whether a document of a template that is removed contains a line.
func (r *removedSet) covers(m uses.Place) bool {
	return slices.ContainsFunc(r.documents, func(d *helm.TemplateDocument) bool { return d.Covers(m.File, m.Line) }) ||
		slices.ContainsFunc(r.items, func(i helm.ItemLines) bool { return i.Covers(m.File, m.Line) })
}

// addItems records the lines of the subjects that a binding of a template loses.
func (r *removedSet) addItems(c *engine.Context, binding *objects.Object) {
	for _, form := range formsOfManifest(c, binding) {
		for i := range subjects.Count(form.Object) {
			if !r.bound[boundForm{form.Object, i}] {
				continue
			}
			if lines, err := helm.ItemOf(c, form, subjects.Path(i)[:1], i); err == nil {
				r.items = append(r.items, lines)
			}
		}
	}
}

// refuseTemplateOf refuses to remove a document of a template because it also renders an account that is used.
func (p *Pruner) refuseTemplateOf(form accountForm, m uses.Place) error {
	d, err := helm.DocumentOf(p.c, form.Object)
	if err != nil {
		return err
	}
	return engine.Refuse("the template at %s also renders %s in %s, which stays because %s: remove the unused account from the values or the template by hand",
		d.Place, engine.NameOf(form.Object), form.Unit, describeMention(m))
}
