package assembly

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
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
func Units(all []*objects.Object, kustomizations []*objects.Kustomization, files ...string) []*objects.Unit {
	a := NewBuilder(all, kustomizations, files...)
	units := a.Roots()
	if plain := a.Plain(); plain != nil {
		units = append(units, plain)
	}
	return units
}

// Builder assembles units step by step, for callers that know about applications in addition to the kustomizations of the
// repository; others use [Units]. It is for one goroutine.
type Builder struct {
	tree           *tree
	byFile         map[string][]*objects.Object
	byDir          map[string]*objects.Kustomization
	kustomizations []*objects.Kustomization     // one per folder, sorted
	ignored        map[string][]objects.Problem // by folder: about kustomizations that kustomize ignores
	applied        map[string]bool              // files that a kustomization applies
	// apart reports files that are no deployment unless something applies them
	apart func(file string) bool
	// absent returns why a path that a kustomization lists is not in the tree
	absent  func(target string) string
	claimed map[string]bool // files that a kustomization reads as something other than objects
}

// NewBuilder takes the arguments of [Units].
func NewBuilder(all []*objects.Object, kustomizations []*objects.Kustomization, files ...string) *Builder {
	a := &Builder{
		tree:    newTree(files),
		byFile:  map[string][]*objects.Object{},
		byDir:   map[string]*objects.Kustomization{},
		ignored: map[string][]objects.Problem{},
		applied: map[string]bool{},
		claimed: map[string]bool{},
	}
	for _, object := range all {
		a.byFile[object.File] = append(a.byFile[object.File], object)
	}
	a.sortKustomizations(kustomizations)
	return a
}

// SetApart sets which files, such as data of tests, are in no unit unless a kustomization or application elsewhere applies them; nil for none.
func (a *Builder) SetApart(apart func(file string) bool) { a.apart = apart }

// SetAbsent sets what returns why a file or folder that a kustomization lists is not among the files of the repository, as a clause; nil if
// it does not exist.
func (a *Builder) SetAbsent(why func(target string) string) { a.absent = why }

// Apart reports whether a file is in no unit unless something elsewhere applies it.
func (a *Builder) Apart(file string) bool { return a.apart != nil && a.apart(file) }

// Roots are the units of the kustomizations that no other lists, sorted by folder.
func (a *Builder) Roots() []*objects.Unit {
	var units []*objects.Unit
	for _, root := range a.roots() {
		units = append(units, a.Unit(root))
	}
	return units
}

// Kustomization returns the kustomization of a folder, or nil.
func (a *Builder) Kustomization(dir string) *objects.Kustomization { return a.byDir[dir] }

// sortKustomizations keeps one kustomization per folder, in the order of their folders: the file that kustomize prefers,
// and its first document.
func (a *Builder) sortKustomizations(all []*objects.Kustomization) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(x, y *objects.Kustomization) int {
		return cmp.Or(
			strings.Compare(x.Dir, y.Dir),
			cmp.Compare(nameRank(x.Path), nameRank(y.Path)),
			cmp.Compare(x.Doc.Index, y.Doc.Index),
		)
	})
	for _, k := range all {
		if first, taken := a.byDir[k.Dir]; taken {
			a.ignored[k.Dir] = append(a.ignored[k.Dir], objects.Problem{
				Position: objects.PositionIn(k.Doc, k.Doc.Root.Span().Start),
				Message:  fmt.Sprintf("kustomize reads one kustomization per folder: it reads %s, and this one was not checked", first.Path),
			})
			continue
		}
		a.byDir[k.Dir] = k
		a.kustomizations = append(a.kustomizations, k)
	}
}

func nameRank(file string) int { return slices.Index(objects.KustomizationNames(), path.Base(file)) }

// roots returns the kustomizations that no other lists, and one of every cycle that nothing outside leads into. Those that are apart are
// no roots, and what only they list is one.
func (a *Builder) roots() []*objects.Kustomization {
	listed := map[*objects.Kustomization]bool{}
	seen := map[*objects.Kustomization]bool{}
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
	var roots []*objects.Kustomization
	for _, wantListed := range []bool{false, true} {
		for _, k := range a.kustomizations {
			if listed[k] == wantListed && !seen[k] {
				roots = append(roots, k)
				a.mark(k, seen)
			}
		}
	}
	slices.SortFunc(roots, func(x, y *objects.Kustomization) int { return strings.Compare(x.Dir, y.Dir) })
	return roots
}

