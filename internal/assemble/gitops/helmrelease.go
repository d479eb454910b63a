package gitops

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/objects"
)

// helmRelease reads a HelmRelease of Flux.
func (r *reader) helmRelease(o *objects.Object) {
	v := viewOf(o)
	spec := v.get("spec")
	a := r.fluxApplication(FluxHelm, v, o)
	a.Target = spec.get("targetNamespace").text()
	if a.Target.Value == "" {
		a.Target = a.Namespace
	}
	a.Replace = spec.get("upgrade", "force").bool()
	a.CreateNamespace = spec.get("install", "createNamespace").bool()
	a.Uninstall = uninstalls(spec.get("upgrade", "remediation"))
	s := r.releaseChart(a, o, spec)
	s.Helm.ReleaseName, s.Helm.Namespace = releaseName(a, spec), a.Target
	s.Helm.SkipCRDs = spec.get("install", "skipCRDs").bool()
	if policy := spec.get("install", "crds").text(); policy.Value == "Skip" {
		s.Helm.SkipCRDs = Field[bool]{true, policy.Location}
	}
	if s.Repository.Is != OtherRepository { // others are not rendered, and most releases are such
		s.Helm.Values = r.releaseValues(a, o, spec)
	}
	s.Kustomize.MetadataLabels = spec.get("commonMetadata", "labels").entries()
	s.Kustomize.MetadataAnnotations = spec.get("commonMetadata", "annotations").entries()
	for _, item := range spec.get("postRenderers").items() {
		s.Helm.PostRenderers = append(s.Helm.PostRenderers, postRenderer(item))
	}
	a.Sources = []Source{s}
	a.notFilledIn(a.Name, a.Target, s.Helm.ReleaseName)
}

// postRenderer reads an entry of postRenderers. Kustomize is the only renderer that Flux has.
func postRenderer(v view) PostRenderer {
	k := v.get("kustomize")
	patches := fluxPatches(k)
	for i := range patches {
		patches[i].Path = Field[string]{} // there are no files: the API server drops the field
	}
	return PostRenderer{
		Kustomize: Kustomization{Patches: patches, Images: fluxImages(k.get("images"))}, Location: v.at(),
		Unknown: cmp.Or(otherField(v, "kustomize"), otherField(k, "patches", "patchesStrategicMerge", "patchesJson6902", "images")),
	}
}

// otherField returns the first field of a mapping that is none of the given ones, or "".
func otherField(v view, known ...string) string {
	fields, _ := v.value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(known, name) {
			return name
		}
	}
	return ""
}

// uninstalls reports whether a failed upgrade uninstalls the release, which deletes its objects.
func uninstalls(remediation view) Field[bool] {
	strategy := remediation.get("strategy").text()
	return Field[bool]{strategy.Value == "uninstall", strategy.Location}
}

// maxRelease is Helm's limit for the length of a release name. Of a longer one Flux keeps keptRelease characters, and adds
// a hash of length releaseHash.
const maxRelease, keptRelease, releaseHash = 53, 40, 12

// releaseName returns the name of the release; Flux shortens one that is too long (helm-controller, release.ShortenName).
func releaseName(a *Application, spec view) Field[string] {
	name := spec.get("releaseName").text()
	target := spec.get("targetNamespace").text()
	switch {
	case name.Value != "":
	case target.Value != "":
		name = Field[string]{target.Value + "-" + a.Name.Value, target.Location}
	default:
		name = a.Name
	}
	if len(name.Value) > maxRelease {
		sum := sha256.Sum256([]byte(name.Value))
		name.Value = name.Value[:keptRelease] + "-" + hex.EncodeToString(sum[:])[:releaseHash]
	}
	return name
}

// releaseChart returns the chart: the one in the release, or that of the referenced HelmChart.
func (r *reader) releaseChart(a *Application, o *objects.Object, spec view) Source {
	chart, from := spec.get("chart", "spec"), o
	if reference := spec.get("chartRef"); reference.there() {
		s := Source{Location: reference.at(), Kind: Chart, Path: reference.get("name").text()}
		s.Repository = Repository{URL: s.Path, Is: OtherRepository, Why: "it references an object other than a " + kindHelmChart + " of the repository"}
		name := objectName{sourceGroup, kindHelmChart, reference.get("name").string()}
		found, _ := r.find(o, name, reference.get("namespace").string())
		if reference.get("kind").string() != kindHelmChart || found == nil {
			a.addNotChecked(s.Location, "the chart of %s was not checked: it is not in the repository", referenceName(reference))
			return s
		}
		chart, from = viewOf(found).get("spec"), found
	}
	s := Source{Location: chart.at(), Kind: Chart, Path: chart.get("chart").text()}
	repository := r.fluxRepository(from, &s, chart.get("sourceRef"))
	r.locateFlux(a, &s)
	r.readIgnores(a, &s, repository)
	s.Helm.Defaults = r.defaults(a, s, chart)
	return s
}

// defaults reads the files that replace the values.yaml of the chart; they are in the chart's repository.
func (r *reader) defaults(a *Application, s Source, chart view) []Values {
	ignoreMissing := chart.get("ignoreMissingValuesFiles").bool().Value
	var values []Values
	for _, file := range chart.get("valuesFiles").texts() {
		if !s.Here() {
			break
		}
		name, inside := inRepository(path.Clean(file.Value))
		missing := r.files.known() && !r.files.HasFile(name)
		switch {
		case inside && !missing:
			values = append(values, Values{File: name, Location: file.Location})
		case !ignoreMissing:
			a.addMissingValues(file)
		}
	}
	return values
}

// releaseValues returns the values of ConfigMaps in order, and then those in the release itself.
func (r *reader) releaseValues(a *Application, o *objects.Object, spec view) []Values {
	var all []Values
	for _, item := range spec.get("valuesFrom").items() {
		data, reason := r.configMap(o, item)
		key := item.get("valuesKey").string()
		if key == "" {
			key = "values.yaml"
		}
		text := data.get(key)
		if reason == "" && text.string() == "" {
			reason = "it has no key " + key
		}
		if reason != "" {
			a.addUnknownValues(item.at(), "the values of %s are unknown: %s", referenceName(item), reason)
			continue
		}
		all = append(all, Values{
			Text: text.string(), TargetPath: item.get("targetPath").string(), Literal: item.get("literal").bool().Value,
			Location: item.at(), From: text.at().Object,
		})
	}
	values := spec.get("values")
	if fields, _ := values.value.(map[string]any); len(fields) > 0 {
		text := written(values)
		all = append(all, Values{Text: text.Value, Location: text.Location})
	}
	return all
}

// written returns a value as YAML.
func written(v view) Field[string] {
	data, err := yaml.Marshal(v.value)
	if err != nil {
		return Field[string]{Location: v.at()}
	}
	return Field[string]{string(data), v.at()}
}
