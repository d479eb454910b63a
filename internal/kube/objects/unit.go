package objects

import (
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/kube/kubeversion"
)

// UnitKind is the kind of source that defines a unit.
type UnitKind string

const (
	// PlainUnit is the unit of files that nothing in the repository applies.
	PlainUnit UnitKind = "plain"
	// KustomizationUnit is the result of one kustomization.
	KustomizationUnit UnitKind = "kustomization"
	// ChartUnit is the result of a chart with one set of values.
	ChartUnit UnitKind = "chart"
	// ApplicationUnit is everything that Argo CD or Flux applies together, if it is not one of the other units unchanged.
	ApplicationUnit UnitKind = "application"
	// EmbeddedUnit is what one object holds and its controller applies, see [Unit.EmbeddedUnits]. Other objects can bring more to
	// the same place, so what is missing in it can exist anyway.
	EmbeddedUnit UnitKind = "embedded"
	// ClusterUnit is what one cluster gets: the objects of several units, see [Unit.Members].
	ClusterUnit UnitKind = "cluster"
)

// NamedUnits are the kinds of units that are known by their name. Others are known by the folder of their kustomization.
var NamedUnits = []UnitKind{ApplicationUnit, ChartUnit, EmbeddedUnit}

// Unit is a deployment unit: objects that are applied together, in which names are resolved. It does not change once it is
// created, and can be used by several goroutines.
type Unit struct {
	// Name is the folder of the kustomization, "." for the plain unit, the folder of a chart with its values, or an
	// application's kind and name. It is unique among the units of a kind. Root is the root folder of the unit.
	Name, Root string
	Kind       UnitKind
	// Namespace is that of objects whose manifests set none; "" if it is not known.
	Namespace string
	// Parent is the unit that applies the object that holds the objects of an embedded unit, and Outer is that object; nil for
	// other kinds of units.
	Parent *Unit
	Outer  *Object
	// Unapplied is set for a unit of files that no deployment applies, and that is joined with no other.
	Unapplied *Unapplied
	// Members are the units whose objects a cluster gets; nil for other kinds of units.
	Members []*Unit
	// Possible is true if it is not known whether one cluster gets all of the members.
	Possible bool
	// Objects are sorted by file, document, and path.
	Objects []*Object
	// Built is true if Objects are those that the unit applies, and not those in its files, which are the Sources.
	Built   bool
	Sources []*Object
	// NotBuilt is true if the unit has to be built and could not be: a problem states the reason.
	NotBuilt bool
	// Kustomizations are those from which the unit is built, the root first.
	Kustomizations []*Kustomization
	// Renderings are the charts that the unit renders, with their values.
	Renderings []Rendering
	// Replacements are the units that render the chart of this one with the values of applications, releases or kustomizations. What
	// the unit itself renders, with the chart's own values, is then applied by nothing in the repository, see [Unit.Replaced].
	Replacements []*Unit
	// Takes report whether the unit applies a file unchanged, or would if the file existed: they belong to applications
	// that apply all files of a folder.
	Takes []func(file string) bool
	// Appliers are the applications of Argo CD and Flux in the repository that apply the unit.
	Appliers []Applier
	// Transforms are the fields of all kustomizations that make the applied objects differ from those in the files. They
	// affect the whole unit: a name that one of them changes is also changed in references to it.
	Transforms []Transform
	// Remotes are entries that lead out of the repository and would have to be fetched.
	Remotes []Entry
	// NonObjectInputs are files that the kustomizations read as something other than objects.
	NonObjectInputs []NonObjectInput
	// LeftOut are entries of the kustomizations that are not part of the built objects.
	LeftOut []LeftOut
	// Problems are entries that could not be resolved, and other parts of the unit that were not checked.
	Problems []Problem
	// Kubernetes returns the versions of Kubernetes that the unit's cluster can run; nil is any version. See KubernetesVersions.
	Kubernetes func() kubeversion.Range
	// LeavesOut returns why none of some applications applies an object of the unit; nil if nothing is known about that. See Withheld.
	LeavesOut func(by []Applier, o *Object) (why Problem, is bool)

	indexes    [narrowings]lazy[map[indexKey][]*Object]
	refs       lazy[map[string]*Object]
	files      lazy[map[string]bool]
	references lazy[*referenceIndex]
	// deferral is set for a deferred unit, with the contents of its inputs; see Defer.
	deferral *deferral
	inputs   [][]byte
	cache    sync.Map // results of other packages derived from the unit: a function that returns the result, by key
}

