package applications

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/kube/objects"
)

// unitOf makes the unit of an application; nil where that is the one of a kustomization as it is.
func (p *plan) unitOf(d *drawn) *objects.Unit {
	if d.known != nil {
		p.change(d)
		return d.known
	}
	unit := p.joined(d, p.made)
	r := &remaker{app: d.app, kinds: p.kinds, made: p.remade}
	objects, changed := r.all(unit.Objects)
	problems := p.openEnds(d, r, objects)
	if dir, ok := d.asItIs(); ok {
		p.kept[dir] = true
		p.appliers[dir] = append(p.appliers[dir], applier(d.app))
		p.problemsOf[dir] = append(p.problemsOf[dir], problems...)
		return nil
	}
	p.change(d)
	if changed {
		written := unit.AsWritten()
		unit.Built, unit.Objects, unit.Sources = true, objects, written
	}
	unit.Problems = slices.Concat(problems, unit.Problems)
	return unit
}

// change notes that the folders of an application are applied as it has them, and by themselves only if another one says so.
func (p *plan) change(d *drawn) {
	for _, part := range d.parts {
		p.changed[part.source.Path.Value] = true
	}
}

// earlier gives the unit of an application as it was put together before, if nothing it is made of is another.
func (p *plan) earlier(d *drawn) *objects.Unit {
	if p.Overlay.Known == nil {
		return nil
	}
	known := p.Overlay.Known(p.joined(d, p.written))
	if known == nil || len(known.Appliers) != 1 || !reflect.DeepEqual(known.Appliers[0].Object.JSON(), d.app.Object.JSON()) {
		return nil
	}
	return known.For([]objects.Applier{applier(d.app)})
}

// asItIs gives the folder of the kustomization that is all an application applies, without a change of its own. Variables are
// one, whether an object has any or not: a unit does not become another because an object is edited. A namespace that Argo CD
// fills in is none: other clusters may apply the same to another.
func (d *drawn) asItIs() (dir string, ok bool) {
	sources := slices.DeleteFunc(slices.Clone(d.app.Sources), func(s gitops.Source) bool { return s.Kind == gitops.Reference })
	if len(sources) != 1 || len(d.parts) != 1 {
		return "", false
	}
	only := d.parts[0]
	return only.source.Path.Value, only.source.Kind == gitops.Kustomize && only.edit == nil && d.app.Variables == nil
}

// joined puts the parts of an application together, as they were built or as they are written, before what is done to all
// objects.
func (p *plan) joined(d *drawn, made func(part) *objects.Unit) *objects.Unit {
	unit := &objects.Unit{
		Name: d.name, Root: d.parts[0].source.Path.Value, Kind: objects.ApplicationUnit,
		Appliers: []objects.Applier{applier(d.app)},
	}
	for _, part := range d.parts {
		made := made(part)
		unit.Objects = append(unit.Objects, made.Objects...)
		unit.Sources = append(unit.Sources, made.AsWritten()...)
		unit.Built, unit.NotBuilt = unit.Built || made.Built, unit.NotBuilt || made.NotBuilt
		unit.Kustomizations = append(unit.Kustomizations, made.Kustomizations...)
		unit.Renderings = append(unit.Renderings, made.Renderings...)
		unit.Transforms = append(unit.Transforms, made.Transforms...)
		unit.Remotes = append(unit.Remotes, made.Remotes...)
		unit.NonObjectInputs = append(unit.NonObjectInputs, made.NonObjectInputs...)
		unit.Problems = append(unit.Problems, made.Problems...)
		unit.Takes = append(unit.Takes, made.Takes...)
	}
	slices.SortStableFunc(unit.Objects, objects.Compare)
	slices.SortStableFunc(unit.Sources, objects.Compare)
	unit.Objects, unit.Sources = slices.Compact(unit.Objects), slices.Compact(unit.Sources)
	if !unit.Built {
		unit.Sources = nil
	}
	return unit
}

