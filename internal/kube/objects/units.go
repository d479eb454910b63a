package objects

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Units assembles the deployment units of a repository. Every kustomization that no other lists is the root of a unit with
// the objects of all files it reaches; a file can be in several units. The files that no kustomization applies form one
// more unit, the plain one, which is last, and left out if it is empty.
//
// Left out are kustomizations themselves, templates and values of charts, and files that a kustomization reads as something
// other than objects (Unit.NonObjectInputs), unless it only uses their text.
//
// Files are all files of the repository. With them, an entry of a kustomization without a target becomes a problem, and
// charts are known.
func Units(objects []*Object, kustomizations []*Kustomization, files ...string) []*Unit {
	a := NewAssembly(objects, kustomizations, files...)
	units := a.Roots()
	if plain := a.Plain(); plain != nil {
		units = append(units, plain)
	}
	return units
}

// Assembly assembles units step by step, for callers that know about applications in addition to the kustomizations of the
// repository; others use [Units]. It is for one goroutine.
type Assembly struct {
	tree           *tree
	byFile         map[string][]*Object
	byDir          map[string]*Kustomization
	kustomizations []*Kustomization     // one per folder, sorted
	ignored        map[string][]Problem // by folder: about kustomizations that kustomize ignores
	applied        map[string]bool      // files that a kustomization applies
	// apart reports files that are no deployment unless something applies them
	apart   func(file string) bool
	claimed map[string]bool // files that a kustomization reads as something other than objects
}

// NewAssembly takes the arguments of [Units].
func NewAssembly(objects []*Object, kustomizations []*Kustomization, files ...string) *Assembly {
	a := &Assembly{
		tree:    newTree(files),
		byFile:  map[string][]*Object{},
		byDir:   map[string]*Kustomization{},
		ignored: map[string][]Problem{},
		applied: map[string]bool{},
		claimed: map[string]bool{},
	}
	for _, object := range objects {
		a.byFile[object.File] = append(a.byFile[object.File], object)
	}
	a.sortKustomizations(kustomizations)
	return a
}

// SetApart sets which files, such as data of tests, are in no unit unless a kustomization or application elsewhere applies them; nil for none.
func (a *Assembly) SetApart(apart func(file string) bool) { a.apart = apart }

// Apart reports whether a file is in no unit unless something elsewhere applies it.
func (a *Assembly) Apart(file string) bool { return a.apart != nil && a.apart(file) }

// Roots are the units of the kustomizations that no other lists, sorted by folder.
func (a *Assembly) Roots() []*Unit {
	var units []*Unit
	for _, root := range a.roots() {
		units = append(units, a.Unit(root))
	}
	return units
}

// Kustomization returns the kustomization of a folder, or nil.
func (a *Assembly) Kustomization(dir string) *Kustomization { return a.byDir[dir] }

// sortKustomizations keeps one kustomization per folder, in the order of their folders: the file that kustomize prefers,
// and its first document.
func (a *Assembly) sortKustomizations(all []*Kustomization) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(x, y *Kustomization) int {
		return cmp.Or(
			strings.Compare(x.Dir, y.Dir),
			cmp.Compare(nameRank(x.Path), nameRank(y.Path)),
			cmp.Compare(x.Doc.Index, y.Doc.Index),
		)
	})
	for _, k := range all {
		if first, taken := a.byDir[k.Dir]; taken {
			a.ignored[k.Dir] = append(a.ignored[k.Dir], Problem{
				Position: positionIn(k.Doc, k.Doc.Root.Span().Start),
				Message:  fmt.Sprintf("kustomize reads one kustomization per folder: it reads %s, and this one was not checked", first.Path),
			})
			continue
		}
		a.byDir[k.Dir] = k
		a.kustomizations = append(a.kustomizations, k)
	}
}

func nameRank(file string) int { return slices.Index(kustomizationNames, path.Base(file)) }

// roots returns the kustomizations that no other lists, and one of every cycle that nothing outside leads into. Those that are apart are
// no roots, and what only they list is one.
func (a *Assembly) roots() []*Kustomization {
	listed := map[*Kustomization]bool{}
	seen := map[*Kustomization]bool{}
	for _, k := range a.kustomizations {
		if seen[k] = a.Apart(k.Path); seen[k] {
			continue
		}
		for _, entry := range k.Resources {
			if child := a.byDir[entry.Target]; child != nil && child != k {
				listed[child] = true
			}
		}
	}
	var roots []*Kustomization
	for _, wantListed := range []bool{false, true} {
		for _, k := range a.kustomizations {
			if listed[k] == wantListed && !seen[k] {
				roots = append(roots, k)
				a.mark(k, seen)
			}
		}
	}
	slices.SortFunc(roots, func(x, y *Kustomization) int { return strings.Compare(x.Dir, y.Dir) })
	return roots
}

