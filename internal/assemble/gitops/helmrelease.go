package gitops

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
)

// helmRelease reads a HelmRelease of Flux.
func (r *reader) helmRelease(o *objects.Object) {
	v := view.Of(o)
	spec := v.Get("spec")
	a := r.fluxApplication(FluxHelm, v, o)
	a.Target = spec.Get("targetNamespace").Text()
	if a.Target.Value == "" {
		a.Target = a.Namespace
	}
	a.Replace = spec.Get("upgrade", "force").Bool()
	a.CreateNamespace = spec.Get("install", "createNamespace").Bool()
	a.Uninstall = uninstalls(spec.Get("upgrade", "remediation"))
	s := r.releaseChart(a, o, spec)
	s.Helm.ReleaseName, s.Helm.Namespace = releaseName(a, spec), a.Target
	s.Helm.SkipCRDs = spec.Get("install", "skipCRDs").Bool()
	if policy := spec.Get("install", "crds").Text(); policy.Value == "Skip" && !strings.HasPrefix(spec.Get("upgrade", "crds").String(), "Create") {
		s.Helm.SkipCRDs = view.Field[bool]{Value: true, Location: policy.Location}
	}
	if s.Repository.Is != sources.OtherRepository { // others are not rendered, and most releases are such
		s.Helm.Values = r.releaseValues(a, o, spec)
	} else {
		s.Helm.Elsewhere = r.valuesOfConfigMaps(o, spec)
	}
	s.Kustomize.MetadataLabels = spec.Get("commonMetadata", "labels").Entries()
	s.Kustomize.MetadataAnnotations = spec.Get("commonMetadata", "annotations").Entries()
	for _, item := range spec.Get("postRenderers").Items() {
		s.Helm.PostRenderers = append(s.Helm.PostRenderers, postRenderer(item))
	}
	a.Sources = []sources.Source{s}
	a.notFilledIn(a.Name, a.Target, s.Helm.ReleaseName)
}

// postRenderer reads an entry of postRenderers. Kustomize is the only renderer that Flux has.
func postRenderer(v view.View) sources.PostRenderer {
	k := v.Get("kustomize")
	patches := fluxPatches(k)
	for i := range patches {
		patches[i].Path = view.Field[string]{} // there are no files: the API server drops the field
	}
	return sources.PostRenderer{
		Kustomize: sources.Kustomization{Patches: patches, Images: fluxImages(k.Get("images"))}, Location: v.At(),
		Unknown: cmp.Or(otherField(v, "kustomize"), otherField(k, "patches", "patchesStrategicMerge", "patchesJson6902", "images")),
	}
}

// otherField returns the first field of a mapping that is none of the given ones, or "".
func otherField(v view.View, known ...string) string {
	fields, _ := v.Value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(known, name) {
			return name
		}
	}
	return ""
}

// uninstalls reports whether a failed upgrade uninstalls the release, which deletes its objects.
func uninstalls(remediation view.View) view.Field[bool] {
	strategy := remediation.Get("strategy").Text()
	return view.Field[bool]{Value: strategy.Value == "uninstall", Location: strategy.Location}
}

// maxRelease is Helm's limit for the length of a release name. Of a longer one Flux keeps keptRelease characters, and adds
// a hash of length releaseHash.
const maxRelease, keptRelease, releaseHash = 53, 40, 12

