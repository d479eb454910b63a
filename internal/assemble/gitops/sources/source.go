package sources

import (
	"fmt"

	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// Kind is how the objects of a source are produced.
type Kind string

// The kinds of sources. It is "" if it depends on files that are unknown.
const (
	// Kustomize builds the kustomization of a folder, Chart renders a chart.
	Kustomize Kind = "kustomize"
	Chart     Kind = "chart"
	// Directory applies the manifests of a folder as they are.
	Directory Kind = "directory"
	// Collected is a folder without a kustomization, for which Flux generates one that lists everything below.
	Collected Kind = "collected"
	// Plugin runs a program.
	Plugin Kind = "plugin"
	// Reference provides files for other sources only.
	Reference Kind = "reference"
)

// Source is something from which an application takes objects.
type Source struct {
	Location view.Location
	// Repository is the repository of the source. Path is the folder in it, from the root, "." for the root itself; for a
	// source outside this repository it is the path as written.
	Repository Repository
	Path       view.Field[string]
	Kind       Kind
	// Absent is set if the folder does not exist, or if its path is filled in later.
	Absent bool
	// Reference is the object of Flux that defines the source: kind/namespace/name.
	Reference string
	// Defined is set if this object is in the repository, and Includes if it adds files of other sources.
	Defined, Includes bool
	// Revision is the branch, tag or commit. OtherRevision is set for a tag, a commit, a range of versions, and a branch that is not
	// checked out: its files are not those of the tree.
	Revision      view.Field[string]
	OtherRevision bool
	// Ref is the name by which other sources reference its files.
	Ref view.Field[string]

	Kustomize Kustomization
	Helm      Helm
	Directory Filter

	fetched Fetched
}

// Here reports whether the objects of the source come from files of this repository, as far as known.
func (s Source) Here() bool {
	return s.Repository.Is != OtherRepository && !s.Absent && !s.OtherRevision && s.Kind != Reference && s.Kind != Plugin
}

// PathInRepository returns the folder from the root of its repository, which can be one of a workspace.
func (s Source) PathInRepository() string {
	if rest, is := Below(s.Repository.Dir, s.Path.Value); is && s.Repository.Dir != "" {
		return rest
	}
	if s.Repository.Dir != "" && s.Path.Value == s.Repository.Dir {
		return "."
	}
	return s.Path.Value
}

// WhyUnread returns why what the source has is not read; "" if it is read, or other problems of the application say it.
func (s Source) WhyUnread() string {
	switch {
	case s.Here() || s.Kind == Reference:
		return ""
	case s.Repository.Is == OtherRepository:
		return s.Repository.Why
	case s.OtherRevision:
		return fmt.Sprintf("its revision is %s, and not what is checked out", s.Revision.Value)
	case s.Kind == Plugin:
		return "a plugin generates the objects, and salint runs no plugins"
	}
	return ""
}

// Kustomization is what an application changes in a kustomization before the build; see [Kustomization.Edit].
type Kustomization struct {
	NamePrefix, NameSuffix, Namespace view.Field[string]
	// Labels and Annotations are added by kustomize. LabelsWithoutSelectors leaves selectors unchanged, LabelsInTemplates
	// includes templates anyway, and Force overwrites existing ones.
	Labels, Annotations                       []view.Entry
	LabelsWithoutSelectors, LabelsInTemplates bool
	ForceLabels, ForceAnnotations             bool
	// LateAnnotations are those of Annotations with variables that are known only during a sync.
	LateAnnotations []view.Entry
	// MetadataLabels and MetadataAnnotations are set by Flux on every object after the build.
	MetadataLabels, MetadataAnnotations []view.Entry
	Images                              []Image
	Replicas                            []Replicas
	// Patches are nil if there is no list; an empty list changes nothing.
	Patches                 []Patch
	Components              []view.Field[string]
	IgnoreMissingComponents bool
	// Version is that of kustomize, for Argo CD.
	Version view.Field[string]
}

// Image replaces an image by another name, tag or digest; empty fields stay.
type Image struct {
	Name, NewName, NewTag, Digest string
	Location                      view.Location
}

// Replicas sets the replicas of the workloads with a name.
type Replicas struct {
	Name     string
	Count    int64
	Location view.Location
}

// Patch is a strategic merge patch or a JSON patch: a string, or a file relative to the folder of the kustomization.
type Patch struct {
	Patch, Path view.Field[string]
	// Target and Options are those of kustomize; nil if there are none.
	Target, Options map[string]any
	Location        view.Location
}

// Helm is how a chart is rendered.
type Helm struct {
	ReleaseName, Namespace view.Field[string]
	// Defaults replace the chart's values.yaml if there are any. Values are merged over it, later ones win, and Parameters
	// over these.
	Defaults, Values []Values
	Parameters       []Parameter
	KubeVersion      view.Field[string]
	APIVersions      []view.Field[string]
	SkipCRDs         view.Field[bool]
	PassCredentials  view.Field[bool]
	// Elsewhere are the values that a release takes from ConfigMaps of the repository, as texts. The chart is in another repository.
	Elsewhere []string
	// PostRenderers change the rendered objects, one after the other.
	PostRenderers []PostRenderer
}

// PostRenderer is an entry of the postRenderers of a HelmRelease.
type PostRenderer struct {
	Kustomize Kustomization
	Location  view.Location
	// Unknown is a field of the entry that salint does not apply, or "".
	Unknown string
}

// Changes reports whether the entry changes the rendered objects.
func (p PostRenderer) Changes() bool { return p.Unknown != "" || p.Kustomize.Changes() }

// Values are values for a chart: a file of the repository, or YAML in an object.
type Values struct {
	// File is relative to the root of the repository; "" for Text.
	File string
	Text string
	// TargetPath is the path at which Flux sets Text as a single value, in Helm's notation or, if Literal, without escapes;
	// "" for values that are merged as a whole.
	TargetPath string
	Literal    bool
	// Inline is set for the values in a HelmRelease itself.
	Inline   bool
	Location view.Location
	// From is the ConfigMap that contains Text, or nil.
	From *objects.Object
}

// Parameter is a single value, as for Helm's --set, --set-string (Text) and --set-file (File, relative to the root).
type Parameter struct {
	Name, Value string
	Text        bool
	File        string
	Location    view.Location
}

// Filter selects the files of a folder that Argo CD applies.
type Filter struct {
	Recurse          view.Field[bool]
	Include, Exclude view.Field[string]
	// AnyExtension includes files with any extension; Jsonnet is set if there are settings for Jsonnet.
	AnyExtension view.Field[bool]
	Jsonnet      view.Field[bool]
}
