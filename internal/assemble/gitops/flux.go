package gitops

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/envsubst"
	"github.com/salint/salint/internal/kube/objects"
)

// annotationForce sets for one object what spec.force sets for all.
const annotationForce = "kustomize.toolkit.fluxcd.io/force"

// kustomization reads a Kustomization of Flux.
func (r *reader) kustomization(o *objects.Object) {
	v := viewOf(o)
	spec := v.get("spec")
	a := r.fluxApplication(FluxKustomize, v, o)
	a.Force, a.Prune = spec.get("force").bool(), spec.get("prune").bool()
	a.Target = spec.get("targetNamespace").text()
	s := Source{Location: spec.get("sourceRef").at(), Path: spec.get("path").text()}
	repository := r.fluxRepository(o, &s, spec.get("sourceRef"))
	s.Kustomize = fluxKustomize(spec)
	r.locateFlux(a, &s)
	r.readIgnores(a, &s, repository)
	if s.Here() {
		s.Kind = Collected
		if !r.files.known() {
			s.Kind = ""
		} else if r.files.kustomizationIn(s.Path.Value) != "" {
			s.Kind = Kustomize
		}
	}
	if provider := spec.get("decryption", "provider"); provider.there() {
		a.addNotChecked(provider.at(), "values encrypted with %s are not read", provider.string())
	}
	a.Sources = []Source{s}
	a.Variables = r.variables(a, o, spec.get("postBuild"))
	a.notFilledIn(a.Name, a.Target, s.Kustomize.NamePrefix, s.Kustomize.NameSuffix)
}

// fluxApplication reads the common fields of Kustomizations and HelmReleases, and adds the application to the result.
func (r *reader) fluxApplication(tool Tool, v view, o *objects.Object) *Application {
	spec := v.get("spec")
	a := &Application{
		Tool: tool, Object: o,
		Name: v.get("metadata", "name").text(), Namespace: v.get("metadata", "namespace").text(),
		Account: spec.get("serviceAccountName").text(), Suspended: spec.get("suspend").bool(),
		Wave: v.annotation(annotationWave), ServerSide: Field[bool]{Value: tool == FluxKustomize, Location: spec.at()},
	}
	if config := spec.get("kubeConfig"); config.there() {
		a.Cluster = Field[string]{"the cluster of a kubeConfig", config.at()}
	}
	for _, item := range spec.get("dependsOn").items() {
		needs := Dependency{item.get("namespace").text(), item.get("name").text(), item.get("readyExpr").text()}
		if needs.Namespace.Value == "" {
			needs.Namespace.Value = o.Namespace
		}
		a.DependsOn = append(a.DependsOn, needs)
	}
	r.result.Applications = append(r.result.Applications, a)
	return a
}

// fluxRepository determines whether the repository of a sourceRef is this one, and returns its spec if that is known.
func (r *reader) fluxRepository(from *objects.Object, s *Source, reference view) (spec view) {
	kind, name := reference.get("kind").string(), reference.get("name").string()
	s.Repository = Repository{URL: reference.get("name").text(), Is: OtherRepository}
	namespace := cmp.Or(reference.get("namespace").string(), from.Namespace)
	s.Reference = kind + "/" + namespace + "/" + name
	source, tied := r.find(from, objectName{sourceGroup, kind, name}, namespace)
	if kind != kindGitRepository {
		if source != nil {
			s.Repository.URL = viewOf(source).get("spec", "url").text()
		}
		s.Repository.Why = "its source is a " + shown(kind) + ", not a git repository"
		return spec
	}
	if source != nil {
		spec = viewOf(source).get("spec")
		s.Repository = r.judge.of(spec.get("url").text())
		s.Revision, s.Pinned = fluxRevision(spec.get("ref"))
	}
	switch {
	case name == bootstrap:
		s.Repository.Is, s.Repository.Why = Here, "it is the repository that Flux was bootstrapped from"
	case tied:
		s.Repository.Why = "several GitRepositories have the name " + name
	case source == nil && r.namesFolder(s.Path.Value):
		s.Repository.Is, s.Repository.Why = Assumed, "the folder is in this repository, and the GitRepository "+name+" is not"
	case source == nil:
		s.Repository.Why = "the GitRepository " + shown(name) + " is not in the repository"
	}
	return spec
}

// namesFolder reports whether a path is an existing folder other than the root.
func (r *reader) namesFolder(name string) bool {
	clean, inside := inRepository(name)
	return inside && clean != "." && r.files.HasFolder(clean)
}

// fluxRevision returns the revision of a GitRepository. It is pinned if it is a commit, a tag, or a range of versions.
func fluxRevision(v view) (revision Field[string], pinned bool) {
	for _, key := range []string{"commit", "name", "semver", "tag", "branch"} {
		if field := v.get(key).text(); field.Value != "" {
			return field, key != "branch" && !strings.HasPrefix(field.Value, "refs/heads/")
		}
	}
	return v.text(), false
}