// releaseName returns the name of the release; Flux shortens one that is too long (helm-controller, release.ShortenName).
func releaseName(a *Application, spec view.View) view.Field[string] {
	name := spec.Get("releaseName").Text()
	target := spec.Get("targetNamespace").Text()
	switch {
	case name.Value != "":
	case target.Value != "":
		name = view.Field[string]{Value: target.Value + "-" + a.Name.Value, Location: target.Location}
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
func (r *reader) releaseChart(a *Application, o *objects.Object, spec view.View) sources.Source {
	chart, from := spec.Get("chart", "spec"), o
	if reference := spec.Get("chartRef"); reference.There() {
		s := sources.Source{Location: reference.At(), Kind: sources.Chart, Path: reference.Get("name").Text()}
		s.Repository = sources.Repository{URL: s.Path, Is: sources.OtherRepository, Why: "it references an object other than a " + kindHelmChart + " of the repository"}
		s.Reference = reference.Get("kind").String() + "/" + cmp.Or(reference.Get("namespace").String(), o.Namespace) + "/" + s.Path.Value
		name := objectName{sourceGroup, kindHelmChart, reference.Get("name").String()}
		found, _ := r.find(o, name, reference.Get("namespace").String())
		if reference.Get("kind").String() != kindHelmChart || found == nil {
			a.addNotChecked(s.Location, "the chart of %s was not checked: it is not in the repository", referenceName(reference))
			return s
		}
		chart, from = view.Of(found).Get("spec"), found
	}
	s := sources.Source{Location: chart.At(), Kind: sources.Chart, Path: chart.Get("chart").Text()}
	repository := r.fluxRepository(from, &s, chart.Get("sourceRef"))
	r.locateFlux(a, &s)
	r.readIgnores(a, &s, repository)
	s.Helm.Defaults = r.defaults(a, s, chart)
	return s
}

// defaults reads the files that replace the values.yaml of the chart; they are in the chart's repository.
func (r *reader) defaults(a *Application, s sources.Source, chart view.View) []sources.Values {
	ignoreMissing := chart.Get("ignoreMissingValuesFiles").Bool().Value
	var values []sources.Values
	for _, file := range chart.Get("valuesFiles").Texts() {
		if !s.Here() {
			break
		}
		name, inside := inRepository(s.Repository.Dir, path.Clean(file.Value))
		_, ignored := s.Ignored(name)
		missing := ignored || r.files.known() && !r.files.HasFile(name)
		switch {
		case inside && !missing:
			values = append(values, sources.Values{File: name, Location: file.Location})
		case !ignoreMissing && ignored:
			a.addUnknownValues(file.Location, "Flux does not fetch the values file %s", shown(file.Value))
		case !ignoreMissing:
			a.addMissingValues(file)
		}
	}
	return values
}

// valuesOfConfigMaps returns the texts that a release takes from ConfigMaps of the repository: the chart is not rendered.
func (r *reader) valuesOfConfigMaps(o *objects.Object, spec view.View) (texts []string) {
	for _, item := range spec.Get("valuesFrom").Items() {
		if data, reason := r.configMap(o, item); reason == "" {
			texts = append(texts, data.Get(cmp.Or(item.Get("valuesKey").String(), "values.yaml")).String())
		}
	}
	return texts
}

// releaseValues returns the values of ConfigMaps in order, and then those in the release itself.
func (r *reader) releaseValues(a *Application, o *objects.Object, spec view.View) []sources.Values {
	var all []sources.Values
	for _, item := range spec.Get("valuesFrom").Items() {
		data, reason := r.configMap(o, item)
		key := item.Get("valuesKey").String()
		if key == "" {
			key = "values.yaml"
		}
		text := data.Get(key)
		if reason == "" && text.String() == "" {
			reason = "it has no key " + key
		}
		if reason != "" {
			a.addUnknownValues(item.At(), "the values of %s are unknown: %s", referenceName(item), reason)
			continue
		}
		r.addLeftVariables(a, text.String(), item.At(), text.At().Object)
		all = append(all, sources.Values{
			Text: text.String(), TargetPath: item.Get("targetPath").String(), Literal: item.Get("literal").Bool().Value,
			Location: item.At(), From: text.At().Object,
		})
	}
	values := spec.Get("values")
	if fields, _ := values.Value.(map[string]any); len(fields) > 0 {
		text := written(values)
		r.addLeftVariables(a, text.Value, text.Location, o)
		all = append(all, sources.Values{Text: text.Value, Location: text.Location, Inline: true})
	}
	return all
}

// leftVariable matches a variable as it stands in an object of which the others are filled in.
var leftVariable = lazyregexp.New(`\$\{[A-Za-z_]\w*\}`)

// addLeftVariables records a variable in values of an object, if a Kustomization fills in others and leaves this one.
func (r *reader) addLeftVariables(a *Application, values string, at view.Location, of *objects.Object) {
	if of == nil {
		return
	}
	for _, left := range leftVariable().FindAllString(values, -1) {
		if !isEscaped(of.Doc.Bytes(), left) && r.isFilledIn(of) {
			a.addUnknownValues(at, "the values contain the variable %s, whose value is not in the repository", left)
			return
		}
	}
}

// isEscaped reports whether a text has a variable only as $${NAME}, which stands for a literal ${NAME}.
func isEscaped(text []byte, variable string) bool {
	rest := bytes.ReplaceAll(text, []byte("$"+variable), nil)
	return len(rest) < len(text) && !bytes.Contains(rest, []byte(strings.TrimSuffix(variable, "}")))
}

// noSubstitution is the label or annotation that keeps Flux from filling in the variables of an object.
const noSubstitution = kustomizeGroup + "/substitute"

// isFilledIn reports whether a Kustomization fills in the variables of an object, so that those that are left are not known.
func (r *reader) isFilledIn(o *objects.Object) bool {
	metadata := view.Of(o).Get("metadata")
	for _, field := range []string{"labels", "annotations"} {
		if metadata.Get(field).Get(noSubstitution).String() == "disabled" {
			return false
		}
	}
	return slices.ContainsFunc(r.result.units[o], func(u *objects.Unit) bool {
		return slices.ContainsFunc(u.Appliers, func(by objects.Applier) bool {
			return isKind(by.Object, kustomizeGroup, kindKustomization) && view.Of(by.Object).Get("spec", "postBuild").There()
		})
	})
}

// written returns a value as YAML.
func written(v view.View) view.Field[string] {
	data, err := yaml.Marshal(v.Value)
	if err != nil {
		return view.Field[string]{Location: v.At()}
	}
	return view.Field[string]{Value: string(data), Location: v.At()}
}
