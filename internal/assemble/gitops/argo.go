package gitops

import (
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/objects"
)

// Annotations and options of Argo CD.
const (
	annotationWave    = "argocd.argoproj.io/sync-wave"
	annotationHook    = "argocd.argoproj.io/hook"
	annotationOptions = "argocd.argoproj.io/sync-options"

	optionForce      = "Force=true"
	optionReplace    = "Replace=true"
	optionPruneLast  = "PruneLast=true"
	optionServerSide = "ServerSideApply=true"
	optionNamespace  = "CreateNamespace=true"

	defaultProject = "default"
)

// containsHealth reports whether resource.customizations contains a health check of Applications.
func containsHealth(text string) bool {
	if len(text) > maxData {
		return false
	}
	var customizations map[string]map[string]any
	if yaml.Unmarshal([]byte(text), &customizations) != nil {
		return false
	}
	return customizations["argoproj.io/Application"]["health.lua"] != nil
}

// argoApplication reads an Application, or what an ApplicationSet generates from its template.
func (r *reader) argoApplication(v view, object *objects.Object, instance int) *Application {
	spec := v.get("spec")
	a := &Application{
		Tool: ArgoCD, Object: object, Instance: instance,
		Name: v.get("metadata", "name").text(), Namespace: v.get("metadata", "namespace").text(),
		Target:  spec.get("destination", "namespace").text(),
		Cluster: spec.get("destination", "name").text(),
		Project: spec.get("project").text(),
		Prune:   spec.get("syncPolicy", "automated", "prune").bool(),
		Wave:    v.annotation(annotationWave),
	}
	if server := spec.get("destination", "server").text(); a.Cluster.Value == "" {
		a.Cluster = server
	}
	if a.Project.Value == "" {
		a.Project.Value = defaultProject
	}
	options := spec.get("syncPolicy", "syncOptions")
	a.Force, a.Replace = option(options, optionForce), option(options, optionReplace)
	a.PruneLast = option(options, optionPruneLast).Value
	a.ServerSide, a.CreateNamespace = option(options, optionServerSide), option(options, optionNamespace)
	a.notFilledIn(a.Name, a.Target, a.Project)
	r.argoSources(a, spec)
	r.result.Applications = append(r.result.Applications, a)
	return a
}

// option returns one of the sync options, with its location.
func option(options view, name string) Field[bool] {
	for _, item := range options.items() {
		if item.string() == name {
			return Field[bool]{true, item.at()}
		}
	}
	return Field[bool]{Location: options.at()}
}

// notFilledIn records which of the fields contain variables or tags that are filled in before they are applied.
func (a *Application) notFilledIn(fields ...Field[string]) {
	for _, field := range fields {
		if filledInLater(field.Value) {
			a.addNotChecked(field.Location, "%q %s", field.Value, hasVariable)
		}
	}
}

// argoSources reads the sources. It chooses between the three fields for them as Argo CD does.
func (r *reader) argoSources(a *Application, spec view) {
	sources := spec.get("sources").items()
	switch {
	case spec.get("sourceHydrator").there():
		dry := spec.get("sourceHydrator", "drySource")
		a.addNotChecked(spec.get("sourceHydrator").at(), "Argo CD applies a rendered copy of the source on the branch %q, which is updated when the hydrator has run",
			spec.get("sourceHydrator", "syncSource", "targetBranch").string())
		sources = []view{dry}
	case len(sources) == 0 && spec.get("source").there():
		sources = []view{spec.get("source")}
	case len(sources) == 0:
		a.addNotChecked(spec.at(), "the application has no source")
	}
	refs := map[string]Source{}
	for i, v := range sources {
		v = r.withOverrides(a, v)
		sources[i] = v
		source := r.argoSource(a, v)
		a.Sources = append(a.Sources, source)
		if source.Ref.Value != "" {
			refs["$"+source.Ref.Value] = source
		}
	}
	for i, v := range sources {
		r.argoHelm(a, &a.Sources[i], v.get("helm"), refs)
	}
}

func (r *reader) argoSource(a *Application, v view) Source {
	s := Source{
		Location: v.at(), Repository: r.judge.of(v.get("repoURL").text()), Path: v.get("path").text(),
		Revision: v.get("targetRevision").text(), Ref: v.get("ref").text(),
	}
	s.Pinned = pinned(s.Revision.Value)
	if chart := v.get("chart").text(); chart.Value != "" {
		s.Kind, s.Path, s.Repository.Is = Chart, chart, OtherRepository
		s.Repository.Why = "it is a chart of a Helm repository"
	}
	s.Kustomize = argoKustomize(v.get("kustomize"))
	s.Directory = argoDirectory(v.get("directory"))
	r.locate(a, &s, v)
	return s
}

