package gitops

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/envsubst"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// AnnotationForce sets for one object what spec.force sets for all.
const AnnotationForce = "kustomize.toolkit.fluxcd.io/force"

// kustomization reads a Kustomization of Flux.
func (r *reader) kustomization(o *objects.Object) {
	v := view.Of(o)
	spec := v.Get("spec")
	a := r.fluxApplication(FluxKustomize, v, o)
	a.Force, a.Prune = spec.Get("force").Bool(), spec.Get("prune").Bool()
	a.Target = spec.Get("targetNamespace").Text()
	s := sources.Source{Location: spec.Get("sourceRef").At(), Path: spec.Get("path").Text()}
	repository := r.fluxRepository(o, &s, spec.Get("sourceRef"))
	s.Kustomize = fluxKustomize(spec)
	r.locateFlux(a, &s)
	r.readIgnores(a, &s, repository)
	s.DropIgnoredComponents()
	if s.Here() {
		s.Kind = sources.Collected
		if !r.files.known() {
			s.Kind = ""
		} else if r.files.kustomizationIn(s.Path.Value) != "" {
			s.Kind = sources.Kustomize
		}
	}
	if provider := spec.Get("decryption", "provider"); provider.There() {
		a.addNotChecked(provider.At(), "values encrypted with %s are not read", provider.String())
	}
	a.Sources = []sources.Source{s}
	a.Variables = r.variables(a, o, spec.Get("postBuild"))
	a.notFilledIn(a.Name, a.Target, s.Kustomize.NamePrefix, s.Kustomize.NameSuffix)
}

// fluxApplication reads the common fields of Kustomizations and HelmReleases, and adds the application to the result.
func (r *reader) fluxApplication(tool Tool, v view.View, o *objects.Object) *Application {
	spec := v.Get("spec")
	a := &Application{
		Tool: tool, Object: o,
		Name: v.Get("metadata", "name").Text(), Namespace: v.Get("metadata", "namespace").Text(),
		Account: spec.Get("serviceAccountName").Text(), Suspended: spec.Get("suspend").Bool(),
		Wave: v.Annotation(AnnotationWave), ServerSide: view.Field[bool]{Value: tool == FluxKustomize, Location: spec.At()},
	}
	if config := spec.Get("kubeConfig"); config.There() {
		a.Cluster = view.Field[string]{Value: "the cluster of a kubeConfig", Location: config.At()}
		a.kubeConfig = kubeConfig(config, a.Namespace.Value)
	}
	for _, item := range spec.Get("dependsOn").Items() {
		needs := Dependency{item.Get("namespace").Text(), item.Get("name").Text(), item.Get("readyExpr").Text()}
		if needs.Namespace.Value == "" {
			needs.Namespace.Value = o.Namespace
		}
		a.DependsOn = append(a.DependsOn, needs)
	}
	if why, is := r.result.notAppliedByParent(o); is {
		a.NotMade = &why
	}
	r.result.Applications = append(r.result.Applications, a)
	return a
}

// fluxRepository determines whether the repository of a sourceRef is this one, and returns its spec if that is known.
func (r *reader) fluxRepository(from *objects.Object, s *sources.Source, reference view.View) (spec view.View) {
	kind, name := reference.Get("kind").String(), reference.Get("name").String()
	s.Repository = sources.Repository{URL: reference.Get("name").Text(), Is: sources.OtherRepository, Dir: r.memberOf(from.File).judge.dir}
	namespace := cmp.Or(reference.Get("namespace").String(), from.Namespace)
	s.Reference = kind + "/" + namespace + "/" + name
	source, tied := r.find(from, objectName{sourceGroup, kind, name}, namespace)
	if kind != kindGitRepository {
		if source != nil {
			s.Repository.URL = view.Of(source).Get("spec", "url").Text()
		}
		s.Repository.Why = "its source is a " + shown(kind) + ", not a git repository"
		return spec
	}
	if source != nil {
		spec = view.Of(source).Get("spec")
		s.Defined, s.Includes = true, spec.Get("include").There()
		s.Repository = r.repositoryOf(spec.Get("url").Text(), from)
		fixed := false
		s.Revision, fixed = fluxRevision(spec.Get("ref"))
		s.OtherRevision = r.isOtherRevision(*s, fixed)
	}
	switch {
	case name == bootstrap:
		s.Repository.Is, s.Repository.Why = sources.Here, "it is the repository that Flux was bootstrapped from"
	case tied:
		s.Repository.Why = "several GitRepositories have the name " + name
	case source == nil && r.namesFolder(s.Repository.Dir, s.Path.Value):
		s.Repository.Is, s.Repository.Why = sources.Assumed, "the folder is in this repository, and the GitRepository "+name+" is not"
	case source == nil:
		s.Repository.Why = "the GitRepository " + shown(name) + " is not in the repository"
	}
	return spec
}

