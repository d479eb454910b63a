package built

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/restmap"
)

// Unit is what a deployment unit applies.
type Unit struct {
	// Name is that of [objects.Unit], and Title the name in messages.
	Name, Title string
	Kind        objects.UnitKind
	// Tools make or apply the objects: kustomize, Helm, Argo CD, Flux; none for plain files.
	Tools []string
	// Clusters are the clusters that get the unit; none if that is not known, or if it is different for its files.
	Clusters []string
	// AppliedBy are the applications of Argo CD and Flux that apply the unit.
	AppliedBy []string
	// Namespace is that of objects without one; "" if it is not known.
	Namespace string
	// Files are those that the unit reads, sorted.
	Files []string
	// NotKnown is what of the unit was not read or built, sorted by position. Built is false if Objects are those of the files, because
	// the unit could not be built.
	NotKnown []loader.Problem
	Built    bool
	Objects  []Object
	// NotApplied are objects of the unit that its application does not apply; what is live of them stays as it was.
	NotApplied []loader.Problem
}

// Units returns what units apply, in their order, then the plain files that are selected, and then the applications in selected files of
// which nothing was read. The repository must have been read with all kinds.
func Units(w *loader.Repository, units []*objects.Unit, selected func(file string) bool) []Unit {
	r := newReading(w)
	var all []Unit
	for _, u := range units {
		if u.Kind != objects.PlainUnit {
			unit := r.unit(u.Applied())
			for _, of := range w.Clusters().Of(u) {
				unit.Clusters = append(unit.Clusters, of.ID)
			}
			all = append(all, unit)
		}
	}
	all = append(all, r.plain(selected))
	all = append(all, unread(w, selected)...)
	return slices.DeleteFunc(all, func(u Unit) bool { return len(u.Objects)+len(u.NotKnown) == 0 })
}

// UnitsOf returns what a cluster gets: its units that are among the given ones, then the selected plain files in its folders. The error is that of a
// name that no cluster of the repository has.
func UnitsOf(w *loader.Repository, name string, units []*objects.Unit, selected func(file string) bool) ([]Unit, error) {
	var names []string
	for _, scope := range w.Scopes() {
		if scope.Kind == objects.ClusterUnit {
			if names = append(names, scope.Name); scope.Name == name {
				return newReading(w).members(scope, units, selected), nil
			}
		}
	}
	if len(names) == 0 {
		return nil, errors.New("--cluster: the repository shows no cluster; see `clusters:` in docs/configuration.md")
	}
	return nil, fmt.Errorf("--cluster: %w", nearest.Unknown("cluster", name, names))
}

func (r *reading) members(scope *objects.Unit, units []*objects.Unit, selected func(file string) bool) []Unit {
	var all []Unit
	for _, member := range scope.Members {
		if member.Kind != objects.PlainUnit && !slices.Contains(units, member) {
			continue
		}
		shown := member.Applied()
		if member.Kind == objects.PlainUnit {
			shown = selectedOf(member, selected)
		}
		unit := r.unit(shown)
		unit.Clusters = []string{scope.Name}
		all = append(all, unit)
	}
	return slices.DeleteFunc(all, func(u Unit) bool { return len(u.Objects)+len(u.NotKnown) == 0 })
}

// reading is a repository with what is found out once for all units.
type reading struct {
	*loader.Repository

	names map[string]bool
	kinds *restmap.Map
	// problems are those of files, and of objects of Argo CD and Flux that became no application.
	problems []loader.Problem
}

func newReading(w *loader.Repository) *reading {
	r := &reading{w, make(map[string]bool, len(w.Collection.Names)), restmap.New(), slices.Clone(w.NotRead)}
	for _, definition := range access.Definitions(w) {
		r.kinds.AddCRD(definition)
	}
	for _, name := range w.Collection.Names {
		r.names[name] = true
	}
	said := map[objects.Position]bool{}
	for _, a := range w.Applications.Result.Applications {
		for _, reason := range reasons(a) {
			said[reason.Position] = true
		}
	}
	for _, u := range w.Units {
		for _, p := range u.Problems {
			said[p.Position] = true
		}
	}
	for _, p := range loader.OfApplications(w.Applications) {
		if !said[p.Position] {
			r.problems = append(r.problems, p)
		}
	}
	return r
}

