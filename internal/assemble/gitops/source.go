package gitops

import "github.com/salint/salint/internal/kube/objects"

// SourceKind says how the objects of a source come about.
type SourceKind string

// The kinds of sources. Where it depends on files that nobody knows, it is "".
const (
	// Kustomize builds the kustomization of a folder, Chart renders a chart.
	Kustomize SourceKind = "kustomize"
	Chart     SourceKind = "chart"
	// Directory takes the manifests of a folder as they stand.
	Directory SourceKind = "directory"
	// Collected is a folder without a kustomization, for which Flux makes one that lists everything below.
	Collected SourceKind = "collected"
	// Plugin is left to a program.
	Plugin SourceKind = "plugin"
	// Reference only lends its files to other sources.
	Reference SourceKind = "reference"
)

// Source is something that an application takes objects from.
type Source struct {
	Place Place
	// Repository is where it lies. Path is the folder there, from the root, "." for the root itself; of a source that is
	// not here, as it is written.
	Repository Repository
	Path       Field[string]
	Kind       SourceKind
	// Absent tells that there is no such folder, or that its path is filled in later.
	Absent bool
	// Reference is the object that a source of Flux is taken from: kind/namespace/name.
	Reference string
	// Revision is the branch, tag or commit; Pinned tells that it is a tag or commit, so that files may have changed since.
	Revision Field[string]
	Pinned   bool
	// Ref is the name under which other sources use its files.
	Ref Field[string]

	Kustomize Kustomization
	Helm      Helm
	Directory Filter

	// rules say what Flux does not fetch.
	rules []ignoreRules
}

// Here tells whether the objects of the source come from files of this repository, as far as one can tell.
func (s Source) Here() bool {
	return s.Repository.Is != OtherRepository && !s.Absent && s.Kind != Reference && s.Kind != Plugin
}

// Kustomization is what an application changes about a kustomization before it is built; see [Kustomization.Edit].
type Kustomization struct {
	NamePrefix, NameSuffix, Namespace Field[string]
	// Labels and Annotations are added by kustomize; LabelsWithoutSelectors leaves selectors alone, LabelsInTemplates goes
	// into templates all the same, and Force overwrites those that are there.
	Labels, Annotations                       []Entry
	LabelsWithoutSelectors, LabelsInTemplates bool
	ForceLabels, ForceAnnotations             bool
	// Metadata are labels and annotations that Flux sets on every object after the build.
	MetadataLabels, MetadataAnnotations []Entry
	Images                              []Image
	Replicas                            []Replicas
	// Patches are nil where there is no list of them; an empty list is none that changes anything.
	Patches                 []Patch
	Components              []Field[string]
	IgnoreMissingComponents bool
}

// Image replaces an image by another name, tag or digest; empty fields stay.
type Image struct {
	Name, NewName, NewTag, Digest string
	Place                         Place
}

// Replicas sets how many replicas the workloads of a name have.
type Replicas struct {
	Name  string
	Count int64
	Place Place
}

// Patch is a strategic merge patch or a JSON patch: a text, or a file from the folder of the kustomization.
type Patch struct {
	Patch, Path Field[string]
	// Target and Options are those of kustomize; nil where there are none.
	Target, Options map[string]any
	Place           Place
}

// Helm is how a chart is rendered.
type Helm struct {
	ReleaseName, Namespace Field[string]
	// Defaults stand in for the chart's values.yaml where there are any. Values are merged over it, the later win, and
	// Parameters over these.
	Defaults, Values []Values
	Parameters       []Parameter
	KubeVersion      Field[string]
	APIVersions      []Field[string]
	SkipCRDs         Field[bool]
	PassCredentials  Field[bool]
	// PostRenderers change what was rendered, one after the other.
	PostRenderers []Kustomization
}

// Values are values for a chart: those of a file of the repository, or YAML in an object.
type Values struct {
	// File is from the root of the repository; "" for Text.
	File string
	Text string
	// TargetPath is where Flux puts Text as a single value, in Helm's notation or, if Literal, without its signs; "" for
	// values that are merged as a whole.
	TargetPath string
	Literal    bool
	Place      Place
	// From is the ConfigMap that holds Text, or nil.
	From *objects.Object
}

// Parameter is a single value, as Helm's --set, --set-string (Text) and --set-file (File, from the root) take it.
type Parameter struct {
	Name, Value string
	Text        bool
	File        string
	Place       Place
}

// Filter says which files of a folder Argo CD applies.
type Filter struct {
	Recurse          Field[bool]
	Include, Exclude Field[string]
	// AnyExtension takes files of any name, and Jsonnet tells that there are settings for Jsonnet.
	AnyExtension Field[bool]
	Jsonnet      Field[bool]
}
