package applications

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// plan is which units there are, as far as one reading of the applications tells.
type plan struct {
	*maker
	*objects.Assembly
	result *gitops.Result
	// roots are the units of kustomizations, by folder: those that no other lists, and those that an application applies.
	roots map[string]draft
	// changed are folders that an application applies in another form than they have by themselves, and kept those that one
	// applies as they are.
	changed, kept map[string]bool
	appliers      map[string][]objects.Applier
	problemsOf    map[string][]objects.Problem
	drawn         []*drawn
	names         map[string]int
	notChecked    []notChecked
}

// drawn is an application that is to be a unit of its own, with what it is made of.
type drawn struct {
	name  string
	app   *gitops.Application
	parts []part
	// known is the unit of an earlier assembly that is the same still, or nil.
	known *objects.Unit
}

// part is what comes of one source.
type part struct {
	draft
	source gitops.Source
	// failed says why the kustomization cannot be edited.
	failed error
	// files are applied as they stand; then there is no draft.
	files []*objects.Object
	takes bool
	// chart is rendered; then there is neither a draft nor files.
	chart *chart
}

func (m *maker) plan(result *gitops.Result) *plan {
	p := &plan{
		maker: m, Assembly: m.assembly(), result: result, roots: map[string]draft{},
		changed: map[string]bool{}, kept: map[string]bool{},
		names: map[string]int{}, appliers: map[string][]objects.Applier{}, problemsOf: map[string][]objects.Problem{},
	}
	for _, root := range p.Roots() {
		p.roots[root.Root] = draft{unit: root}
	}
	for _, a := range result.Applications {
		p.add(a)
	}
	p.takeUnseen()
	return p
}

// add decides which unit an application applies.
func (p *plan) add(a *gitops.Application) {
	var parts []part
	for _, s := range a.Sources {
		if found, ok := p.part(a, s); ok {
			parts = append(parts, found)
		}
	}
	if len(parts) == 0 {
		p.notChecked = append(p.notChecked, concerns(a, reasonsOf(a))...)
		return
	}
	d := &drawn{name: name(a), app: a, parts: parts}
	if p.names[d.name]++; p.names[d.name] > 1 {
		d.name += fmt.Sprintf(" (%d)", p.names[d.name])
	}
	d.known = p.earlier(d)
	p.drawn = append(p.drawn, d)
}

// part finds what one source gives; not ok for one that is not here, or that gives no objects by itself.
func (p *plan) part(a *gitops.Application, s gitops.Source) (part, bool) {
	if !s.Here() {
		return part{}, false
	}
	switch s.Kind {
	case gitops.Kustomize:
		return p.kustomization(s)
	case gitops.Directory:
		return part{source: s, files: p.directory(s), takes: true}, true
	case gitops.Collected:
		return p.collected(s)
	case gitops.Chart:
		return part{source: s, chart: p.chart(a, s)}, true
	}
	return part{}, false
}

// kustomization is the folder of a kustomization, with what the application changes about it.
func (p *plan) kustomization(s gitops.Source) (part, bool) {
	k := p.Kustomization(s.Path.Value)
	if k == nil {
		p.notChecked = append(p.notChecked, notChecked{Problem: problemAt(s.Path.Place,
			fmt.Sprintf("the kustomization of %s could not be read, so what it applies was not checked", s.Path.Value))})
		return part{}, false
	}
	with, edit, err := p.edited(k, s)
	if edit == nil {
		return part{source: s, draft: p.root(k)}, true
	}
	unit := p.Unit(with)
	unit.Kustomizations[0] = k // what is edited is what the user wrote
	return part{source: s, draft: draft{unit, edit}, failed: err}, true
}

// root gives the unit of a kustomization as it is, also of one that others list.
func (p *plan) root(k *objects.Kustomization) draft {
	d, there := p.roots[k.Dir]
	if !there {
		d = draft{unit: p.Unit(k)}
		p.roots[k.Dir] = d
		p.changed[k.Dir] = true // unless an application applies it so, it is no unit
	}
	return d
}

// directory lists the objects of the files that Argo CD applies as they stand.
func (p *plan) directory(s gitops.Source) []*objects.Object {
	files := s.Contents(p.Names).Files
	return p.Files(slices.DeleteFunc(files, func(file string) bool { return p.skipped[file] }))
}

// collected is a folder for which Flux writes a kustomization that lists everything below.
func (p *plan) collected(s gitops.Source) (part, bool) {
	contents := s.Contents(p.Names)
	for _, folder := range contents.Folders {
		p.changed[folder] = true
	}
	k, err := listing(s, contents)
	if err != nil {
		return part{}, false // Flux could not write it either
	}
	with, edit, err := p.edited(k, s)
	if edit == nil {
		with, edit = k, newListing(k, s)
	}
	edit.New = true
	return part{source: s, draft: draft{p.Unit(with), edit}, failed: err, takes: true}, true
}

// units makes the units: those of kustomizations sorted by folder, those of applications in their order, the plain one last.
func (p *plan) units() []*objects.Unit {
	var drafts []draft
	for _, d := range p.drawn {
		for _, part := range d.parts {
			if part.draft.unit != nil && part.failed == nil && d.known == nil {
				drafts = append(drafts, part.draft)
			}
		}
	}
	p.build(drafts)
	p.render()
	var units []*objects.Unit
	for _, d := range p.drawn {
		if p.err != nil {
			return nil
		}
		if unit := p.unitOf(d); unit != nil {
			units = append(units, unit)
		}
	}
	units = append(p.kustomizations(), units...)
	if plain := p.Plain(); plain != nil {
		units = append(units, plain)
	}
	return units
}

// kustomizations are the units of kustomizations as they are.
func (p *plan) kustomizations() []*objects.Unit {
	var drafts []draft
	for dir, d := range p.roots {
		if p.kept[dir] || !p.changed[dir] {
			drafts = append(drafts, d)
		}
	}
	slices.SortFunc(drafts, func(a, b draft) int { return cmp.Compare(a.unit.Root, b.unit.Root) })
	units := p.build(drafts)
	if p.err != nil {
		return nil
	}
	for i, unit := range units {
		if by := p.appliers[unit.Root]; len(by) > 0 {
			units[i] = unit.For(by, p.problemsOf[unit.Root]...)
		}
	}
	return units
}

// byThemselves leaves of the units that charts have by themselves those that no application renders with its own values: what
// these hold of applications may not be what is applied.
func (p *plan) byThemselves(rendered []*objects.Unit) []*objects.Unit {
	return slices.DeleteFunc(slices.Clone(rendered), func(u *objects.Unit) bool { return p.changed[u.Root] })
}

// name is how a unit is called after its application.
func name(a *gitops.Application) string {
	kind := string(a.Tool)
	if a.Tool == gitops.ArgoCD {
		kind += " Application"
	}
	return strings.TrimSpace(kind + " " + path.Join(a.Namespace.Value, a.Name.Value))
}