// RootsAndNested returns the kustomizations of [Assembly.Roots], and those that others list, without components, which are only built
// as a part of others.
func (a *Assembly) RootsAndNested() (roots, nested []*Kustomization) {
	roots = a.roots()
	isRoot := map[*Kustomization]bool{}
	for _, k := range roots {
		isRoot[k] = true
	}
	for _, k := range a.kustomizations {
		if !isRoot[k] && !k.IsComponent() && !a.Apart(k.Path) {
			nested = append(nested, k)
		}
	}
	return roots, nested
}

// Reached returns the kustomizations to which some lead, including these.
func (a *Assembly) Reached(from []*Kustomization) map[*Kustomization]bool {
	seen := map[*Kustomization]bool{}
	for _, k := range from {
		a.mark(k, seen)
	}
	return seen
}

// mark marks everything that a kustomization leads to.
func (a *Assembly) mark(k *Kustomization, seen map[*Kustomization]bool) {
	if k == nil || seen[k] {
		return
	}
	seen[k] = true
	for _, entry := range k.Resources {
		a.mark(a.byDir[entry.Target], seen)
	}
}

// Unit returns the unit of a kustomization, which can be one that others list, or one that is in no file.
func (a *Assembly) Unit(root *Kustomization) *Unit {
	c := collector{
		Assembly: a,
		unit:     &Unit{Name: root.Dir, Root: root.Dir, Kind: KustomizationUnit},
		files:    map[string]bool{},
		state:    map[*Kustomization]visit{},
	}
	c.visit(root)
	for file := range c.files {
		c.unit.Objects = append(c.unit.Objects, a.objectsOf(file)...)
	}
	slices.SortFunc(c.unit.Objects, Compare)
	return c.unit
}

// objectsOf lists the objects of a file that are applied. A kustomization file has none. A file that only has the name of
// one, such as one with Flux's Kustomization, has objects like any other.
func (a *Assembly) objectsOf(file string) []*Object {
	if !IsKustomizationFile(file) {
		return a.byFile[file]
	}
	return slices.DeleteFunc(slices.Clone(a.byFile[file]), func(o *Object) bool {
		return o.Group == kustomizeGroup || o.APIVersion == ""
	})
}

// Plain returns the unit of the files that nothing in the repository applies, given the units created so far; nil if it is
// empty.
func (a *Assembly) Plain() *Unit {
	unit := &Unit{Name: ".", Root: ".", Kind: PlainUnit}
	for file := range a.byFile {
		if !a.applied[file] && !a.claimed[file] && !a.tree.inChart(file) && !a.Apart(file) {
			unit.Objects = append(unit.Objects, a.manifests(file)...)
		}
	}
	if len(unit.Objects) == 0 {
		return nil
	}
	slices.SortFunc(unit.Objects, Compare)
	return unit
}

// Alone returns a unit for each of the wanted files that no unit created so far applies.
func (a *Assembly) Alone(wanted func(file string) bool) []*Unit {
	var units []*Unit
	for _, file := range slices.Sorted(maps.Keys(a.byFile)) {
		if a.applied[file] || a.claimed[file] || a.tree.inChart(file) || !wanted(file) {
			continue
		}
		if found := a.manifests(file); len(found) > 0 {
			slices.SortFunc(found, Compare)
			units = append(units, &Unit{Name: file, Root: path.Dir(file), Kind: PlainUnit, Objects: found})
		}
	}
	return units
}

// Files returns the objects of files that are applied unchanged, sorted. They are then not part of the plain unit.
func (a *Assembly) Files(files []string) []*Object {
	var objects []*Object
	for _, file := range files {
		a.applied[file] = true
		objects = append(objects, a.manifests(file)...)
	}
	slices.SortFunc(objects, Compare)
	return objects
}

// manifests returns the objects of a file that can be applied unchanged: not a template, and not values of a chart.
func (a *Assembly) manifests(file string) []*Object {
	if _, template := a.tree.template(file); template {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.objectsOf(file)), a.tree.isValues)
}
