package gitops

import (
	"slices"
	"sync"

	"github.com/salint/salint/internal/kube/objects"
)

// Groups and kinds that are read.
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

	kindConfigMap = "ConfigMap"
)

// Kinds are the kinds to hand to Read, in the form that a reader of manifests wants them. ConfigMaps come besides, see
// [ConfigMaps].
func Kinds() map[string][]string {
	return map[string][]string{
		kindApplication: {argoGroup}, kindApplicationSet: {argoGroup}, kindAppProject: {argoGroup},
		kindKustomization: {kustomizeGroup}, kindHelmRelease: {helmGroup},
		kindHelmChart: {sourceGroup}, kindGitRepository: {sourceGroup},
		"HelmRepository": {sourceGroup}, "OCIRepository": {sourceGroup}, "Bucket": {sourceGroup},
	}
}

// Tree is the repository, as far as it is looked at.
type Tree interface {
	// Files are the names of all files, from the root of the repository, with slashes.
	Files() []string
	// ReadFile gives a file of at most limit bytes; one that is larger is an error.
	ReadFile(name string, limit int64) ([]byte, error)
}

// Options say what is known besides the objects.
type Options struct {
	// Remotes are the addresses of the repository's git remotes, in any form.
	Remotes []string
	// Tree is nil when nothing is known of the files: then nothing can be said about folders, and no generator is run.
	Tree Tree
}

// Result is what the objects say, in the order of the objects. It may be asked from several goroutines.
type Result struct {
	Applications []*Application
	// NotChecked is what no application could be made of, such as a generator that needs a cluster.
	NotChecked []Reason
	// Unseen are sources of which it is not known how they are applied.
	Unresolved []UnresolvedSource

	projects []*objects.Object
	settings settings
	flux     lazy[*fluxIndex]
	folders  lazy[map[string][]*Application]
}

// lazy is a value that is made when it is first asked for.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(build func() T) T {
	l.once.Do(func() { l.value = build() })
	return l.value
}

// Tool is what applies an application.
type Tool string

// The tools that are known.
const (
	ArgoCD        Tool = "Argo CD"
	FluxKustomize Tool = "Flux Kustomization"
	FluxHelm      Tool = "Flux HelmRelease"
)

// Application is one set of sources that a tool applies together: an Application, one that an ApplicationSet generates, a
// Kustomization or a HelmRelease of Flux.
type Application struct {
	Tool Tool
	// Object is the object that says so, for a generated Application the ApplicationSet, and Instance which of those it
	// generates it is, from 0.
	Object   *objects.Object
	Instance int
	// Name and Namespace are those of the application itself.
	Name, Namespace Field[string]

	Sources []Source
	// Target is the namespace for objects whose manifests name none (Argo CD, Helm), or for all (Kustomization of Flux).
	Target Field[string]
	// Cluster names the cluster it goes to, by name or address; "" for the tool's own, or where nothing is said.
	Cluster Field[string]

	// Project is the AppProject of Argo CD; "default" where none is named.
	Project Field[string]
	// Account is the service account that Flux acts as; "" for that of its controller.
	Account Field[string]

	// Force has a refused change end in delete-and-create, Replace replaces objects instead of patching them, and Uninstall
	// answers a failed upgrade by uninstalling, as far as they are written; see [Application.Dangers].
	Force, Replace, Uninstall Field[bool]
	ServerSide                Field[bool]
	Prune, Suspended          Field[bool]
	CreateNamespace           Field[bool]

	// Wave is the place of the application itself in the sync of the one that applies it.
	Wave      Field[string]
	DependsOn []Dependency
	// Stepped is set where a strategy of the ApplicationSet syncs its applications in steps.
	Stepped Field[bool]

	// Variables are what Flux fills in after the build; nil where it fills in nothing.
	Variables *Variables

	// NotChecked says what is not known about the application, or is not in the repository.
	NotChecked []Reason
}

// Dependency is an application of the same kind that has to be ready before. An expression may say what ready means.
type Dependency struct{ Namespace, Name, Expression Field[string] }

// Read reads the objects of a repository. Objects of other kinds are passed over. It never fails: what it cannot make sense
// of is in the result.
func Read(objects []*objects.Object, o Options) *Result {
	r := newReader(objects, o)
	for _, object := range objects {
		switch {
		case isKind(object, argoGroup, kindApplication):
			r.argoApplication(viewOf(object), object, 0)
		case isKind(object, argoGroup, kindApplicationSet):
			r.applicationSet(object)
		case isKind(object, kustomizeGroup, kindKustomization):
			r.kustomization(object)
		case isKind(object, helmGroup, kindHelmRelease):
			r.helmRelease(object)
		}
	}
	return r.result
}

// is tells whether an object is of a group and kind, in any version.
func isKind(o *objects.Object, group, kind string) bool { return o.Group == group && o.Kind == kind }

// ConfigMaps lists the names of the ConfigMaps that Flux takes values or variables from, and those of Argo CD's own
// settings, sorted: those of them that are in the repository are worth handing to Read.
func ConfigMaps(objects []*objects.Object) []string {
	names := []string{settingsName, parametersName}
	for _, o := range objects {
		spec := viewOf(o).get("spec")
		var references []view
		switch {
		case isKind(o, kustomizeGroup, kindKustomization):
			references = spec.get("postBuild", "substituteFrom").items()
		case isKind(o, helmGroup, kindHelmRelease):
			references = spec.get("valuesFrom").items()
		}
		for _, reference := range references {
			if reference.get("kind").string() == kindConfigMap {
				names = append(names, reference.get("name").string())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
