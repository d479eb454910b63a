package applications

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
)

// plan lists the units that result from one reading of the applications.
type plan struct {
	*unitBuilder
	*assembly.Builder
	result *gitops.Result
	// roots are the units of kustomizations, by folder: those that no other kustomization lists, those that are units although
	// others list them, and those that an application applies.
	roots map[string]draft
	// changed are the folders that an application applies with changes, and unchanged those that an application applies
	// without any.
	changed, unchanged map[string]bool
	appliers           map[string][]objects.Applier
	problemsOf         map[string][]objects.Problem
	// delivering are the applications that apply unchanged kustomizations, by folder.
	delivering map[string][]*plannedUnit
	// namespaceOf are the namespaces of objects without one in unchanged kustomizations, "" for those that applications apply to several.
	namespaceOf map[string]string
	planned     []*plannedUnit
	// deferred are the units that are built later.
	deferred   map[*plannedUnit]*objects.Unit
	policies   []policyUnit
	names      map[string]int
	notChecked []notChecked
	// unmentioned are the applications whose sources are in other repositories, and in no problem.
	unmentioned map[gitops.Definition]bool
}

// plannedUnit is an application that becomes a separate unit, with its parts.
type plannedUnit struct {
	name  string
	app   *gitops.Application
	parts []part
	// known is the unchanged unit of an earlier assembly, or nil.
	known *objects.Unit
}

// part is the result of one source. It has exactly one of draft, files and chart.
type part struct {
	draft
	source sources.Source
	// failed is why the kustomization cannot be edited, or is not applied; nil if it is.
	failed error
	// files are the objects of files that are applied as they are.
	files         []*objects.Object
	takesNewFiles bool
	// chart is rendered.
	chart *chart
}

func (m *unitBuilder) plan(result *gitops.Result) *plan {
	p := &plan{
		unitBuilder: m, Builder: m.assembly(), result: result, roots: map[string]draft{},
		changed: map[string]bool{}, unchanged: map[string]bool{}, delivering: map[string][]*plannedUnit{},
		unmentioned: map[gitops.Definition]bool{}, names: map[string]int{}, appliers: map[string][]objects.Applier{}, problemsOf: map[string][]objects.Problem{}, namespaceOf: map[string]string{},
	}
	for _, root := range p.Roots() {
		p.roots[root.Root] = draft{unit: root}
	}
	for _, k := range p.alone(p.Builder) {
		p.roots[k.Dir] = draft{unit: p.Unit(k)}
	}
	for _, a := range result.Applications {
		p.add(a)
	}
	p.addPolicies()
	p.keepUnresolvedRoots()
	p.liftRestrictions()
	return p
}

// add decides which unit an application applies.
func (p *plan) add(a *gitops.Application) {
	if reasons := reasonsOf(a); len(relevant(a, slices.Clone(reasons))) < len(reasons) {
		p.unmentioned[a.Definition()] = true
	}
	var parts []part
	for _, s := range a.Sources {
		if found, ok := p.part(a, s); ok {
			parts = append(parts, found)
		}
	}
	if len(parts) == 0 {
		p.notChecked = append(p.notChecked, relevant(a, reasonsOf(a))...)
		return
	}
	d := &plannedUnit{name: unitName(a), app: a, parts: parts}
	d.name = p.unique(d.name, folderOf(a.Object))
	d.known = p.knownUnit(d)
	p.planned = append(p.planned, d)
}

// unique returns the name of a unit that no other unit has: with the folder that defines the application, or with a number if that is not
// enough.
func (p *plan) unique(name, folder string) string {
	if p.names[name]++; p.names[name] == 1 {
		return name
	}
	inFolder := fmt.Sprintf("%s (%s)", name, folder)
	if p.names[inFolder]++; p.names[inFolder] == 1 && folder != "." {
		return inFolder
	}
	return fmt.Sprintf("%s (%d)", name, p.names[name])
}

// folderOf returns the folder of the kustomization that applies an object, or otherwise that of its file.
func folderOf(o *objects.Object) string {
	if o.Applied != nil && o.Applied.Source != nil {
		return o.Applied.Doc.File.Path
	}
	return path.Dir(o.File)
}

// part returns the result of one source. It is false for a source outside the repository, or one that gives no objects by
// itself.
func (p *plan) part(a *gitops.Application, s sources.Source) (part, bool) {
	if !s.Here() {
		return part{}, false
	}
	switch s.Kind {
	case sources.Kustomize:
		return p.kustomization(a, s)
	case sources.Directory:
		return p.directory(a, s), true
	case sources.Collected:
		return p.generated(a, s)
	case sources.Chart:
		return part{source: s, chart: p.chart(a, s)}, true
	}
	return part{}, false
}

