package applications

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/kube/objects"
)

// unitOf returns the unit of an application, or nil if it is the unit of an unchanged kustomization.
func (p *plan) unitOf(d *plannedUnit) *objects.Unit {
	if d.known != nil {
		p.markChanged(d)
		return d.known
	}
	if unfilled := p.unfilled(d, p.unset(d)); unfilled != nil {
		p.markChanged(d)
		return unfilled
	}
	if later := p.deferred[d]; later != nil {
		p.markChanged(d)
		return later
	}
	if refused := p.refusedRelease(d); refused != nil {
		p.markChanged(d)
		return refused
	}
	if why := d.app.NotMade; why != nil {
		p.markChanged(d)
		return p.join(d, p.writtenPart).Unbuilt(problemAt(why.Location, why.Message))
	}
	unit := p.join(d, func(part part) *objects.Unit { return p.withRefusal(d.app, part.source, p.builtPart(part)) })
	p.markUncertain(d, unit)
	r := p.newPostBuild(d.app)
	objects, changed := r.apply(unit.Objects)
	if unfilled := p.unfilled(d, r.failed); unfilled != nil {
		p.markChanged(d)
		return unfilled
	}
	problems := p.unknowns(d, r, objects)
	if dir, ok := d.unchangedFolder(); ok {
		p.unchanged[dir] = true
		if namespace := d.app.DefaultNamespace(); len(p.appliers[dir]) == 0 || p.namespaceOf[dir] == namespace {
			p.namespaceOf[dir] = namespace
		} else {
			p.namespaceOf[dir] = ""
		}
		p.appliers[dir] = append(p.appliers[dir], applier(d.app))
		p.delivering[dir] = append(p.delivering[dir], d)
		p.problemsOf[dir] = append(p.problemsOf[dir], problems...)
		return nil
	}
	p.markChanged(d)
	if changed {
		written := unit.AsWritten()
		unit.Built, unit.Objects, unit.Sources = true, objects, written
	}
	unit.Problems = slices.Concat(problems, unit.Problems)
	return withRemovedField(d.app, d.app.Sources[0], unit)
}

// markUncertain marks what a unit renders if the application sets values that are not known.
func (p *plan) markUncertain(d *plannedUnit, unit *objects.Unit) {
	if !slices.ContainsFunc(reasonsOf(d.app), func(n notChecked) bool { return n.values }) {
		return
	}
	unit.Renderings = slices.Clone(unit.Renderings) // shared with the part that it was rendered for
	for i := range unit.Renderings {
		unit.Renderings[i].Uncertain = true
	}
}

// markChanged records the folders of an application as changed: they are units by themselves only if another application
// applies them unchanged.
func (p *plan) markChanged(d *plannedUnit) {
	for _, part := range d.parts {
		p.changed[part.source.Path.Value] = true
	}
}

// knownUnit returns the unit of an application from an earlier assembly, or nil if anything that it consists of has
// changed.
func (p *plan) knownUnit(d *plannedUnit) *objects.Unit {
	if p.Overlay.Known == nil {
		return nil
	}
	known := p.Overlay.Known(p.join(d, p.writtenPart))
	if known == nil || len(known.Appliers) != 1 || !reflect.DeepEqual(known.Appliers[0].Object.JSON(), d.app.Object.JSON()) {
		return nil
	}
	return known.For([]objects.Applier{applier(d.app)})
}

// unchangedFolder returns the folder of the kustomization that is all an application applies, if the application changes
// nothing. Variables count as a change even if no object has one, so that a unit does not become another one when an object
// is edited. The namespace that Argo CD sets does not count, because other clusters may apply the folder to another
// namespace.
func (d *plannedUnit) unchangedFolder() (dir string, ok bool) {
	applied := slices.DeleteFunc(slices.Clone(d.app.Sources), func(s sources.Source) bool { return s.Kind == sources.Reference })
	if len(applied) != 1 || len(d.parts) != 1 {
		return "", false
	}
	only := d.parts[0]
	return only.source.Path.Value, only.source.Kind == sources.Kustomize && only.edit == nil && only.failed == nil && d.app.Variables == nil
}

// join combines the parts of an application, as returned by get, before changes to all objects.
func (p *plan) join(d *plannedUnit, made func(part) *objects.Unit) *objects.Unit {
	unit := &objects.Unit{
		Name: d.name, Root: d.parts[0].source.Path.Value, Kind: objects.ApplicationUnit,
		Appliers: []objects.Applier{applier(d.app)}, Namespace: d.app.DefaultNamespace(),
	}
	for _, part := range d.parts {
		addPart(unit, made(part))
	}
	sortParts(unit)
	return unit
}

// addPart adds a unit to one that applies several.
func addPart(unit, made *objects.Unit) {
	unit.Objects = append(unit.Objects, made.Objects...)
	unit.Sources = append(unit.Sources, made.AsWritten()...)
	unit.Built, unit.NotBuilt = unit.Built || made.Built, unit.NotBuilt || made.NotBuilt
	unit.Kustomizations = append(unit.Kustomizations, made.Kustomizations...)
	unit.Renderings = append(unit.Renderings, made.Renderings...)
	unit.Transforms = append(unit.Transforms, made.Transforms...)
	unit.Remotes = append(unit.Remotes, made.Remotes...)
	unit.NonObjectInputs = append(unit.NonObjectInputs, made.NonObjectInputs...)
	unit.Problems = append(unit.Problems, made.Problems...)
	unit.LeftOut = append(unit.LeftOut, made.LeftOut...)
	unit.Takes = append(unit.Takes, made.Takes...)
}

