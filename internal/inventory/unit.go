package inventory

import "sync"

// UnitKind says what puts the objects of a unit together.
type UnitKind string

const (
	// PlainUnit is the unit of files of which nothing says how they are applied.
	PlainUnit UnitKind = "plain"
	// KustomizationUnit is what one kustomization builds.
	KustomizationUnit UnitKind = "kustomization"
)

// Unit is what is applied together, the world in which names are resolved. It does not change once it is made, and may
// be asked from several goroutines.
type Unit struct {
	// Name is the folder of the kustomization, "." for the plain unit; Root is the folder the unit is rooted in.
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
	// Transforms are the fields of all of them for which the objects, as applied, are not those in the files. They hold
	// for the whole unit: a name that one of them changes is also changed where others refer to it.
	Transforms []Transform
	// Remotes are entries that lead out of the repository to something that would have to be fetched.
	Remotes []Entry
	// Claims are files that the kustomizations read as something else than objects.
	Claims []Claim
	// Problems are entries that could not be followed, and other things about the unit that were not looked at.
	Problems []Problem

	indexes    [narrowings]lazy[map[indexKey][]*Object]
	refs       lazy[map[string]*Object]
	references lazy[*referenceIndex]
	cache      sync.Map // what other packages derived from the unit: a function that gives it, by key
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
