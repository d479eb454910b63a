package flux

import (
	"cmp"
	"path"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

const (
	sourceGroup    = "source.toolkit.fluxcd.io"
	extensionGroup = "source.extensions.fluxcd.io"

	gitRepository     = "GitRepository"
	artifactGenerator = "ArtifactGenerator"
	externalArtifact  = "ExternalArtifact"
	helmChart         = "HelmChart"
)

// bootstrap is the name of the source with which Flux is installed, which exists on every cluster with Flux.
const bootstrap = "flux-system"

// Part is what of an object decides.
type Part int

// The parts.
const (
	// Spec is the object without its status.
	Spec Part = iota
	// Status is the subresource of the status, from which a controller takes the address and the digest of the artifact that it fetches.
	Status
)

// Decider is an object, or all of a namespace, whose writers decide what is applied.
type Decider struct {
	Kind string
	// Namespace is "" if it is not known. Name is "" for any object of the namespace.
	Namespace, Name string
	Part            Part
	// Exists is true if the object exists before someone creates it.
	Exists bool
	// Through is what takes it into what is applied, for sentences; "" if that is the Kustomization or HelmRelease itself.
	Through string
	// Assumes is what is not known and has to be the case; "" if nothing.
	Assumes string
}

// Resource returns the resource of the object.
func (d Decider) Resource() string {
	if strings.HasSuffix(d.Kind, "y") {
		return strings.ToLower(strings.TrimSuffix(d.Kind, "y")) + "ies"
	}
	return strings.ToLower(d.Kind) + "s"
}

// String names the object, or the part of it.
func (d Decider) String() string {
	name := d.Kind + " " + qualified(d.Namespace, d.Name)
	switch {
	case d.Name == "":
		name = "an " + d.Kind + " in namespace " + d.Namespace
	case d.Part == Status:
		name = "the status of " + name
	}
	return name
}

func qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// ref is a reference to an object.
type ref struct{ kind, namespace, name string }

func reference(value any) ref {
	return ref{text(field(value, "kind")), text(field(value, "namespace")), text(field(value, "name"))}
}

// deciders collects the objects that decide what one application applies.
type deciders struct {
	index
	// isolated is set if the controller refuses references to other namespaces, and generatorsIsolated if source-watcher does.
	isolated, generatorsIsolated bool
	// exists is set if the source exists, although the repository does not define it.
	exists bool
	// path is the folder of the source that is applied.
	path string
	list []Decider
	seen map[Decider]bool
}

// via is how an object takes part: Through and Assumes of a Decider.
type via struct{ through, assumes string }

func (d *deciders) add(found Decider, by via) (isNew bool) {
	found.Through, found.Assumes = by.through, by.assumes
	if d.seen[found] {
		return false
	}
	d.seen[found] = true
	d.list = append(d.list, found)
	return true
}

// target returns the namespace of a reference from a namespace; ok is false if the controller refuses it.
func (r ref) target(from string, isolated bool) (namespace string, ok bool) {
	if r.namespace == "" || r.namespace == from {
		return from, r.name != ""
	}
	return r.namespace, r.name != "" && !isolated
}

// artifact adds who decides an artifact that a controller fetches from the address in the status of its source.
//
// Sources: kustomize-controller (KustomizationReconciler.reconcile, getSource), helm-controller (getSource), source-watcher (observeSources,
// fetchSources).
func (d *deciders) artifact(kind, namespace, name string, by via) {
	switch kind {
	case gitRepository, "OCIRepository", "Bucket":
		d.source(kind, namespace, name, by)
	case helmChart:
		d.chart(namespace, name, by)
	case externalArtifact:
		d.generators(namespace, name)
	default:
		return
	}
	d.add(Decider{Kind: kind, Namespace: namespace, Name: name, Part: Status, Exists: true}, by)
}

// source adds a source, and what a GitRepository includes. Source-controller takes included files from its storage, so the status of an
// included GitRepository decides nothing.
//
// Source: source-controller (GitRepositoryReconciler.reconcileInclude).
func (d *deciders) source(kind, namespace, name string, by via) {
	o := d.named[ref{kind, namespace, name}]
	known := o != nil || d.exists || kind == gitRepository && name == bootstrap
	if !d.add(Decider{Kind: kind, Namespace: namespace, Name: name, Exists: known}, by) || o == nil || kind != gitRepository {
		return
	}
	for _, item := range items(field(o.JSON(), "spec", "include")) {
		included := text(field(item, "repository", "name"))
		if included == "" {
			continue
		}
		how := via{through: "which " + gitRepository + " " + qualified(namespace, name) + " includes"}
		if folder := cmp.Or(text(field(item, "toPath")), included); !overlap(folder, d.path) {
			how.assumes = "assumes that what is applied uses the folder " + folder
		}
		d.source(gitRepository, namespace, included, how)
	}
}

// overlap reports whether one of two folders contains the other.
func overlap(a, b string) bool {
	a, b = path.Join("/", a)+"/", path.Join("/", b)+"/"
	return a == "//" || b == "//" || strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// chart adds a HelmChart, and the source of the chart. Source-controller takes the contents of a GitRepository or Bucket from its storage, and
// the index of a HelmRepository too, so their status decides nothing.
//
// Source: source-controller (HelmChartReconciler.buildFromHelmRepository, buildFromTarballArtifact).
func (d *deciders) chart(namespace, name string, by via) {
	o := d.named[ref{helmChart, namespace, name}]
	if !d.add(Decider{Kind: helmChart, Namespace: namespace, Name: name, Exists: o != nil}, by) || o == nil {
		return
	}
	if r := reference(field(o.JSON(), "spec", "sourceRef")); r.name != "" {
		d.path = text(field(o.JSON(), "spec", "chart"))
		d.source(r.kind, namespace, r.name, via{through: "from which " + helmChart + " " + qualified(namespace, name) + " is built"})
	}
}

// release adds who decides the chart of a HelmRelease. Without a reference, helm-controller makes a HelmChart beside the source, and corrects
// its spec before it reads the status.
//
// Source: helm-controller (HelmChartTemplate.Reconcile, HelmRelease.GetHelmChartName).
func (d *deciders) release(o *objects.Object) {
	spec := field(o.JSON(), "spec")
	if chart := reference(field(spec, "chartRef")); chart.name != "" {
		d.referenced(chart, o.Namespace)
		return
	}
	r := reference(field(spec, "chart", "spec", "sourceRef"))
	namespace, ok := r.target(o.Namespace, d.isolated)
	if !ok {
		return
	}
	d.path = text(field(spec, "chart", "spec", "chart"))
	d.source(r.kind, namespace, r.name, via{})
	if o.Namespace != "" {
		d.add(Decider{Kind: helmChart, Namespace: namespace, Name: o.Namespace + "-" + o.Name, Part: Status, Exists: true}, via{})
	}
}

// referenced adds who decides the artifact that a Kustomization or HelmRelease references.
func (d *deciders) referenced(r ref, from string) {
	if namespace, ok := r.target(from, d.isolated); ok {
		d.artifact(r.kind, namespace, r.name, via{})
	}
}

// generators adds who decides an ExternalArtifact, apart from its status: its spec does not set the contents. Any ArtifactGenerator of
// its namespace can make it, also one that another made, and takes the contents from the sources of its choice.
//
// Source: source-watcher (reconcileExternalArtifact).
func (d *deciders) generators(namespace, name string) {
	artifact := externalArtifact + " " + qualified(namespace, name)
	by := via{through: "which can make " + artifact}
	if !d.add(Decider{Kind: artifactGenerator, Namespace: namespace}, by) {
		return
	}
	for _, o := range d.generating[namespace] {
		d.add(Decider{Kind: artifactGenerator, Namespace: namespace, Name: o.Name, Exists: true}, by)
		if !makes(o, name) {
			continue
		}
		how := via{through: "of which " + artifactGenerator + " " + qualified(namespace, o.Name) + " makes " + artifact}
		for _, item := range items(field(o.JSON(), "spec", "sources")) {
			r := reference(item)
			if from, ok := r.target(namespace, d.generatorsIsolated); ok {
				d.artifact(r.kind, from, r.name, how)
			}
		}
	}
}

// makes reports whether a generator makes an artifact. With a pattern of paths, a name can have placeholders.
func makes(generator *objects.Object, name string) bool {
	for _, item := range items(field(generator.JSON(), "spec", "artifacts")) {
		if written := text(field(item, "name")); written == name || strings.Contains(written, "{") {
			return true
		}
	}
	return false
}

// index finds objects of Flux: those of source-controller by kind, namespace, and name, and ArtifactGenerators by namespace.
type index struct {
	objects    []*objects.Object
	named      map[ref]*objects.Object
	generating map[string][]*objects.Object
}

func indexOf(objs []*objects.Object) index {
	x := index{objs, map[ref]*objects.Object{}, map[string][]*objects.Object{}}
	for _, o := range objs {
		switch {
		case o.Group == sourceGroup:
			x.named[ref{o.Kind, o.Namespace, o.Name}] = o
		case o.Group == extensionGroup && o.Kind == artifactGenerator:
			x.generating[o.Namespace] = append(x.generating[o.Namespace], o)
		}
	}
	return x
}

// field returns the value at keys, nil if there is none.
func field(value any, keys ...string) any {
	for _, key := range keys {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	return value
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

func items(value any) []any {
	list, _ := value.([]any)
	return list
}