// sortParts sorts the objects of all parts, each once.
func sortParts(unit *objects.Unit) {
	slices.SortStableFunc(unit.Objects, objects.Compare)
	slices.SortStableFunc(unit.Sources, objects.Compare)
	unit.Objects, unit.Sources = slices.Compact(unit.Objects), slices.Compact(unit.Sources)
	if !unit.Built {
		unit.Sources = nil
	}
}

// builtPart returns a part as it was built.
func (p *plan) builtPart(part part) *objects.Unit {
	made := &objects.Unit{Objects: part.files}
	switch {
	case part.failed != nil && part.unit == nil:
		made = made.Unbuilt(whyFailed(part))
	case part.failed != nil:
		made = part.unit.Unbuilt(whyFailed(part))
	case part.unit != nil:
		made = p.builtUnit(part.draft).Applied()
	case part.chart != nil:
		made = p.charts[part.chart.key()]
	}
	return p.adapt(part, made)
}

// writtenPart returns a part as its files are written.
func (p *plan) writtenPart(part part) *objects.Unit {
	switch {
	case part.chart != nil:
		return p.unrendered(part.chart)
	case part.unit == nil:
		return p.adapt(part, &objects.Unit{Objects: part.files})
	}
	return p.adapt(part, part.unit)
}

// adapt prepares a part for the unit of an application.
func (p *plan) adapt(part part, made *objects.Unit) *objects.Unit {
	if part.edit != nil && part.edit.New { // a generated kustomization has no file that can be edited
		made = made.For(nil)
		made.Kustomizations = made.Kustomizations[1:]
	}
	if part.takesNewFiles {
		made = made.For(nil)
		source := part.source
		made.Takes = []func(string) bool{func(file string) bool {
			return slices.Contains(source.Contents([]string{file}).Files, file)
		}}
	}
	return made
}

// listingEdit builds the kustomization that Flux generates as it is.
func listingEdit(k *objects.Kustomization, s sources.Source) *overlay.Edit {
	return &overlay.Edit{Root: k, File: k.Path, Data: k.Doc.File.Data, Position: s.Path.Location.Position()}
}

// unknowns returns what is unknown about a unit because of its application. Other problems of the application are recorded
// separately, if the unit has an object that is not itself an application.
func (p *plan) unknowns(d *plannedUnit, r *postBuild, objs []*objects.Object) []objects.Problem {
	at := d.app.Sources[0].Location.Position()
	var problems []objects.Problem
	if r.failed != nil {
		problems = append(problems, objects.Problem{Position: at,
			Message: "the variables of an object cannot be substituted, so it was checked as it is written: " + r.failed.err.Error()})
	}
	if r.possible != nil && r.failed == nil {
		p.notChecked = append(p.notChecked, notChecked{Problem: objects.Problem{Position: r.possible.Position, Message: fmt.Sprintf(
			"Flux 2.9 and later apply nothing of %s, because %s; the repository does not show the version of Flux, so this was not checked", d.app, r.possible.err)}})
	}
	problems = append(problems, p.unknownVariables(d, r)...)
	missing := slices.ContainsFunc(d.app.Sources, func(s sources.Source) bool { return !s.Here() && s.Kind != sources.Reference })
	judged := slices.ContainsFunc(objs, func(o *objects.Object) bool { return !isGitOpsObject(o) })
	for _, reason := range reasonsOf(d.app) {
		switch {
		case !judged && !reason.program && !(reason.values && p.mayRender(d)):
		case missing:
			problems = append(problems, reason.Problem)
		default:
			p.notChecked = append(p.notChecked, reason)
		}
	}
	return problems
}

// mayRender reports whether a chart of an application may render objects that rules judge, with other values than the known
// ones.
func (p *plan) mayRender(d *plannedUnit) bool {
	return slices.ContainsFunc(d.parts, func(part part) bool {
		return part.chart != nil && charts.AnyMentions([]charts.Set{part.chart.set}, p.Charts.Files, p.Charts.Mentions)
	})
}

// unknownVariables reports the variables without a value. Problems of the unit are only those of variables in fields by
// which objects are compared, one problem for each, so that a unit that loses one of them keeps the others unchanged.
func (p *plan) unknownVariables(d *plannedUnit, r *postBuild) []objects.Problem {
	var problems []objects.Problem
	var harmless []string
	for _, name := range slices.Sorted(maps.Keys(r.unknown)) {
		if !r.unknown[name] {
			harmless = append(harmless, name)
			continue
		}
		problems = append(problems, problemAt(d.app.Variables.Where, fmt.Sprintf(
			"the value of the variable %s is not in the repository, so objects were checked without it", name)))
	}
	if len(harmless) > 0 {
		p.notChecked = append(p.notChecked, notChecked{Problem: problemAt(d.app.Variables.Where, fmt.Sprintf(
			"the values of variables in operator sources, labels, and annotations are not in the repository and were not checked: %s",
			strings.Join(harmless, ", ")))})
	}
	return problems
}