// kustomization returns the folder of a kustomization with the application's changes.
func (p *plan) kustomization(a *gitops.Application, s sources.Source) (part, bool) {
	k := p.Kustomization(s.Path.Value)
	if k == nil {
		p.notChecked = append(p.notChecked, notChecked{Problem: problemAt(s.Path.Location,
			fmt.Sprintf("the kustomization in %s cannot be read, so its objects were not checked", s.Path.Value))})
		return part{}, false
	}
	p.markComponents(k, s)
	with, edit, err := p.editOf(k, s)
	if edit == nil {
		if failed := p.failsToBuild(a, s, p.unitAsItIs(k)); failed != nil {
			return part{source: s, draft: draft{unit: p.Unit(k)}, failed: failed}, true
		}
		return part{source: s, draft: p.root(k)}, true
	}
	unit := p.Unit(with)
	if failed := p.failsToBuild(a, s, unit); failed != nil {
		return part{source: s, draft: draft{unit: p.Unit(k)}, failed: failed}, true
	}
	unit.Kustomizations[0] = k // edits apply to what the user wrote
	return part{source: s, draft: draft{unit, edit, p.isUnrestricted(a)}, failed: err}, true
}

// unitAsItIs returns the unit of an unchanged kustomization, which may be there already.
func (p *plan) unitAsItIs(k *objects.Kustomization) *objects.Unit {
	if d, there := p.roots[k.Dir]; there {
		return d.unit
	}
	return p.Unit(k)
}

// markComponents records that the components of an application are part of its unit, and no units.
func (p *plan) markComponents(k *objects.Kustomization, s sources.Source) {
	for _, component := range s.Kustomize.Components {
		p.changed[path.Join(k.Dir, component.Value)] = true
	}
}

// root returns the unit of an unchanged kustomization, including one that others list.
func (p *plan) root(k *objects.Kustomization) draft {
	d, there := p.roots[k.Dir]
	if !there {
		d = draft{unit: p.Unit(k)}
		p.roots[k.Dir] = d
		p.changed[k.Dir] = true // it becomes a unit only if an application applies it without changes
	}
	return d
}

// generated returns a folder for which Flux generates a kustomization that lists everything below.
func (p *plan) generated(a *gitops.Application, s sources.Source) (part, bool) {
	contents := s.Contents(p.Names)
	for _, folder := range contents.Folders {
		p.changed[folder] = true
	}
	k, err := fluxKustomization(s, contents)
	if err != nil {
		return part{}, false // Flux fails here as well
	}
	p.markComponents(k, s)
	with, edit, err := p.editOf(k, s)
	if edit == nil {
		with, edit = k, listingEdit(k, s)
	}
	edit.New = true
	unit := p.Unit(with)
	if failed := p.failsToBuild(a, s, unit); failed != nil {
		err = failed
	}
	return part{source: s, draft: draft{unit, edit, p.isUnrestricted(a)}, failed: err, takesNewFiles: true}, true
}

// units returns the units of kustomizations, sorted by folder, those of applications in their order, and the unit of plain
// files.
func (p *plan) units() []*objects.Unit {
	p.deferred = p.later()
	var drafts []draft
	for _, d := range p.planned {
		for _, part := range d.parts {
			if part.draft.unit != nil && part.failed == nil && d.known == nil && p.deferred[d] == nil {
				drafts = append(drafts, part.draft)
			}
		}
	}
	p.build(drafts)
	p.render()
	var units []*objects.Unit
	for _, d := range p.planned {
		if p.err != nil {
			return nil
		}
		if unit := p.unitOf(d); unit != nil {
			units = append(units, unit)
		}
	}
	units = slices.Concat(p.kustomizationUnits(), units, p.policyUnits())
	if plain := p.Plain(); plain != nil {
		units = append(units, plain)
	}
	return units
}

// kustomizationUnits returns the units of unchanged kustomizations.
func (p *plan) kustomizationUnits() []*objects.Unit {
	var drafts []draft
	for dir, d := range p.roots {
		if p.unchanged[dir] || !p.changed[dir] {
			drafts = append(drafts, d)
		}
	}
	slices.SortFunc(drafts, func(a, b draft) int { return cmp.Compare(a.unit.Root, b.unit.Root) })
	if !p.settling {
		p.postpone(drafts)
	}
	units := p.build(drafts)
	if p.err != nil {
		return nil
	}
	for i, unit := range units {
		if by := p.appliers[unit.Root]; len(by) > 0 {
			units[i] = unit.For(by, p.problemsOf[unit.Root]...)
			for _, d := range p.delivering[unit.Root] {
				units[i] = withRemovedField(d.app, d.parts[0].source, p.withRefusal(d.app, d.parts[0].source, units[i]))
			}
			units[i].Namespace = p.namespaceOf[unit.Root]
			units[i].Then(func(u *objects.Unit) { u.Namespace = p.namespaceOf[unit.Root] })
		}
	}
	return units
}

// standaloneCharts removes the units of charts that an application renders with its own values, because their applications
// may differ from those that are applied.
func (p *plan) standaloneCharts(rendered []*objects.Unit) []*objects.Unit {
	return slices.DeleteFunc(slices.Clone(rendered), func(u *objects.Unit) bool { return p.changed[u.Root] })
}

// unitName returns the name of the unit of an application.
func unitName(a *gitops.Application) string {
	kind := string(a.Tool)
	if a.Tool == gitops.ArgoCD {
		kind += " Application"
	}
	return strings.TrimSpace(kind + " " + path.Join(a.Namespace.Value, a.Name.Value))
}