// Unapplied is why files are judged, although no deployment applies them.
type Unapplied struct {
	// Folder holds the files: those of tests, or those that Beside, a kustomization in the folder, does not list; "" for data of tests.
	Folder, Beside string
}

// Rendering is a chart and its values.
type Rendering struct {
	// Chart is the chart's folder, or its archive.
	Chart string
	// Values are the files of the repository that are merged over the chart's own values, in order.
	Values []string
	// Dependencies are the folders of the charts of the repository that are built into it, sorted.
	Dependencies []string
	// APIVersions are those that the chart is told to find on the cluster, beside the ones of Kubernetes itself.
	APIVersions []string
	// Uncertain is true if not all of the values are known.
	Uncertain bool
	// Empty are the templates from which no object is rendered, although rules may judge one, sorted.
	Empty []string
	// Shows reports whether a text is anywhere in what the templates render. It is nil if that is not known.
	Shows func(text string) bool
}

// reads reports whether a file is one of the chart, or of its dependencies.
func (r Rendering) reads(file string) bool {
	return slices.ContainsFunc(r.Folders(), func(dir string) bool { return within(dir, file) })
}

// Folders returns the folders of the chart, or its archive, and of the dependencies that are built into it.
func (r Rendering) Folders() []string { return append([]string{r.Chart}, r.Dependencies...) }

// Applier is an application of Argo CD or Flux.
type Applier struct {
	// Object is the Application, the ApplicationSet that generates it, the Kustomization, or the HelmRelease.
	Object *Object
	// Instance is the index among the applications that an ApplicationSet generates.
	Instance int
}

// String is the unit's name in messages.
func (u *Unit) String() string {
	switch {
	case u.Kind == PlainUnit:
		return "the unit of plain files"
	case u.Kind == KustomizationUnit && u.Name == ".":
		return "the kustomization at the top of the repository"
	case u.Kind == ApplicationUnit, u.Kind == EmbeddedUnit:
		return "the " + u.Name // which begins with its kind
	case u.Kind == ClusterUnit && len(u.Members) == 1:
		return u.Members[0].String()
	case u.Kind == ClusterUnit && u.Name == ".":
		return "the cluster of the applications at the top of the repository"
	}
	return "the " + string(u.Kind) + " " + u.Name
}

// UnitKey identifies a unit of a repository, also when units are assembled again.
type UnitKey struct {
	Kind UnitKind
	Name string
}

// KubernetesVersions returns the versions of Kubernetes that the unit's cluster can run.
func (u *Unit) KubernetesVersions() kubeversion.Range {
	if u.Kubernetes == nil {
		return kubeversion.Range{}
	}
	return u.Kubernetes()
}

// Parts returns the units whose objects a unit has: those of a cluster, or the unit itself.
func (u *Unit) Parts() []*Unit {
	if u.Kind == ClusterUnit {
		return u.Members
	}
	return []*Unit{u}
}

// Shown returns the unit that people see: the only one that a cluster gets, unless that is plain files, or the unit itself.
func (u *Unit) Shown() *Unit {
	if parts := u.Parts(); len(parts) == 1 && parts[0].Kind != PlainUnit {
		return parts[0]
	}
	return u
}

// PartsWith returns the parts that have an object.
func (u *Unit) PartsWith(o *Object) []*Unit {
	if u.Kind != ClusterUnit {
		return []*Unit{u}
	}
	if o != nil && o.unlabeled != nil {
		o = o.unlabeled
	}
	return u.Cached(membersKey{}, func() any {
		all := map[*Object][]*Unit{}
		for _, member := range u.Members {
			for _, object := range member.Objects {
				all[object] = append(all[object], member)
			}
		}
		return all
	}).(map[*Object][]*Unit)[o]
}

