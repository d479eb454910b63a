package gitops

import (
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/restmap"
)

// The groups and kinds that are read.
const (
	argoGroup = "argoproj.io"

	kindApplication    = "Application"
	kindApplicationSet = "ApplicationSet"
	kindAppProject     = "AppProject"

	kustomizeGroup = "kustomize.toolkit.fluxcd.io"
	helmGroup      = "helm.toolkit.fluxcd.io"
	sourceGroup    = "source.toolkit.fluxcd.io"

	kindKustomization = "Kustomization"
	kindHelmRelease   = "HelmRelease"
	kindHelmChart     = "HelmChart"
	kindGitRepository = "GitRepository"

	instanceGroup    = "fluxcd.controlplane.io"
	kindFluxInstance = "FluxInstance"

	kindConfigMap = "ConfigMap"
	kindArgoCD    = "ArgoCD"
)

// Kinds returns the kinds and groups of the objects for [Read], in the form that readers of manifests take. [ConfigMaps]
// lists further objects.
func Kinds() map[string][]string {
	return map[string][]string{
		kindApplication: {argoGroup}, kindApplicationSet: {argoGroup}, kindAppProject: {argoGroup}, kindArgoCD: {argoGroup},
		kindKustomization: {kustomizeGroup}, kindHelmRelease: {helmGroup},
		kindFluxInstance: {instanceGroup}, kindHelmChart: {sourceGroup}, kindGitRepository: {sourceGroup},
		"HelmRepository": {sourceGroup}, "OCIRepository": {sourceGroup}, "Bucket": {sourceGroup},
	}
}

// Tree is the repository, as far as it is read.
type Tree interface {
	// Names returns the names of all files, from the root of the repository, with slashes.
	Names() []string
	// ReadAtMost returns a file of at most limit bytes; a larger file is an error.
	ReadAtMost(name string, limit int64) ([]byte, error)
	// Programs returns the files of Jsonnet in a folder and in those below, sorted. They are not among Names.
	Programs(dir string) []string
	// Links are the symbolic links, which are not among Names, with the files and folders of the repository that they lead to.
	Links() map[string]string
}

// Options describe the repository of the objects.
type Options struct {
	// Remotes are the addresses of the repository's git remotes, in any form.
	Remotes []string
	// Branches are the branches whose files are those of the tree; nil if they are unknown.
	Branches []string
	// Members are the repositories of a workspace, instead of Remotes and Branches; nil if the tree is one repository.
	Members []Member
	// Tree is nil if the files are unknown: then folders are not checked, and no generator is run.
	Tree Tree
	// Units are the deployment units that apply an object, without the unit of plain files. Of objects of one name, an object references
	// that of the same unit.
	Units map[*objects.Object][]*objects.Unit
}

// Result is what the objects define, in the order of the objects. It is safe for concurrent use.
type Result struct {
	Applications []*Application
	// NotChecked is what no application could be read from, such as a generator that requires a cluster.
	NotChecked []Reason
	// Unresolved are the sources whose resulting objects cannot be determined.
	Unresolved []UnresolvedSource

	projects []*objects.Object
	units    map[*objects.Object][]*objects.Unit
	settings settings
	// projectsByName are the projects of a name.
	projectsByName lazy[map[string]*Namesakes]
	exclusions     lazy[map[*objects.Object]exclusions]
	kinds          lazy[*restmap.Map]
}

// lazy is a value that is computed at the first use.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(build func() T) T {
	l.once.Do(func() { l.value = build() })
	return l.value
}

// Reason is something that was not read, with location and cause. Messages are sentences without a full stop.
type Reason struct {
	Location view.Location
	Message  string
	// Values is set if values of a chart are unknown, so that the chart may render other objects.
	Values bool
	// Program is set if a program makes objects that are unknown.
	Program bool
}

// Tool is what applies an application.
type Tool string

// The known tools.
const (
	ArgoCD        Tool = "Argo CD"
	FluxKustomize Tool = "Flux Kustomization"
	FluxHelm      Tool = "Flux HelmRelease"
)