// namesFolder reports whether a path is an existing folder other than the root.
func (r *reader) namesFolder(dir, name string) bool {
	clean, inside := inRepository(dir, name)
	return inside && clean != path.Clean(dir) && r.files.HasFolder(clean)
}

// fluxRevision returns the revision of a GitRepository. It is fixed if it is a commit, a tag, or a range of versions.
func fluxRevision(v view.View) (revision view.Field[string], fixed bool) {
	for _, key := range []string{"commit", "name", "semver", "tag", "branch"} {
		if field := v.Get(key).Text(); field.Value != "" {
			return field, key != "branch" && !strings.HasPrefix(field.Value, "refs/heads/")
		}
	}
	return v.Text(), false
}

// locateFlux resolves the path to one of this repository, or records why it cannot.
func (r *reader) locateFlux(a *Application, s *sources.Source) {
	if s.Repository.Is == sources.OtherRepository {
		a.addForeign(s)
		return
	}
	name, inside := inRepository(s.Repository.Dir, s.Path.Value)
	switch {
	case filledInLater(s.Path.Value):
		a.addUnknownPath(s.Path)
		build := view.Of(a.Object).Get("spec", "postBuild").There()
		r.addUnresolvedOf(a, *s, s.Repository.Dir, a.Tool == FluxHelm || build || changesObjects(s.Kustomize))
	case !inside || r.files.known() && !r.files.HasFolder(name):
		a.addMissingFolder(s.Path)
	default:
		s.Path.Value = name
		r.addOtherRevision(a, *s)
		return
	}
	s.Absent = true
}

func fluxKustomize(v view.View) sources.Kustomization {
	k := sources.Kustomization{
		NamePrefix: v.Get("namePrefix").Text(), NameSuffix: v.Get("nameSuffix").Text(), Namespace: v.Get("targetNamespace").Text(),
		MetadataLabels:          v.Get("commonMetadata", "labels").Entries(),
		MetadataAnnotations:     v.Get("commonMetadata", "annotations").Entries(),
		Components:              v.Get("components").Texts(),
		IgnoreMissingComponents: v.Get("ignoreMissingComponents").Bool().Value,
	}
	k.Patches, k.Images = fluxPatches(v), fluxImages(v.Get("images"))
	return k
}

// fluxPatches reads patches in the current form, and in the two older forms, which contain YAML instead of a string.
func fluxPatches(v view.View) []sources.Patch {
	var all []sources.Patch
	for _, item := range v.Get("patchesStrategicMerge").Items() { // kustomize applies them first
		all = append(all, sources.Patch{Patch: written(item), Location: item.At()})
	}
	if current := patches(v.Get("patches")); current != nil {
		all = append(slices.Grow(all, 1), current...)
	}
	for _, item := range v.Get("patchesJson6902").Items() {
		target, _ := item.Get("target").Value.(map[string]any)
		all = append(all, sources.Patch{Patch: written(item.Get("patch")), Target: target, Location: item.At()})
	}
	return all
}

