package inventory

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Units puts together what is applied together. Every kustomization that no other lists is the root of a unit with the
// objects of all files it reaches; a file may be in several units. What no kustomization applies makes one more unit, the
// plain one, which comes last and is missing when it would be empty.
//
// Left out are kustomizations themselves, templates and values of charts, and files that a kustomization reads as
// something else than objects (Unit.Claims), unless it takes them for mere text.
//
// Files are all files of the repository. With them, an entry of a kustomization that leads nowhere becomes a problem,
// and charts are known.
func Units(objects []*Object, kustomizations []*Kustomization, files ...string) []*Unit {
	a := &assembly{
		tree:    newTree(files),
		byFile:  map[string][]*Object{},
		byDir:   map[string]*Kustomization{},
		surplus: map[string][]Problem{},
		applied: map[string]bool{},
		claimed: map[string]bool{},
	}
	for _, object := range objects {
		a.byFile[object.File] = append(a.byFile[object.File], object)
	}
	a.sortKustomizations(kustomizations)
	var units []*Unit
	for _, root := range a.roots() {
		units = append(units, a.kustomizationUnit(root))
	}
	if plain := a.plainUnit(); len(plain.Objects) > 0 {
		units = append(units, plain)
	}
	return units
}

// assembly is the state of putting units together.
type assembly struct {
	tree           *tree
	byFile         map[string][]*Object
	byDir          map[string]*Kustomization
	kustomizations []*Kustomization     // one per folder, sorted
	surplus        map[string][]Problem // by folder: about kustomizations that kustomize does not look at
	applied        map[string]bool      // files that a kustomization applies
	claimed        map[string]bool      // files that a kustomization reads as something else
}

// sortKustomizations keeps one kustomization per folder, in the order of their folders: the file kustomize looks for
// first, and its first document.
func (a *assembly) sortKustomizations(all []*Kustomization) {
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
			a.surplus[k.Dir] = append(a.surplus[k.Dir], Problem{
				positionIn(k.Doc, k.Doc.Root.Span.Start),
				fmt.Sprintf("the folder already has the kustomization %s: kustomize takes one per folder, and this one was not looked at", first.Path),
			})
			continue
		}
		a.byDir[k.Dir] = k
		a.kustomizations = append(a.kustomizations, k)
	}
}

func nameRank(file string) int { return slices.Index(kustomizationNames, path.Base(file)) }

// roots are the kustomizations that no other lists, and one of every circle that nothing outside it leads into.
func (a *assembly) roots() []*Kustomization {
	listed := map[*Kustomization]bool{}
	for _, k := range a.kustomizations {
		for _, entry := range k.Resources {
			if child := a.byDir[entry.Target]; child != nil && child != k {
				listed[child] = true
			}
		}
	}
	var roots []*Kustomization
	seen := map[*Kustomization]bool{}
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

// mark notes everything that a kustomization leads to.
func (a *assembly) mark(k *Kustomization, seen map[*Kustomization]bool) {
	if k == nil || seen[k] {
		return
	}
	seen[k] = true
	for _, entry := range k.Resources {
		a.mark(a.byDir[entry.Target], seen)
	}
}

func (a *assembly) kustomizationUnit(root *Kustomization) *Unit {
	c := collector{
		assembly: a,
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

// objectsOf lists the objects of a file that are applied. A kustomization file has none; one that is nothing of the
// kind but carries the name, like Flux's Kustomization, is an object as any other.
func (a *assembly) objectsOf(file string) []*Object {
	if !IsKustomizationFile(file) {
		return a.byFile[file]
	}
	return slices.DeleteFunc(slices.Clone(a.byFile[file]), func(o *Object) bool {
		return o.Group == kustomizeGroup || o.APIVersion == ""
	})
}

// plainUnit holds what nothing in the repository says how to apply.
func (a *assembly) plainUnit() *Unit {
	unit := &Unit{Name: ".", Root: ".", Kind: PlainUnit}
	for file := range a.byFile {
		if _, template := a.tree.template(file); template || a.applied[file] || a.claimed[file] {
			continue
		}
		for _, object := range a.objectsOf(file) {
			if !a.tree.values(object) {
				unit.Objects = append(unit.Objects, object)
			}
		}
	}
	slices.SortFunc(unit.Objects, Compare)
	return unit
}