// locate resolves the path to one of this repository and determines the kind of the source, or records why it cannot.
func (r *reader) locate(a *Application, s *Source, v view) {
	if s.Ref.Value != "" && s.Path.Value == "" {
		s.Kind = Reference
		return
	}
	if s.Repository.Is == OtherRepository {
		a.addForeign(s)
		return
	}
	if filledInLater(s.Path.Value) {
		s.Absent = true
		a.addUnknownPath(s.Path)
		r.addUnresolvedOf(a, *s, r.changes(v) || v.get("plugin").there())
		return
	}
	if s.Path.Value == "" {
		s.Absent = true
		a.addNotChecked(s.Location, "the source has neither a path nor a chart")
		return
	}
	name, inside := inRepository(s.Path.Value)
	if !inside || r.files.known() && !r.files.HasFolder(name) {
		s.Absent = true
		a.addMissingFolder(s.Path)
		return
	}
	s.Path.Value = name
	s.Kind = r.argoKind(a, v, name)
	if s.Kind == Plugin {
		a.addNotChecked(v.get("plugin").at(), "a plugin generates the objects, and salint runs no plugins")
		r.addUnresolvedOf(a, *s, true)
	}
}

// argoKind returns how Argo CD treats a folder: by the settings of the source, otherwise by the files. In a folder with
// both a chart and a kustomization Argo CD finds the kustomization last, and uses that (util/app/discovery).
func (r *reader) argoKind(a *Application, v view, dir string) SourceKind {
	kinds := []struct {
		field string
		kind  SourceKind
	}{{"kustomize", Kustomize}, {"helm", Chart}, {"directory", Directory}, {"plugin", Plugin}}
	var written []SourceKind
	for _, k := range kinds {
		if v.get(k.field).there() {
			written = append(written, k.kind)
		}
	}
	switch {
	case len(written) > 1:
		a.addNotChecked(v.at(), "Argo CD rejects a source with settings of several kinds")
		return ""
	case len(written) == 1:
		return written[0]
	case !r.files.known():
		return ""
	case r.files.kustomizationIn(dir) != "":
		return Kustomize
	case r.files.HasFile(under(dir, "Chart.yaml")):
		return Chart
	}
	return Directory
}

// under returns the path of a file in a folder.
func under(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// shown returns a path or address as messages show it.
func shown(text string) string {
	if text == "" {
		return "(none)"
	}
	return text
}

// pinned reports whether a revision is a commit or a version, and so does not follow a branch.
func pinned(revision string) bool {
	if len(revision) == 40 && strings.Trim(revision, "0123456789abcdefABCDEF") == "" {
		return true
	}
	version := strings.TrimPrefix(revision, "v")
	return strings.Count(version, ".") == 2 && version[0] >= '0' && version[0] <= '9' || strings.HasPrefix(revision, "refs/tags/")
}

func argoDirectory(v view) Filter {
	jsonnet := v.get("jsonnet")
	settings, _ := jsonnet.value.(map[string]any)
	return Filter{
		Recurse: v.get("recurse").bool(), Include: v.get("include").text(), Exclude: v.get("exclude").text(),
		AnyExtension: v.get("disableExtensionFilter").bool(),
		Jsonnet:      Field[bool]{len(settings) > 0, jsonnet.at()},
	}
}

func argoKustomize(v view) Kustomization {
	k := Kustomization{
		NamePrefix: v.get("namePrefix").text(), NameSuffix: v.get("nameSuffix").text(), Namespace: v.get("namespace").text(),
		Labels: v.get("commonLabels").entries(), Annotations: v.get("commonAnnotations").entries(),
		LabelsWithoutSelectors: v.get("labelWithoutSelector").bool().Value,
		LabelsInTemplates:      v.get("labelIncludeTemplates").bool().Value,
		ForceLabels:            v.get("forceCommonLabels").bool().Value,
		ForceAnnotations:       v.get("forceCommonAnnotations").bool().Value,
		Components:             v.get("components").texts(), IgnoreMissingComponents: v.get("ignoreMissingComponents").bool().Value,
		Patches: patches(v.get("patches")),
	}
	for _, image := range v.get("images").texts() {
		k.Images = append(k.Images, parseImage(image))
	}
	for _, item := range v.get("replicas").items() {
		if count, ok := number(item.get("count").value); ok {
			k.Replicas = append(k.Replicas, Replicas{item.get("name").string(), count, item.at()})
		}
	}
	return k
}

// patches reads a list of patches; nil if there is no list.
func patches(v view) []Patch {
	if _, isList := v.value.([]any); !isList {
		return nil
	}
	patches := []Patch{}
	for _, item := range v.items() {
		target, _ := item.get("target").value.(map[string]any)
		options, _ := item.get("options").value.(map[string]any)
		patches = append(patches, Patch{item.get("patch").text(), item.get("path").text(), target, options, item.at()})
	}
	return patches
}

// syncOptions returns the options in an annotation of an object.
func syncOptions(annotation string) []string {
	var options []string
	for item := range strings.SplitSeq(annotation, ",") {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(options, item) {
			options = append(options, item)
		}
	}
	return options
}