// locateFlux resolves the path to one of this repository, or records why it cannot.
func (r *reader) locateFlux(a *Application, s *Source) {
	if s.Repository.Is == OtherRepository {
		a.addForeign(s)
		return
	}
	name, inside := inRepository(s.Path.Value)
	switch {
	case filledInLater(s.Path.Value):
		a.addUnknownPath(s.Path)
		build := viewOf(a.Object).get("spec", "postBuild").there()
		r.addUnresolvedOf(a, *s, a.Tool == FluxHelm || build || changesObjects(s.Kustomize))
	case !inside || r.files.known() && !r.files.HasFolder(name):
		a.addMissingFolder(s.Path)
	default:
		s.Path.Value = name
		return
	}
	s.Absent = true
}

func fluxKustomize(v view) Kustomization {
	k := Kustomization{
		NamePrefix: v.get("namePrefix").text(), NameSuffix: v.get("nameSuffix").text(), Namespace: v.get("targetNamespace").text(),
		MetadataLabels:          v.get("commonMetadata", "labels").entries(),
		MetadataAnnotations:     v.get("commonMetadata", "annotations").entries(),
		Components:              v.get("components").texts(),
		IgnoreMissingComponents: v.get("ignoreMissingComponents").bool().Value,
	}
	k.Patches, k.Images = fluxPatches(v), fluxImages(v.get("images"))
	return k
}

// fluxPatches reads patches in the current form, and in the two older forms, which contain YAML instead of a string.
func fluxPatches(v view) []Patch {
	var all []Patch
	for _, item := range v.get("patchesStrategicMerge").items() { // kustomize applies them first
		all = append(all, Patch{Patch: written(item), Location: item.at()})
	}
	if current := patches(v.get("patches")); current != nil {
		all = append(slices.Grow(all, 1), current...)
	}
	for _, item := range v.get("patchesJson6902").items() {
		target, _ := item.get("target").value.(map[string]any)
		all = append(all, Patch{Patch: written(item.get("patch")), Target: target, Location: item.at()})
	}
	return all
}

func fluxImages(v view) []Image {
	var images []Image
	for _, item := range v.items() {
		images = append(images, Image{
			Name: item.get("name").string(), NewName: item.get("newName").string(),
			NewTag: item.get("newTag").string(), Digest: item.get("digest").string(), Location: item.at(),
		})
	}
	return images
}

// Variables are the variables that Flux substitutes after a build.
type Variables struct {
	// Known are the known values. Those in the object itself take precedence over those of ConfigMaps.
	Known map[string]string
	// Open is set if there are further variables outside the repository; Where is the first location that references them.
	Open  bool
	Where Location
}

// Fill substitutes the variables of a built object. unknown are the names that may have a value outside the repository; the
// fields that use them are unknown. A nil receiver changes nothing.
func (v *Variables) Fill(object map[string]any) (filled map[string]any, unknown []string, err error) {
	if v == nil {
		return object, nil, nil
	}
	filled, undefined, err := envsubst.Object(object, v.Known)
	if !v.Open {
		undefined = nil
	}
	return filled, undefined, err
}

// FillsWords reports whether all variables of an object are known, and substituting them cannot fail.
func (v *Variables) FillsWords(object map[string]any) bool {
	return envsubst.IsWords(object, v.Known)
}

// variables reads the variables. As in Flux, it is nil if there is none, unless the strategy requires substitution.
func (r *reader) variables(a *Application, o *objects.Object, v view) *Variables {
	found := &Variables{Known: map[string]string{}}
	for _, item := range v.get("substituteFrom").items() {
		data, reason := r.configMap(o, item)
		if reason != "" {
			if !found.Open {
				found.Open, found.Where = true, item.at()
			}
			a.addNotChecked(item.at(), "the variables of %s are unknown: %s", referenceName(item), reason)
		}
		for _, entry := range data.entries() {
			found.Known[entry.Key] = entry.Value.Value
		}
	}
	for _, entry := range v.get("substitute").entries() {
		found.Known[entry.Key] = entry.Value.Value
	}
	if len(found.Known) == 0 && !found.Open && v.get("substituteStrategy").string() != "Always" {
		return nil
	}
	return found
}

// referenceName describes the object of a reference in messages.
func referenceName(reference view) string {
	return shown(reference.get("kind").string()) + " " + shown(reference.get("name").string())
}

// configMap returns the data of the referenced ConfigMap in the namespace of an object. reason is why it is unknown; an
// optional ConfigMap that does not exist has neither data nor reason.
func (r *reader) configMap(from *objects.Object, reference view) (data view, reason string) {
	name := reference.get("name").string()
	if reference.get("kind").string() != kindConfigMap {
		return view{}, "Secrets are not read"
	}
	found, tied := r.find(from, objectName{"", kindConfigMap, name}, "")
	switch {
	case tied:
		return view{}, "several ConfigMaps have this name"
	case filledInLater(name):
		return view{}, "its name " + hasVariable
	case found == nil && reference.get("optional").bool().Value:
		return view{}, "it is not in the repository, but can be in the cluster"
	case found == nil:
		return view{}, "it is not in the repository"
	}
	data = viewOf(found).get("data")
	if slices.ContainsFunc(data.entries(), func(e Entry) bool { return strings.Contains(e.Value.Value, "${") }) {
		return view{}, "its own data may contain variables"
	}
	return data, ""
}