// RootsAndNested returns the kustomizations of [Assembly.Roots], and those that others list, without components, which are only built
// as a part of others.
func (a *Builder) RootsAndNested() (roots, nested []*objects.Kustomization) {
	roots = a.roots()
	isRoot := map[*objects.Kustomization]bool{}
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
func (a *Builder) Reached(from []*objects.Kustomization) map[*objects.Kustomization]bool {
	seen := map[*objects.Kustomization]bool{}
	for _, k := range from {
		a.mark(k, seen)
	}
	return seen
}

// mark marks everything that a kustomization leads to.
func (a *Builder) mark(k *objects.Kustomization, seen map[*objects.Kustomization]bool) {
	if k == nil || seen[k] {
		return
	}
	seen[k] = true
	for _, entry := range k.Resources {
		a.mark(a.byDir[entry.Target], seen)
	}
}

// Unit returns the unit of a kustomization, which can be one that others list, or one that is in no file.
func (a *Builder) Unit(root *objects.Kustomization) *objects.Unit {
	c := collector{
		Builder: a,
		unit:    &objects.Unit{Name: root.Dir, Root: root.Dir, Kind: objects.KustomizationUnit},
		files:   map[string]bool{},
		state:   map[*objects.Kustomization]visit{},
	}
	c.visit(root)
	for file := range c.files {
		c.unit.Objects = append(c.unit.Objects, a.objectsOf(file)...)
	}
	slices.SortFunc(c.unit.Objects, objects.Compare)
	return c.unit
}

// objectsOf lists the objects of a file that are applied. A kustomization file has none. A file that only has the name of
// one, such as one with Flux's Kustomization, has objects like any other.
func (a *Builder) objectsOf(file string) []*objects.Object {
	if !objects.IsKustomizationFile(file) {
		return a.byFile[file]
	}
	return slices.DeleteFunc(slices.Clone(a.byFile[file]), func(o *objects.Object) bool {
		return o.Group == objects.KustomizeGroup || o.APIVersion == ""
	})
}

// Plain returns the unit of the files that nothing in the repository applies, given the units created so far; nil if it is
// empty.
func (a *Builder) Plain() *objects.Unit {
	unit := &objects.Unit{Name: ".", Root: ".", Kind: objects.PlainUnit}
	for file := range a.byFile {
		if !a.applied[file] && !a.claimed[file] && !a.tree.inChart(file) && !a.Apart(file) {
			unit.Objects = append(unit.Objects, a.manifests(file)...)
		}
	}
	if len(unit.Objects) == 0 {
		return nil
	}
	slices.SortFunc(unit.Objects, objects.Compare)
	return unit
}

// Alone returns a unit for each of the wanted files that no unit created so far applies.
func (a *Builder) Alone(wanted func(file string) bool) []*objects.Unit {
	var units []*objects.Unit
	for _, file := range slices.Sorted(maps.Keys(a.byFile)) {
		if a.applied[file] || a.claimed[file] || a.tree.inChart(file) || !wanted(file) {
			continue
		}
		if found := a.manifests(file); len(found) > 0 {
			slices.SortFunc(found, objects.Compare)
			units = append(units, &objects.Unit{Name: file, Root: path.Dir(file), Kind: objects.PlainUnit, Objects: found})
		}
	}
	return units
}

// Files returns the objects of files that are applied unchanged, sorted. They are then not part of the plain unit.
func (a *Builder) Files(files []string) []*objects.Object {
	var found []*objects.Object
	for _, file := range files {
		a.applied[file] = true
		found = append(found, a.manifests(file)...)
	}
	slices.SortFunc(found, objects.Compare)
	return found
}

// manifests returns the objects of a file that can be applied unchanged: not a template, and not values of a chart.
func (a *Builder) manifests(file string) []*objects.Object {
	if _, template := a.tree.template(file); template {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.objectsOf(file)), a.tree.isValues)
}