type membersKey struct{}

// DefaultNamespace returns the namespace of an object of the unit whose manifest sets none; "" if it is not known.
func (u *Unit) DefaultNamespace(o *Object) string {
	if parts := u.PartsWith(o); len(parts) > 0 {
		return parts[0].Namespace
	}
	return ""
}

// Withheld returns why nothing that applies the unit, or none of the parts of a cluster, applies an object of it. What is live of such an object stays as it
// was.
func (u *Unit) Withheld(o *Object) (why Problem, is bool) {
	if o == nil {
		return Problem{}, false
	}
	for _, part := range u.PartsWith(o) {
		if part.LeavesOut == nil || len(part.Appliers) == 0 {
			return Problem{}, false
		}
		if why, is = part.LeavesOut(part.Appliers, o); !is {
			return Problem{}, false
		}
	}
	return why, is
}

// Key returns the unit's key.
func (u *Unit) Key() UnitKey { return UnitKey{u.Kind, u.Name} }

// Replaced reports whether nothing in the repository applies the unit: it is a chart with its own values, which others render with
// theirs. Rules do not judge it. Fixes of the chart are still proven with it, because the chart can be installed by hand.
func (u *Unit) Replaced() bool { return len(u.AppliedBy().Replacements) > 0 }

// NotReplaced returns the units that are not replaced.
func NotReplaced(units []*Unit) []*Unit {
	return slices.DeleteFunc(slices.Clone(units), (*Unit).Replaced)
}

// ReplacedBy returns the unit with replacements.
func (u *Unit) ReplacedBy(units []*Unit) *Unit {
	replaced := u.For(u.Appliers)
	replaced.Replacements = units
	return replaced
}

// Reads reports whether the unit's result depends on a file, or would if the file existed.
func (u *Unit) Reads(file string) bool {
	if u.readsLikeParent() {
		return u.Parent.Reads(file)
	}
	return u.listed()[file] || slices.ContainsFunc(u.NonObjectInputs, func(c NonObjectInput) bool { return c.Covers(file) }) ||
		slices.ContainsFunc(u.Renderings, func(r Rendering) bool { return r.reads(file) }) ||
		slices.ContainsFunc(u.Takes, func(takes func(string) bool) bool { return takes(file) })
}

// ReadOf returns those of the given files that the unit reads, in no order. It avoids checking every file, because there
// can be many units and many files.
func (u *Unit) ReadOf(files map[string]bool) []string {
	if u.readsLikeParent() {
		return u.Parent.ReadOf(files)
	}
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

// listed returns the files that the unit names individually.
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
			if u.Kind == ApplicationUnit && by.Object != nil { // it contains patches and parameters
				files[by.Object.File] = true
			}
		}
		return files
	})
}

// within reports whether a file is in a folder or below it, or is the folder itself.
func within(folder, file string) bool { return folder == "." || inside(folder, file) }

// inside is within for a folder that is not the top of the repository. It joins no texts, because it is called for most files of most units.
func inside(folder, file string) bool {
	return strings.HasPrefix(file, folder) && (len(file) == len(folder) || file[len(folder)] == '/')
}

// Object returns the object of the unit with a reference, or nil.
func (u *Unit) Object(ref string) *Object {
	return u.refs.get(func() map[string]*Object {
		refs := make(map[string]*Object, len(u.Objects))
		for _, object := range u.Objects {
			refs[object.Ref()] = object
		}
		return refs
	})[ref]
}

// Cached returns the result of build for the unit, computed on first use and kept with the unit. Keys are of an unexported
// type of the calling package, as for values of a context.
func (u *Unit) Cached(key any, build func() any) any {
	value, _ := u.cache.LoadOrStore(key, sync.OnceValue(build))
	return value.(func() any)()
}

// Forget drops the cached results whose key is unwanted. Later calls of Cached compute them again.
func (u *Unit) Forget(unwanted func(key any) bool) {
	u.cache.Range(func(key, _ any) bool {
		if unwanted(key) {
			u.cache.Delete(key)
		}
		return true
	})
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