func fluxImages(v view.View) []sources.Image {
	var images []sources.Image
	for _, item := range v.Items() {
		images = append(images, sources.Image{
			Name: item.Get("name").String(), NewName: item.Get("newName").String(),
			NewTag: item.Get("newTag").String(), Digest: item.Get("digest").String(), Location: item.At(),
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
	Where view.Location
	// Strict is set if Flux fails on a variable that has neither a value nor a default, and MayBeStrict if that depends on its version,
	// which the repository does not show.
	Strict, MayBeStrict bool
}

// Unset returns the variables for which Flux certainly fails: those of a built object without a value and without any operator. All values must be known.
func (v *Variables) Unset(object map[string]any) []string {
	if v == nil || !v.Strict {
		return nil
	}
	return v.withoutValue(object)
}

// MayBeUnset returns these variables if Flux fails for them in version 2.9 and later, and its version is unknown.
func (v *Variables) MayBeUnset(object map[string]any) []string {
	if v == nil || !v.MayBeStrict {
		return nil
	}
	return v.withoutValue(object)
}

func (v *Variables) withoutValue(object map[string]any) []string {
	if v.Open {
		return nil
	}
	_, undefined, err := envsubst.Object(object, v.Known)
	if err != nil {
		return nil
	}
	return undefined
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

// variables reads the variables. As in Flux, it is nil if there is none, unless the strategy requires substitution.
func (r *reader) variables(a *Application, o *objects.Object, v view.View) *Variables {
	found := &Variables{Known: map[string]string{}, Strict: r.strict, MayBeStrict: r.mayBeStrict}
	for _, item := range v.Get("substituteFrom").Items() {
		data, reason := r.configMap(o, item)
		if reason != "" {
			if !found.Open {
				found.Open, found.Where = true, item.At()
			}
			a.addNotChecked(item.At(), "the variables of %s are unknown: %s", referenceName(item), reason)
		}
		for _, entry := range data.Entries() {
			found.Known[entry.Key] = entry.Value.Value
		}
	}
	// A value that is not a text, such as the boolean y, is rejected by the API server: with quotes, it would be this one.
	values, _ := v.Get("substitute").Value.(map[string]any)
	for name, value := range values {
		found.Known[name] = fmt.Sprint(value)
	}
	if len(found.Known) == 0 && !found.Open && v.Get("substituteStrategy").String() != "Always" {
		return nil
	}
	return found
}

// encrypted begins a value that SOPS encrypted.
const encrypted = "ENC[AES256_GCM,"

// referenceName describes the object of a reference in messages.
func referenceName(reference view.View) string {
	return shown(reference.Get("kind").String()) + " " + shown(reference.Get("name").String())
}

// configMap returns the data of the referenced ConfigMap in the namespace of an object. reason is why it is unknown; an
// optional ConfigMap that does not exist has neither data nor reason.
func (r *reader) configMap(from *objects.Object, reference view.View) (data view.View, reason string) {
	name := reference.Get("name").String()
	if reference.Get("kind").String() != kindConfigMap {
		return view.View{}, "Secrets are not read"
	}
	found, tied := r.find(from, objectName{"", kindConfigMap, name}, "")
	switch {
	case tied:
		return view.View{}, "several ConfigMaps have this name"
	case filledInLater(name):
		return view.View{}, "its name " + hasVariable
	case found == nil && reference.Get("optional").Bool().Value:
		return view.View{}, "it is not in the repository, but can be in the cluster"
	case found == nil:
		return view.View{}, "it is not in the repository"
	}
	if why, is := r.result.notAppliedByParent(found); is {
		return view.View{}, why.Message
	}
	data = view.Of(found).Get("data")
	if view.Of(found).Get("sops").There() || slices.ContainsFunc(data.Entries(), func(e view.Entry) bool { return strings.Contains(e.Value.Value, encrypted) }) {
		return view.View{}, "it is encrypted"
	}
	if slices.ContainsFunc(data.Entries(), func(e view.Entry) bool { return strings.Contains(e.Value.Value, "${") }) {
		return view.View{}, "its own data may contain variables"
	}
	return data, ""
}

// kubeConfig names the object with the address of another cluster: two clusters of one controller have two of them.
func kubeConfig(config view.View, namespace string) string {
	for _, kind := range []string{"secretRef", "configMapRef"} {
		if ref := config.Get(kind); ref.There() {
			return strings.Join([]string{kind, namespace, ref.Get("name").String(), ref.Get("key").String()}, " ")
		}
	}
	return ""
}
