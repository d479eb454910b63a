package objects

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// EmbeddedKind defines where objects of a kind hold manifests of other objects, which a controller applies. A step [AnyItem] in
// the path matches every item of a list or mapping.
type EmbeddedKind struct {
	Group, Kind string
	Path        manifest.Path
	// form is what differs from a manifest that is applied as it is.
	form embeddedForm
}

// embeddedForm is what has to be known about the manifests at a path.
type embeddedForm int

const (
	plainForm embeddedForm = iota
	// configurationForm is a manifest in an object template of a ConfigurationPolicy, which can also demand that it is absent.
	configurationForm
	// generatedForm is a manifest whose type and name can be beside it, as in a rule of Kyverno.
	generatedForm
	// chartForm and releaseForm are manifests in the values of a chart, in an Application and a HelmRelease. Only charts that salint cannot
	// render leave them as they are.
	chartForm
	releaseForm
)

// The API groups of the kinds that hold manifests.
const (
	policyGroup    = "policy.open-cluster-management.io"
	workGroup      = "work.open-cluster-management.io"
	addonGroup     = "addon.open-cluster-management.io"
	hiveGroup      = "hive.openshift.io"
	fluxOperator   = "fluxcd.controlplane.io"
	kyvernoGroup   = "kyverno.io"
	crossplane     = "kubernetes.crossplane.io"
	crossplaneV2   = "kubernetes.m.crossplane.io"
	argoGroup      = "argoproj.io"
	helmGroup      = "helm.toolkit.fluxcd.io"
	olmGroup       = "olm.operatorframework.io"
	definitionStep = "objectDefinition"
)

// embeddedKinds are the kinds whose manifests are read. A field that holds manifests somewhere else has another meaning, so no
// path is guessed: docs/embedded.md names for each the source that defines its type.
var embeddedKinds = slices.Concat([]EmbeddedKind{
	{policyGroup, "Policy", manifest.Path{"spec", "policy-templates", AnyItem, definitionStep}, plainForm},
	{policyGroup, "ConfigurationPolicy", manifest.Path{"spec", "object-templates", AnyItem, definitionStep}, configurationForm},
	{workGroup, "ManifestWork", manifest.Path{"spec", "workload", "manifests", AnyItem}, plainForm},
	{workGroup, "ManifestWorkReplicaSet", manifest.Path{"spec", "manifestWorkTemplate", "workload", "manifests", AnyItem}, plainForm},
	{addonGroup, "AddOnTemplate", manifest.Path{"spec", "agentSpec", "workload", "manifests", AnyItem}, plainForm},
	{hiveGroup, "SyncSet", manifest.Path{"spec", "resources", AnyItem}, plainForm},
	{hiveGroup, "SelectorSyncSet", manifest.Path{"spec", "resources", AnyItem}, plainForm},
	{fluxOperator, "ResourceSet", manifest.Path{"spec", "resources", AnyItem}, plainForm},
	{olmGroup, "ClusterObjectSet", manifest.Path{"spec", "phases", AnyItem, "objects", AnyItem, "object"}, plainForm},
	{kyvernoGroup, "ClusterPolicy", manifest.Path{"spec", "rules", AnyItem, "generate", "data"}, generatedForm},
	{kyvernoGroup, "ClusterPolicy", manifest.Path{"spec", "rules", AnyItem, "generate", "foreach", AnyItem, "data"}, generatedForm},
	{kyvernoGroup, "Policy", manifest.Path{"spec", "rules", AnyItem, "generate", "data"}, generatedForm},
	{kyvernoGroup, "Policy", manifest.Path{"spec", "rules", AnyItem, "generate", "foreach", AnyItem, "data"}, generatedForm},
	{crossplane, "Object", manifest.Path{"spec", "forProvider", "manifest"}, plainForm},
	{crossplaneV2, "Object", manifest.Path{"spec", "forProvider", "manifest"}, plainForm},
}, chartValues())

// extraLists are the values under which charts conventionally take further manifests.
var extraLists = []string{"extraDeploy", "extraObjects", "extraManifests", "extraResources"}

// chartValues returns the places in applications of Argo CD and releases of Flux that hold the values of a chart as an object.
func chartValues() []EmbeddedKind {
	var kinds []EmbeddedKind
	for _, app := range []struct {
		kind string
		path manifest.Path
	}{
		{"Application", manifest.Path{"spec"}},
		{"ApplicationSet", manifest.Path{"spec", "template", "spec"}},
	} {
		for _, source := range []manifest.Path{{"source"}, {"sources", AnyItem}} {
			for _, list := range extraLists {
				path := app.path.Join(source...).Join("helm", "valuesObject", list, AnyItem)
				kinds = append(kinds, EmbeddedKind{argoGroup, app.kind, path, chartForm})
			}
		}
	}
	for _, list := range extraLists {
		kinds = append(kinds, EmbeddedKind{helmGroup, "HelmRelease", manifest.Path{"spec", "values", list, AnyItem}, releaseForm})
	}
	return kinds
}

// EmbeddedKinds returns where salint reads manifests inside of other objects. A kind with several such places is listed with each.
func EmbeddedKinds() []EmbeddedKind { return slices.Clone(embeddedKinds) }

// EmbeddingKinds returns the kinds that hold manifests, with a word that each document with such manifests contains. More are kinds
// that the configuration adds.
func EmbeddingKinds(more ...EmbeddedKind) map[string][]string {
	words := map[string][]string{}
	for _, kind := range slices.Concat(embeddedKinds, more) {
		if word := kind.word(); !slices.Contains(words[kind.Kind], word) {
			words[kind.Kind] = append(words[kind.Kind], word)
		}
	}
	return words
}

// word returns the last step of the path that is a field.
func (k EmbeddedKind) word() string {
	for _, step := range slices.Backward(k.Path) {
		if step != AnyItem {
			return step
		}
	}
	return ""
}