// plain returns the selected files of the plain unit, and what was not read of selected files that no unit reads.
func (r *reading) plain(selected func(file string) bool) Unit {
	unit := &objects.Unit{Name: ".", Root: ".", Kind: objects.PlainUnit}
	if last := len(r.Units) - 1; last >= 0 && r.Units[last].Kind == objects.PlainUnit {
		unit = r.Units[last]
	}
	all := r.unit(selectedOf(unit, selected))
	for _, p := range r.problems {
		isRead := func(u *objects.Unit) bool { return u.Reads(p.Position.File) }
		if selected(p.Position.File) && !slices.ContainsFunc(r.Units, isRead) {
			all.NotKnown = append(all.NotKnown, p)
		}
	}
	return all
}

// selectedOf returns a unit of plain files with those that are selected.
func selectedOf(unit *objects.Unit, selected func(file string) bool) *objects.Unit {
	shown := unit.For(nil)
	shown.Objects = slices.DeleteFunc(slices.Clone(unit.Objects), func(o *objects.Object) bool { return !selected(o.File) })
	return shown
}

// unread returns a unit without objects for each application in selected files that has no unit.
func unread(w *loader.Repository, selected func(file string) bool) []Unit {
	has := map[*gitops.Application]bool{}
	for _, u := range w.Units {
		for _, a := range w.Applications.Of(u) {
			has[a] = true
		}
	}
	var all []Unit
	for _, a := range w.Applications.Result.Applications {
		if has[a] || !selected(a.Object.File) {
			continue
		}
		apps := []*gitops.Application{a}
		title := titles(apps)
		name := tools(&objects.Unit{}, apps)[0] + " " + title[0] // as the units of applications are named
		all = append(all, Unit{
			Name: name, Title: "the " + name, Kind: objects.ApplicationUnit, Tools: tools(&objects.Unit{}, apps), AppliedBy: title,
			Files: []string{a.Object.File}, NotKnown: reasons(a),
		})
	}
	return all
}

// reasons returns what of an application is not known, one for each place.
func reasons(a *gitops.Application) []loader.Problem {
	var all []loader.Problem
	for _, reason := range a.NotChecked {
		all = append(all, loader.Problem{Position: reason.Location.Position(), Message: reason.Message})
	}
	for _, source := range a.Sources {
		for _, late := range source.Kustomize.LateAnnotations {
			all = append(all, loader.Problem{Position: late.Value.Location.Position(), Message: "the annotation " + late.Key + " is known only during a sync"})
		}
		at := source.Location.Position()
		said := slices.ContainsFunc(all, func(p loader.Problem) bool { return p.Position == at })
		if why := source.WhyUnread(); why != "" && !said {
			all = append(all, loader.Problem{Position: at, Message: why})
		}
	}
	return all
}

// Named returns the units with some names: that of the unit, or the one in messages. An error names one that does not exist.
func Named(units []Unit, names []string) ([]Unit, error) {
	if len(names) == 0 {
		return units, nil
	}
	var known []string
	for _, u := range units {
		known = append(known, u.Name)
	}
	for _, name := range names {
		if !slices.ContainsFunc(units, func(u Unit) bool { return u.is(name) }) {
			return nil, fmt.Errorf("--unit: %w", nearest.Unknown("unit", name, known))
		}
	}
	return slices.DeleteFunc(units, func(u Unit) bool { return !slices.ContainsFunc(names, u.is) }), nil
}

func (u Unit) is(name string) bool {
	return name == u.Name || name == u.Title || name == string(u.Kind)+" "+u.Name
}

func (r *reading) unit(u *objects.Unit) Unit {
	apps := r.Applications.Of(u)
	unit := Unit{
		Name: u.Name, Title: u.String(), Kind: u.Kind, Namespace: u.Namespace, Built: !u.NotBuilt,
		Tools: tools(u, apps), AppliedBy: titles(apps), Files: r.files(u), NotKnown: r.notKnown(u),
	}
	var set metadata
	if len(apps) > 0 && unit.Built {
		set = metadataOf(apps[0]) // those of the others are the same, or not known
	}
	for _, o := range inOrder(u) {
		if o.IsSettings() {
			continue
		}
		if why, is := r.leftOut(apps, o); is {
			unit.NotApplied = append(unit.NotApplied, why)
			continue
		}
		unit.Objects = append(unit.Objects, Object{o, set, r.namespace(u, o)})
	}
	return unit
}

