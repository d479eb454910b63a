package objects

import (
	"slices"
	"strings"
	"sync"
)

// UnitKind says what puts the objects of a unit together.
type UnitKind string

const (
	// PlainUnit is the unit of files of which nothing says how they are applied.
	PlainUnit UnitKind = "plain"
	// KustomizationUnit is what one kustomization builds.
	KustomizationUnit UnitKind = "kustomization"
	// ChartUnit is what a chart gives with one set of values.
	ChartUnit UnitKind = "chart"
	// ApplicationUnit is what Argo CD or Flux applies together, where that is not one of the others as it stands.
	ApplicationUnit UnitKind = "application"
)

// Unit is what is applied together, the world in which names are resolved. It does not change once it is made, and may
// be asked from several goroutines.
type Unit struct {
	// Name is the folder of the kustomization, "." for the plain unit, that of a chart with its values, or an application's
	// kind and name. No two units of a kind have the same. Root is the folder the unit is rooted in.
	Name, Root string
	Kind       UnitKind
	// Objects are sorted by file, document and path.
	Objects []*Object
	// Built tells that Objects are what the unit applies, not what its files hold; those are the Sources.
	Built   bool
	Sources []*Object
	// NotBuilt tells that it would have to be built, and could not be: a problem says why.
	NotBuilt bool
	// Kustomizations are those that the unit is built from, the root first.
	Kustomizations []*Kustomization
	// Renderings are the charts that the unit renders, with their values.
	Renderings []Rendering
	// Takes tell of a file whether the unit applies it as it stands, or would if it were there: those of applications that take
	// all files of a folder.
	Takes []func(file string) bool
	// Appliers are what has the unit applied, as far as the repository says: applications of Argo CD and Flux.
	Appliers []Applier
	// Transforms are the fields of all kustomizations for which the objects, as applied, are not those in the files. They hold
	// for the whole unit: a name that one of them changes is also changed where others refer to it.
	Transforms []Transform
	// Remotes are entries that lead out of the repository to something that would have to be fetched.
	Remotes []Entry
	// NonObjectInputs are files that the kustomizations read as something else than objects.
	NonObjectInputs []NonObjectInput
	// Problems are entries that could not be followed, and other things about the unit that were not looked at.
	Problems []Problem

	indexes    [narrowings]lazy[map[indexKey][]*Object]
	refs       lazy[map[string]*Object]
	files      lazy[map[string]bool]
	references lazy[*referenceIndex]
	cache      sync.Map // what other packages derived from the unit: a function that gives it, by key
}

// Rendering is a chart and what it is rendered with.
type Rendering struct {
	// Chart is its folder, or its archive.
	Chart string
	// Values are the files of the repository that are merged over the chart's own, in their order.
	Values []string
}

// Applier is an application of Argo CD or Flux.
type Applier struct {
	// Object is the Application, the ApplicationSet that generates it, the Kustomization or the HelmRelease.
	Object *Object
	// Instance is which of those that an ApplicationSet generates it is, from 0.
	Instance int
}

// String is how messages call the unit.
func (u *Unit) String() string {
	switch {
	case u.Kind == PlainUnit:
		return "the unit of plain files"
	case u.Kind == KustomizationUnit && u.Name == ".":
		return "the kustomization at the top of the repository"
	case u.Kind == ApplicationUnit:
		return "the " + u.Name // which begins with its kind
	}
	return "the " + string(u.Kind) + " " + u.Name
}

// UnitKey tells the units of a repository apart, and finds a unit again when they are put together anew.
type UnitKey struct {
	Kind UnitKind
	Name string
}

// Key is what the unit is found again by.
func (u *Unit) Key() UnitKey { return UnitKey{u.Kind, u.Name} }

// Reads tells whether what the unit applies is made of a file, or would be if the file were there.
func (u *Unit) Reads(file string) bool {
	return u.listed()[file] || slices.ContainsFunc(u.NonObjectInputs, func(c NonObjectInput) bool { return c.Covers(file) }) ||
		slices.ContainsFunc(u.Renderings, func(r Rendering) bool { return within(r.Chart, file) }) ||
		slices.ContainsFunc(u.Takes, func(takes func(string) bool) bool { return takes(file) })
}

// ReadOf lists those of some files that the unit reads, in no order. It looks at no more of them than it must: there may be
// many units and many files.
func (u *Unit) ReadOf(files map[string]bool) []string {
	var read []string
	if len(u.NonObjectInputs)+len(u.Renderings)+len(u.Takes) > 0 {
		for file, is := range files {
			if is && u.Reads(file) {
				read = append(read, file)
			}
		}
		return read
	}
	for file := range u.listed() {
		if files[file] {
			read = append(read, file)
		}
	}
	return read
}

// listed are the files that the unit names one by one.
func (u *Unit) listed() map[string]bool {
	return u.files.get(func() map[string]bool {
		files := map[string]bool{}
		for _, o := range slices.Concat(u.Objects, u.Sources) {
			files[o.File] = true
		}
		for _, k := range u.Kustomizations {
			files[k.Path] = true
			for _, entry := range k.Resources {
				files[entry.Target] = true
			}
		}
		for _, r := range u.Renderings {
			for _, values := range r.Values {
				files[values] = true
			}
		}
		for _, by := range u.Appliers {
			if u.Kind == ApplicationUnit && by.Object != nil { // what it changes on the way stands there
				files[by.Object.File] = true
			}
		}
		return files
	})
}

// within tells whether a file lies in a folder or below, or is it.
func within(folder, file string) bool {
	return folder == "." || file == folder || strings.HasPrefix(file, folder+"/")
}

// Object finds an object of the unit by its reference, or nil.
func (u *Unit) Object(ref string) *Object {
	return u.refs.get(func() map[string]*Object {
		refs := make(map[string]*Object, len(u.Objects))
		for _, object := range u.Objects {
			refs[object.Ref()] = object
		}
		return refs
	})[ref]
}

// Cached gives what build makes of the unit, built on first use and kept with the unit. Keys are of an unexported type
// of the package that asks, as for values of a context.
func (u *Unit) Cached(key any, build func() any) any {
	value, _ := u.cache.LoadOrStore(key, sync.OnceValue(build))
	return value.(func() any)()
}

// lazy is a value that is computed on first use, once.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(build func() T) T {
	l.once.Do(func() { l.value = build() })
	return l.value
}