// Application is a set of sources that a tool applies together: an Application, one that an ApplicationSet generates, or a
// Kustomization or HelmRelease of Flux.
type Application struct {
	Tool Tool
	// Object is the object that defines the application; for a generated Application it is the ApplicationSet, and Instance
	// is its index among the generated ones. An object that several units apply, to different effect, has an Instance for each of them.
	Object   *objects.Object
	Instance int
	// unit is the one that applies the object, if the application differs from that of another unit with the same object, or nil.
	unit *objects.Unit
	// Name and Namespace are those of the application itself.
	Name, Namespace view.Field[string]

	Sources []sources.Source
	// Target is the namespace for objects without one (Argo CD, Helm), or for all objects (Kustomization of Flux).
	Target view.Field[string]
	// Cluster is the name or address of the target cluster; "" is the tool's own cluster, or an unspecified one.
	Cluster view.Field[string]
	// kubeConfig is the object with the address of the cluster to which Flux applies; "" is its own cluster.
	kubeConfig string

	// Project is the AppProject of Argo CD; "default" if none is set.
	Project view.Field[string]
	// Account is the service account as which Flux acts; "" is that of its controller.
	Account view.Field[string]

	// Force deletes and creates objects when a change is rejected, Replace replaces objects instead of patching them, and
	// Uninstall answers a failed upgrade by uninstalling, as far as they are set; see applying.DestructiveOptions.
	Force, Replace, Uninstall view.Field[bool]
	ServerSide                view.Field[bool]
	Prune, Suspended          view.Field[bool]
	// PruneLast is set if Argo CD deletes objects after it has applied all others.
	PruneLast bool
	// Confirms is set if Argo CD asks before it deletes an object.
	Confirms        bool
	CreateNamespace view.Field[bool]
	// NamespaceLabels are those that Argo CD sets on the namespace of the destination, if it creates namespaces (managedNamespaceMetadata).
	NamespaceLabels []view.Entry
	// respects is the option by which Argo CD leaves ignored fields as they are, "" without one, and ignored are the fields.
	respects string
	ignored  []ignoredFields

	// Wave is the wave of the application itself in the sync of its parent.
	Wave      view.Field[string]
	DependsOn []Dependency
	// Stepped is set if a strategy of the ApplicationSet syncs its applications in steps.
	Stepped view.Field[bool]

	// Programs are the files that a program turns into objects, which are unknown, with the digests of what they are made of.
	Programs []Program

	// Variables are what Flux substitutes after the build; nil if it substitutes nothing.
	Variables *Variables

	// NotMade is why the object of the application is neither made nor changed, or nil: a part of its ApplicationSet fails, or what applies it leaves the object out.
	// What is live stays as it was.
	NotMade *Reason

	// NotChecked lists what is unknown about the application, or is not in the repository.
	NotChecked []Reason
}

// Dependency is an application of the same kind that must be ready first. An expression can define when it is ready.
type Dependency struct{ Namespace, Name, Expression view.Field[string] }

// DefaultNamespace returns the namespace of objects whose manifests set none; "" if it is not known, or if the tool does not apply such objects.
func (a *Application) DefaultNamespace() string {
	if a.Tool == FluxKustomize || !isName(a.Target.Value) {
		return ""
	}
	return a.Target.Value
}

// Read reads the objects of a repository. It ignores objects of other kinds. It never fails: whatever it cannot interpret
// is part of the result.
func Read(objects []*objects.Object, o Options) *Result {
	r := newReader(objects, o)
	for _, object := range objects {
		switch {
		case isKind(object, argoGroup, kindApplication):
			r.argoApplication(view.Of(object), object, 0)
		case isKind(object, argoGroup, kindApplicationSet):
			r.applicationSet(object)
		case isKind(object, kustomizeGroup, kindKustomization):
			r.inEachUnit(object, r.kustomization)
		case isKind(object, helmGroup, kindHelmRelease):
			r.inEachUnit(object, r.helmRelease)
		}
	}
	return r.result
}

// inEachUnit reads an application once, or once for each unit that applies its object if what it references differs.
func (r *reader) inEachUnit(object *objects.Object, read func(*objects.Object)) {
	units := r.result.units[object]
	for i, unit := range units {
		first := len(r.result.Applications)
		r.unit, r.differs = unit, false
		read(object)
		r.unit = nil
		if len(units) == 1 || i == 0 && !r.differs {
			return
		}
		for _, a := range r.result.Applications[first:] {
			a.Instance, a.unit = i, unit
		}
	}
	if len(units) == 0 {
		read(object)
	}
}

// isKind reports whether an object is of a group and kind, in any version.
func isKind(o *objects.Object, group, kind string) bool { return o.Group == group && o.Kind == kind }

// ConfigMaps returns the sorted names of the ConfigMaps from which Flux takes values or variables, and of those with Argo
// CD's settings. Pass the ones that are in the repository to [Read].
func ConfigMaps(objects []*objects.Object) []string {
	names := []string{settingsName, parametersName}
	for _, o := range objects {
		spec := view.Of(o).Get("spec")
		var references []view.View
		switch {
		case isKind(o, kustomizeGroup, kindKustomization):
			references = spec.Get("postBuild", "substituteFrom").Items()
		case isKind(o, helmGroup, kindHelmRelease):
			references = spec.Get("valuesFrom").Items()
		}
		for _, reference := range references {
			if reference.Get("kind").String() == kindConfigMap {
				names = append(names, reference.Get("name").String())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Definition is where a repository defines an application, and the name that an ApplicationSet generates. It is the same on all clusters.
type Definition struct {
	place     objects.Position
	generated string
}

// Definition returns the definition of an application, by which it is counted.
func (a *Application) Definition() Definition {
	d := Definition{place: a.Object.Position(nil)}
	if isKind(a.Object, argoGroup, kindApplicationSet) {
		d.generated = a.Name.Value
	}
	return d
}

// String returns the name of an application in messages.
func (a *Application) String() string {
	if a.Tool == ArgoCD {
		return "the Application " + a.Name.Value
	}
	return "the " + string(a.Tool) + " " + a.Name.Value
}