// namespace returns the namespace that Argo CD or Helm fills in, "" for none: where it is not known whether the kind has namespaces, the comment on the
// unit says it.
func (r *reading) namespace(u *objects.Unit, o *objects.Object) string {
	kind, known := r.kinds.Kind(o.Group, o.Kind)
	if o.Namespace != "" || !known || !kind.Namespaced {
		return ""
	}
	return u.Namespace
}

// leftOut returns why none of the applications of a unit applies an object.
func (r *reading) leftOut(apps []*gitops.Application, o *objects.Object) (why loader.Problem, is bool) {
	for _, a := range apps {
		reason, is := r.Applications.Result.LeavesOut(a, o)
		if !is {
			return why, false
		}
		why = loader.Problem{Position: o.Position(nil), Message: reason.Message}
	}
	return why, len(apps) > 0
}

// tools returns what makes the objects of a unit, and then what applies them.
func tools(u *objects.Unit, apps []*gitops.Application) []string {
	var names []string
	if len(u.Kustomizations) > 0 {
		names = append(names, "kustomize")
	}
	if len(u.Renderings) > 0 {
		names = append(names, "Helm")
	}
	for _, a := range apps {
		name := "Flux"
		if a.Tool == gitops.ArgoCD {
			name = "Argo CD"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// kinds are the kinds of the objects that define applications.
var kinds = map[gitops.Tool]string{gitops.ArgoCD: "Application", gitops.FluxKustomize: "Kustomization", gitops.FluxHelm: "HelmRelease"}

// titles returns the kinds, namespaces, and names of applications.
func titles(apps []*gitops.Application) []string {
	var all []string
	for _, a := range apps {
		name := a.Name.Value
		if a.Namespace.Value != "" {
			name = a.Namespace.Value + "/" + name
		}
		all = append(all, kinds[a.Tool]+" "+name)
	}
	return all
}

func (r *reading) files(u *objects.Unit) []string {
	read := u.ReadOf(r.names)
	slices.Sort(read)
	return read
}

// notKnown returns the problems of a unit, of its applications, and of files that it reads.
func (r *reading) notKnown(u *objects.Unit) []loader.Problem {
	all := r.OfUnit(u)
	apps := r.Applications.Of(u)
	for _, a := range apps {
		all = append(all, reasons(a)...)
		if at, own := a.Sources[0].Location, metadataOf(a); !own.equal(metadataOf(apps[0])) {
			all = append(all, loader.Problem{Position: at.Position(), Message: "applications of this unit set different commonMetadata"})
		}
	}
	for _, p := range r.problems {
		if u.Reads(p.Position.File) {
			all = append(all, p)
		}
	}
	loader.SortProblems(all)
	return slices.CompactFunc(all, func(a, b loader.Problem) bool { return a.Position == b.Position && a.Message == b.Message })
}

// inOrder returns the objects in the order in which kustomize or Helm prints them; plain files in the order of their paths.
func inOrder(u *objects.Unit) []*objects.Object {
	files := listed(u)
	sorted := slices.Clone(u.Objects)
	slices.SortStableFunc(sorted, func(a, b *objects.Object) int {
		if a.Applied != nil && b.Applied != nil && a.Applied.Doc.File == b.Applied.Doc.File {
			return cmp.Compare(a.Applied.Doc.Index, b.Applied.Doc.Index)
		}
		return cmp.Compare(files[a.File], files[b.File])
	})
	return sorted
}

// listed returns the place of each file in the order in which the kustomizations of a unit list them.
func listed(u *objects.Unit) map[string]int {
	places, byDir := map[string]int{}, map[string]*objects.Kustomization{}
	for _, k := range u.Kustomizations {
		byDir[k.Dir] = k
	}
	var add func(k *objects.Kustomization)
	add = func(k *objects.Kustomization) {
		delete(byDir, k.Dir)
		for _, entry := range k.Resources {
			if below := byDir[entry.Target]; below != nil {
				add(below)
			} else if _, is := places[entry.Target]; !is {
				places[entry.Target] = len(places)
			}
		}
	}
	if len(u.Kustomizations) > 0 {
		add(u.Kustomizations[0])
	}
	return places
}