// made is a part as it was built.
func (p *plan) made(part part) *objects.Unit {
	made := &objects.Unit{Objects: part.files}
	switch {
	case part.failed != nil:
		made = part.unit.Unbuilt(problemAt(part.source.Path.Place, "not built as the application would have it: "+part.failed.Error()))
	case part.unit != nil:
		made = p.built[part.key()]
	case part.chart != nil:
		made = p.charts[part.chart.key()]
	}
	return p.own(part, made)
}

// written is a part as its files stand.
func (p *plan) written(part part) *objects.Unit {
	switch {
	case part.chart != nil:
		return p.unrendered(part.chart.set)
	case part.unit == nil:
		return p.own(part, &objects.Unit{Objects: part.files})
	}
	return p.own(part, part.unit)
}

// own is a part as one of an application's unit.
func (p *plan) own(part part, made *objects.Unit) *objects.Unit {
	if part.edit != nil && part.edit.New { // nobody can edit a kustomization that is not there
		made = made.For(nil)
		made.Kustomizations = made.Kustomizations[1:]
	}
	if part.takes {
		made = made.For(nil)
		source := part.source
		made.Takes = []func(string) bool{func(file string) bool {
			return slices.Contains(source.Contents([]string{file}).Files, file)
		}}
	}
	return made
}

// newListing has the kustomization that Flux writes built as it is.
func newListing(k *objects.Kustomization, s gitops.Source) *overlay.Edit {
	return &overlay.Edit{Root: k, File: k.Path, Data: k.Doc.File.Data, Position: s.Path.Place.Position()}
}

// openEnds says what of a unit is not known because of its application: then not all of it is. What else is to be said of
// the application is noted by itself, if the unit has an object that is more than a way to apply others.
func (p *plan) openEnds(d *drawn, r *remaker, objs []*objects.Object) []objects.Problem {
	at := d.app.Sources[0].Place.Position()
	var problems []objects.Problem
	if r.failed != nil {
		problems = append(problems, objects.Problem{Position: at,
			Message: "the variables of an object could not be filled in, so it was checked without: " + r.failed.Error()})
	}
	problems = append(problems, p.openVariables(d, r)...)
	for _, s := range d.app.Sources {
		if slices.ContainsFunc(s.Helm.PostRenderers, gitops.Kustomization.Changes) {
			problems = append(problems, problemAt(s.Place, "what postRenderers change was not taken into account: "+
				"objects were checked as the chart gives them"))
		}
	}
	missing := slices.ContainsFunc(d.app.Sources, func(s gitops.Source) bool { return !s.Here() && s.Kind != gitops.Reference })
	judged := slices.ContainsFunc(objs, func(o *objects.Object) bool { return !isInteresting(o) })
	for _, reason := range reasonsOf(d.app) {
		switch {
		case !judged:
		case missing:
			problems = append(problems, reason.Problem)
		default:
			p.notChecked = append(p.notChecked, reason)
		}
	}
	return problems
}

// openVariables says which variables of objects have no value. Only those are problems of the unit that may be in the way of
// comparing its objects, each by itself: a unit that loses one of them has no other problem.
func (p *plan) openVariables(d *drawn, r *remaker) []objects.Problem {
	var problems []objects.Problem
	var harmless []string
	for _, name := range slices.Sorted(maps.Keys(r.unknown)) {
		if !r.unknown[name] {
			harmless = append(harmless, name)
			continue
		}
		problems = append(problems, problemAt(d.app.Variables.Where, fmt.Sprintf(
			"the value of the variable %s is not in the repository, so objects were checked as they are without it", name)))
	}
	if len(harmless) > 0 {
		p.notChecked = append(p.notChecked, notChecked{Problem: problemAt(d.app.Variables.Where, fmt.Sprintf(
			"what the variables of an operator's source, of labels and of annotations come to (%s) is not in the repository and was not checked",
			strings.Join(harmless, ", ")))})
	}
	return problems
}
