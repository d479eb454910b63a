package gitops

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// Annotations and options of Argo CD.
const (
	AnnotationWave    = "argocd.argoproj.io/sync-wave"
	AnnotationHook    = "argocd.argoproj.io/hook"
	AnnotationOptions = "argocd.argoproj.io/sync-options"

	OptionForce      = "Force=true"
	OptionReplace    = "Replace=true"
	OptionPruneLast  = "PruneLast=true"
	OptionConfirm    = "Prune=confirm"
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

// prunes returns whether an automated sync deletes. One that is not enabled does nothing, and another sync has to be told to.
func prunes(automated view.View) view.Field[bool] {
	if enabled := automated.Get("enabled"); enabled.There() && !enabled.Bool().Value {
		return enabled.Bool()
	}
	return automated.Get("prune").Bool()
}

// argoApplication reads an Application, or what an ApplicationSet generates from its template.
func (r *reader) argoApplication(v view.View, object *objects.Object, instance int) *Application {
	spec := v.Get("spec")
	a := &Application{
		Tool: ArgoCD, Object: object, Instance: instance,
		Name: v.Get("metadata", "name").Text(), Namespace: v.Get("metadata", "namespace").Text(),
		Target:  spec.Get("destination", "namespace").Text(),
		Cluster: destination(spec),
		Project: spec.Get("project").Text(),
		Prune:   prunes(spec.Get("syncPolicy", "automated")),
		Wave:    v.Annotation(AnnotationWave),
	}
	if a.Project.Value == "" {
		a.Project.Value = defaultProject
	}
	options := spec.Get("syncPolicy", "syncOptions")
	a.Force, a.Replace = option(options, OptionForce), option(options, OptionReplace)
	a.PruneLast, a.Confirms = option(options, OptionPruneLast).Value, option(options, OptionConfirm).Value
	for _, name := range []string{optionRespectIgnored, optionOutOfSyncOnly} {
		if a.respects == "" && option(options, name).Value {
			a.respects, a.ignored = name, ignoredIn(spec.Get("ignoreDifferences"))
		}
	}
	a.ServerSide, a.CreateNamespace = option(options, optionServerSide), option(options, optionNamespace)
	if a.CreateNamespace.Value {
		a.NamespaceLabels = spec.Get("syncPolicy", "managedNamespaceMetadata", "labels").Entries()
	}
	a.notFilledIn(a.Name, a.Target, a.Project)
	if target := a.Target.Value; target != "" && !filledInLater(target) && len(validation.IsDNS1123Label(target)) > 0 {
		a.addNotChecked(a.Target.Location, "%q cannot be the name of a namespace, so the API server refuses objects without one", target)
	}
	r.argoSources(a, spec)
	if why, is := r.result.notAppliedByParent(object); is {
		a.NotMade = &why
	}
	r.result.Applications = append(r.result.Applications, a)
	return a
}

// destination returns the name or the address of the cluster of an Application.
func destination(spec view.View) view.Field[string] {
	if name := spec.Get("destination", "name").Text(); name.Value != "" {
		return name
	}
	return spec.Get("destination", "server").Text()
}

// option returns one of the sync options, with its location.
func option(options view.View, name string) view.Field[bool] {
	for _, item := range options.Items() {
		if item.String() == name {
			return view.Field[bool]{Value: true, Location: item.At()}
		}
	}
	return view.Field[bool]{Location: options.At()}
}

// notFilledIn records which of the fields contain variables or tags that are filled in before they are applied.
func (a *Application) notFilledIn(fields ...view.Field[string]) {
	for _, field := range fields {
		if filledInLater(field.Value) {
			a.addNotChecked(field.Location, "%q %s", field.Value, hasVariable)
		}
	}
}

// argoSources reads the sources. It chooses between the three fields for them as Argo CD does.
func (r *reader) argoSources(a *Application, spec view.View) {
	written := spec.Get("sources").Items()
	switch {
	case spec.Get("sourceHydrator").There():
		dry := spec.Get("sourceHydrator", "drySource")
		a.addNotChecked(spec.Get("sourceHydrator").At(), "Argo CD applies a rendered copy of the source on the branch %q, which is updated when the hydrator has run",
			spec.Get("sourceHydrator", "syncSource", "targetBranch").String())
		written = []view.View{dry}
	case len(written) == 0 && spec.Get("source").There():
		written = []view.View{spec.Get("source")}
	case len(written) == 0:
		a.addNotChecked(spec.At(), "the application has no source")
	}
	refs := map[string]sources.Source{}
	for i, v := range written {
		v = r.withOverrides(a, v)
		written[i] = v
		source := r.argoSource(a, v)
		a.Sources = append(a.Sources, source)
		if source.Ref.Value != "" {
			refs["$"+source.Ref.Value] = source
		}
	}
	for i, v := range written {
		r.argoHelm(a, &a.Sources[i], v.Get("helm"), refs)
	}
}

func (r *reader) argoSource(a *Application, v view.View) sources.Source {
	s := sources.Source{
		Location: v.At(), Repository: r.repositoryOf(v.Get("repoURL").Text(), a.Object), Path: v.Get("path").Text(),
		Revision: v.Get("targetRevision").Text(), Ref: v.Get("ref").Text(),
	}
	s.OtherRevision = r.isOtherRevision(s, false)
	if chart := v.Get("chart").Text(); chart.Value != "" {
		s.Kind, s.Path, s.Repository.Is = sources.Chart, chart, sources.OtherRepository
		s.Repository.Why = "it is a chart of a Helm repository"
	}
	s.Kustomize = argoKustomize(v.Get("kustomize"))
	if v.Get("kustomize", "commonAnnotationsEnvsubst").Bool().Value {
		expandAnnotations(&s, a)
	}
	s.Directory = argoDirectory(v.Get("directory"))
	r.locate(a, &s, v)
	r.addOtherRevision(a, s)
	return s
}

// locate resolves the path to one of this repository and determines the kind of the source, or records why it cannot.
func (r *reader) locate(a *Application, s *sources.Source, v view.View) {
	if s.Ref.Value != "" && s.Path.Value == "" {
		s.Kind = sources.Reference
		return
	}
	if s.Repository.Is == sources.OtherRepository {
		a.addForeign(s)
		return
	}
	if filledInLater(s.Path.Value) {
		s.Absent = true
		a.addUnknownPath(s.Path)
		r.addUnresolvedOf(a, *s, s.Repository.Dir, r.changes(v) || v.Get("plugin").There())
		return
	}
	if s.Path.Value == "" {
		s.Absent = true
		a.addNotChecked(s.Location, "the source has neither a path nor a chart")
		return
	}
	name, inside := inRepository(s.Repository.Dir, s.Path.Value)
	stops := false
	if inside {
		name, stops = r.files.linkedFolder(name, isSet(v, "kustomize") || isSet(v, "helm"))
	}
	if stops {
		s.Absent = true
		a.addNotChecked(s.Path.Location, "the folder %s is a symbolic link, in which Argo CD finds nothing", shown(s.Path.Value))
		return
	}
	if !inside || r.files.known() && !r.files.HasFolder(name) && !r.files.hasLink(name) {
		s.Absent = true
		a.addMissingFolder(s.Path)
		return
	}
	if link := path.Join(name, "Chart.yaml"); r.files.known() && r.files.tree.Links()[link] != "" {
		s.Absent = true
		a.addNotChecked(s.Path.Location, "the chart in %s was not checked: %s is a symbolic link", shown(name), shown(link))
		return
	}
	s.Path.Value = name
	s.Kind = r.argoKind(a, v, name)
	if s.Kind == sources.Directory && r.files.known() {
		r.addPrograms(a, *s)
	}
	if s.Kind == sources.Plugin {
		a.addNotChecked(v.Get("plugin").At(), "a plugin generates the objects, and salint runs no plugins")
		r.addUnresolvedOf(a, *s, ".", true)
	}
}

// argoKind returns how Argo CD treats a folder: by the settings of the source, otherwise by the files. In a folder with
// both a chart and a kustomization Argo CD finds the kustomization last, and uses that (util/app/discovery).
func (r *reader) argoKind(a *Application, v view.View, dir string) sources.Kind {
	kinds := []struct {
		field string
		kind  sources.Kind
	}{{"kustomize", sources.Kustomize}, {"helm", sources.Chart}, {"directory", sources.Directory}, {"plugin", sources.Plugin}}
	var written []sources.Kind
	for _, k := range kinds {
		if isSet(v, k.field) {
			written = append(written, k.kind)
		}
	}
	switch {
	case len(written) > 1:
		a.addNotChecked(v.At(), "Argo CD rejects a source with settings of several kinds")
		return ""
	case len(written) == 1:
		return written[0]
	case !r.files.known():
		return ""
	case r.files.kustomizationIn(dir) != "":
		return sources.Kustomize
	case r.files.HasFile(under(dir, "Chart.yaml")):
		return sources.Chart
	}
	return sources.Directory
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

func argoDirectory(v view.View) sources.Filter {
	jsonnet := v.Get("jsonnet")
	settings, _ := jsonnet.Value.(map[string]any)
	return sources.Filter{
		Recurse: v.Get("recurse").Bool(), Include: v.Get("include").Text(), Exclude: v.Get("exclude").Text(),
		AnyExtension: v.Get("disableExtensionFilter").Bool(),
		Jsonnet:      view.Field[bool]{Value: len(settings) > 0, Location: jsonnet.At()},
	}
}

func argoKustomize(v view.View) sources.Kustomization {
	k := sources.Kustomization{
		NamePrefix: v.Get("namePrefix").Text(), NameSuffix: v.Get("nameSuffix").Text(), Namespace: v.Get("namespace").Text(),
		Labels: v.Get("commonLabels").Entries(), Annotations: v.Get("commonAnnotations").Entries(),
		LabelsWithoutSelectors: v.Get("labelWithoutSelector").Bool().Value,
		LabelsInTemplates:      v.Get("labelIncludeTemplates").Bool().Value,
		ForceLabels:            v.Get("forceCommonLabels").Bool().Value,
		ForceAnnotations:       v.Get("forceCommonAnnotations").Bool().Value,
		Components:             v.Get("components").Texts(), IgnoreMissingComponents: v.Get("ignoreMissingComponents").Bool().Value,
		Patches: patches(v.Get("patches")), Version: v.Get("version").Text(),
	}
	for _, image := range v.Get("images").Texts() {
		k.Images = append(k.Images, sources.ParseImage(image))
	}
	for _, item := range v.Get("replicas").Items() {
		if count, ok := number(item.Get("count").Value); ok {
			k.Replicas = append(k.Replicas, sources.Replicas{Name: item.Get("name").String(), Count: count, Location: item.At()})
		}
	}
	return k
}

// patches reads a list of patches; nil if there is no list.
func patches(v view.View) []sources.Patch {
	if _, isList := v.Value.([]any); !isList {
		return nil
	}
	patches := []sources.Patch{}
	for _, item := range v.Items() {
		target, _ := item.Get("target").Value.(map[string]any)
		options, _ := item.Get("options").Value.(map[string]any)
		patches = append(patches, sources.Patch{
			Patch: item.Get("patch").Text(), Path: item.Get("path").Text(), Target: target, Options: options, Location: item.At(),
		})
	}
	return patches
}

// ItemsOf returns the items of the list in an annotation, each once.
func ItemsOf(annotation string) []string {
	var items []string
	for item := range strings.SplitSeq(annotation, ",") {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	return items
}

// number returns an integer, written as a number or as a string.
func number(value any) (int64, bool) {
	switch value := value.(type) {
	case int64:
		return value, true
	case float64:
		return int64(value), value == float64(int64(value))
	case string:
		parsed, err := strconv.ParseInt(value, 10, 64)
		return parsed, err == nil
	}
	return 0, false
}
