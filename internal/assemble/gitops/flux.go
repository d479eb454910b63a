package gitops

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/envsubst"
	"github.com/salint/salint/internal/kube/objects"
)

// annotationForce is where Flux looks on an object for what spec.force says for all.
const annotationForce = "kustomize.toolkit.fluxcd.io/force"

// kustomization reads a Kustomization of Flux.
func (r *reader) kustomization(o *objects.Object) {
	v := viewOf(o)
	spec := v.get("spec")
	a := r.fluxApplication(FluxKustomize, v, o)
	a.Force, a.Prune = spec.get("force").bool(), spec.get("prune").bool()
	a.Target = spec.get("targetNamespace").text()
	s := Source{Place: spec.get("sourceRef").at(), Path: spec.get("path").text()}
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
		a.addNotChecked(provider.at(), "what is encrypted with %s is not read", provider.string())
	}
	a.Sources = []Source{s}
	a.Variables = r.variables(a, o, spec.get("postBuild"))
	a.notFilledIn(a.Name, a.Target, s.Kustomize.NamePrefix, s.Kustomize.NameSuffix)
}

// fluxApplication reads what Kustomizations and HelmReleases have in common, and adds it to the result.
func (r *reader) fluxApplication(tool Tool, v view, o *objects.Object) *Application {
	spec := v.get("spec")
	a := &Application{
		Tool: tool, Object: o,
		Name: v.get("metadata", "name").text(), Namespace: v.get("metadata", "namespace").text(),
		Account: spec.get("serviceAccountName").text(), Suspended: spec.get("suspend").bool(),
		Wave: v.annotation(annotationWave), ServerSide: Field[bool]{Value: tool == FluxKustomize, Place: spec.at()},
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

// fluxRepository judges the repository that a sourceRef leads to, and gives what is known of it.
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
		s.Repository.Why = "its source is of the kind " + shown(kind) + ", and not a git repository"
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
		s.Repository.Why = "several GitRepositories could be meant by " + name
	case source == nil && r.namesFolder(s.Path.Value):
		s.Repository.Is, s.Repository.Why = Assumed, "the folder is here, and the GitRepository "+name+" is not"
	case source == nil:
		s.Repository.Why = "the GitRepository " + shown(name) + " is not in the repository"
	}
	return spec
}

// namesFolder tells whether a path other than the root is one of a folder here.
func (r *reader) namesFolder(name string) bool {
	clean, inside := inRepository(name)
	return inside && clean != "." && r.files.folders[clean]
}

// fluxRevision is what a GitRepository follows; by a commit, a tag or a range of versions it is pinned.
func fluxRevision(v view) (revision Field[string], pinned bool) {
	for _, key := range []string{"commit", "name", "semver", "tag", "branch"} {
		if field := v.get(key).text(); field.Value != "" {
			return field, key != "branch" && !strings.HasPrefix(field.Value, "refs/heads/")
		}
	}
	return v.text(), false
}

// locateFlux turns the path into one of this repository, or says why it is not one.
func (r *reader) locateFlux(a *Application, s *Source) {
	if s.Repository.Is == OtherRepository {
		a.addNotChecked(s.Place, "the source %s of %s was not looked at: %s", shown(s.Path.Value), shown(s.Repository.URL.Value), s.Repository.Why)
		return
	}
	name, inside := inRepository(s.Path.Value)
	switch {
	case filledInLater(s.Path.Value):
		a.addNotChecked(s.Path.Place, "the path %q is filled in later", s.Path.Value)
		build := viewOf(a.Object).get("spec", "postBuild").there()
		r.addUnresolvedOf(a, *s, a.Tool == FluxHelm || build || changesObjects(s.Kustomize))
	case !inside || r.files.known() && !r.files.folders[name]:
		a.addNotChecked(s.Path.Place, "there is no folder %s in the repository", shown(s.Path.Value))
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

// fluxPatches reads patches in the form of today, and the two forms before it, which hold YAML in place of a text.
func fluxPatches(v view) []Patch {
	all := patches(v.get("patches"))
	for _, item := range v.get("patchesStrategicMerge").items() {
		all = append(all, Patch{Patch: written(item), Place: item.at()})
	}
	for _, item := range v.get("patchesJson6902").items() {
		target, _ := item.get("target").value.(map[string]any)
		all = append(all, Patch{Patch: written(item.get("patch")), Target: target, Place: item.at()})
	}
	return all
}

func fluxImages(v view) []Image {
	var images []Image
	for _, item := range v.items() {
		images = append(images, Image{
			Name: item.get("name").string(), NewName: item.get("newName").string(),
			NewTag: item.get("newTag").string(), Digest: item.get("digest").string(), Place: item.at(),
		})
	}
	return images
}

// Variables are what Flux fills in after a build.
type Variables struct {
	// Known are the values that are known; those in the object itself win over those of ConfigMaps.
	Known map[string]string
	// Open tells that there are further ones, which are not in the repository, and Where is the first place that asks for them.
	Open  bool
	Where Place
}

// Fill fills in the variables of a built object. Unknown are the names that may have a value which is not in the
// repository: what the object is made of there is not known. A nil receiver changes nothing.
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

// variables reads what is filled in. As in Flux, nothing is without a variable, unless the strategy asks for it.
func (r *reader) variables(a *Application, o *objects.Object, v view) *Variables {
	found := &Variables{Known: map[string]string{}}
	for _, item := range v.get("substituteFrom").items() {
		data, reason := r.configMap(o, item)
		if reason != "" {
			if !found.Open {
				found.Open, found.Where = true, item.at()
			}
			a.addNotChecked(item.at(), "the variables of %s are not known: %s", referenceName(item), reason)
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

// named is an object that a reference means, for messages.
func referenceName(reference view) string {
	return shown(reference.get("kind").string()) + " " + shown(reference.get("name").string())
}

// configMap gives the data of the ConfigMap that a reference names in the namespace of an object. The reason says why it is
// not known; one that is optional and not there has neither.
func (r *reader) configMap(from *objects.Object, reference view) (data view, reason string) {
	name := reference.get("name").string()
	if reference.get("kind").string() != kindConfigMap {
		return view{}, "what Secrets hold is not read"
	}
	found, tied := r.find(from, objectName{"", kindConfigMap, name}, "")
	switch {
	case tied:
		return view{}, "there are several of this name"
	case filledInLater(name):
		return view{}, "its name is filled in later"
	case found == nil && reference.get("optional").bool().Value:
		return view{}, "it is not in the repository, though it may be in the cluster"
	case found == nil:
		return view{}, "it is not in the repository"
	}
	data = viewOf(found).get("data")
	if slices.ContainsFunc(data.entries(), func(e Entry) bool { return strings.Contains(e.Value.Value, "${") }) {
		return view{}, "its own data may have variables in it"
	}
	return data, ""
}
