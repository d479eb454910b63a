package process

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/render/protocol"
)

// renderChart renders as `helm template --include-crds` does, in the same order (action.Install of Helm 3), without a
// cluster, so `lookup` finds nothing, and without resolving names. With a trace, draft receives the result without the
// trace first.
func renderChart(request protocol.Chart, draft func(protocol.Result)) protocol.Result {
	loaded, top, err := loadChart(request.Files)
	if err != nil {
		return chartError(err, nil, nil, request)
	}
	origins := locate(loaded, top)
	var notes []string
	scope, err := scopeOf(loaded, request, &notes)
	if err != nil {
		return chartError(err, nil, loaded, request)
	}
	vary := varies(loaded, request)
	sources := sources(loaded, origins)
	recordTests(scope)
	texts, err := engine.Engine{}.Render(loaded, scope)
	if err != nil {
		return chartError(err, sources, loaded, request)
	}
	result := protocol.Result{Templates: slices.Concat(crds(loaded, origins), templates(texts, sources)), Notes: notes, Varies: vary}
	if request.Trace {
		draft(result)
		trace(request, sources, &result)
	}
	if clusters := others(loaded, request); len(clusters) > 0 {
		partly := result
		partly.Notes = append(slices.Clone(notes), "what the chart renders on clusters with another version of Kubernetes or other APIs was not checked, because that exceeds a limit (limits.renderTime or limits.renderMemory)")
		draft(partly)
		result.Elsewhere = elsewhere(clusters, request, texts, sources)
	}
	return result
}

// scopeOf returns the values with which the templates of a chart are rendered.
func scopeOf(loaded *chart.Chart, request protocol.Chart, notes *[]string) (chartutil.Values, error) {
	files, err := withInline(request)
	if err != nil {
		return nil, err
	}
	values, err := mergeValues(files)
	if err != nil {
		return nil, err
	}
	if request.ReleaseName, err = releaseName(request); err != nil {
		return nil, err
	}
	capabilities, err := capabilities(request)
	if err != nil {
		return nil, err
	}
	return prepare(loaded, values, request, capabilities, notes)
}

// loadChart reads a chart, and returns the location of its files.
func loadChart(files []protocol.File) (*chart.Chart, location, error) {
	if len(files) == 1 && files[0].Name == "" {
		c, err := loader.LoadArchive(bytes.NewReader(files[0].Data))
		if err != nil {
			return nil, location{}, err
		}
		return c, location{inside: c.Name()}, nil
	}
	var buffered []*loader.BufferedFile
	for _, file := range files {
		buffered = append(buffered, &loader.BufferedFile{Name: file.Name, Data: file.Data})
	}
	c, err := loader.LoadFiles(buffered)
	return c, location{}, err
}

// prepare resolves dependencies, conditions and values.
func prepare(c *chart.Chart, values map[string]any, request protocol.Chart, capabilities *chartutil.Capabilities, notes *[]string) (chartutil.Values, error) {
	if c.Metadata.Type == "library" {
		return nil, ownError("a library chart cannot be rendered by itself")
	}
	if err := chartutil.ValidateReleaseName(request.ReleaseName); err != nil {
		return nil, fmt.Errorf("release name %q: %w", request.ReleaseName, err)
	}
	names := dependencyNames(c)
	var order []string // as written
	for _, d := range c.Metadata.Dependencies {
		order = append(order, d.Name)
	}
	absent, err := absentAndUndecided(c, values)
	if err != nil {
		return nil, err
	}
	// This leaves only those that the values switch on. One that is switched off renders nothing, so it need not be there.
	if err = chartutil.ProcessDependenciesWithMerge(c, values); err != nil {
		return nil, err
	}
	for _, name := range missingDependencies(c, names) {
		if !slices.Contains(absent, name) {
			absent = append(absent, name)
		}
	}
	if missing := slices.DeleteFunc(order, func(name string) bool { return !slices.Contains(absent, name) }); len(missing) > 0 {
		return nil, ownError("dependencies missing in charts/: " + strings.Join(missing, ", ") + ". Run `helm dependency build` in the chart, and commit the result")
	}
	if wanted := c.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, capabilities.KubeVersion.String()) {
		return nil, ownError(fmt.Sprintf("the chart requires Kubernetes %s, but is rendered for %s", wanted, capabilities.KubeVersion.String()))
	}
	release := chartutil.ReleaseOptions{Name: request.ReleaseName, Namespace: request.Namespace, Revision: 1, IsInstall: true}
	outside := outsideSchemas(c)
	for _, schema := range outside {
		*notes = append(*notes, schema+": the values were not checked against the schema, because it references something outside the chart")
	}
	return chartutil.ToRenderValuesWithSchemaValidation(c, values, release, capabilities, len(outside) > 0)
}

// dependencyNames returns the names of the dependencies, by their aliases if they have some.
func dependencyNames(c *chart.Chart) map[string]string {
	names := map[string]string{}
	for _, d := range c.Metadata.Dependencies {
		names[cmp.Or(d.Alias, d.Name)] = d.Name
	}
	return names
}

// absentAndUndecided returns the dependencies that are not there and that their own values can switch on or off: a condition at a path below the
// name of the dependency, which the chart leaves open before another one decides.
func absentAndUndecided(c *chart.Chart, values map[string]any) ([]string, error) {
	all, err := chartutil.CoalesceValues(c, maps.Clone(values))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, d := range c.Metadata.Dependencies {
		isThere := slices.ContainsFunc(c.Dependencies(), func(there *chart.Chart) bool { return there.Name() == d.Name })
		if !isThere && mayDecideItself(d, all) {
			found = append(found, d.Name)
		}
	}
	return found, nil
}

// mayDecideItself follows processDependencyConditions of Helm: the first path with a boolean decides.
func mayDecideItself(d *chart.Dependency, values chartutil.Values) bool {
	for _, path := range strings.Split(strings.TrimSpace(d.Condition), ",") {
		path = strings.TrimSpace(path)
		value, err := values.PathValue(path)
		if _, isBool := value.(bool); err == nil && isBool {
			return false
		}
		if err != nil && strings.HasPrefix(path, cmp.Or(d.Alias, d.Name)+".") {
			return true
		}
	}
	return false
}

// missingDependencies returns the dependencies that are not there. Once they are processed, charts and dependencies have their aliases as names.
func missingDependencies(c *chart.Chart, names map[string]string) []string {
	var missing []string
	for _, wanted := range c.Metadata.Dependencies {
		if !slices.ContainsFunc(c.Dependencies(), func(d *chart.Chart) bool { return d.Name() == wanted.Name }) {
			missing = append(missing, names[wanted.Name])
		}
	}
	return missing
}

// mergeValues merges like repeated --values: mappings key by key, everything else is replaced by the last.
func mergeValues(files []protocol.File) (map[string]any, error) {
	merged := map[string]any{}
	for _, file := range files {
		values := map[string]any{}
		if err := yaml.Unmarshal(file.Data, &values); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		merged = mergeMaps(merged, values)
	}
	return merged, nil
}

func mergeMaps(low, high map[string]any) map[string]any {
	merged := maps.Clone(low)
	for key, value := range high {
		below, isMap := merged[key].(map[string]any)
		above, alsoMap := value.(map[string]any)
		if isMap && alsoMap {
			merged[key] = mergeMaps(below, above)
			continue
		}
		merged[key] = value
	}
	return merged
}

func capabilities(request protocol.Chart) (*chartutil.Capabilities, error) {
	version, err := chartutil.ParseKubeVersion(request.KubeVersion)
	if err != nil {
		return nil, fmt.Errorf("the Kubernetes version %q cannot be read: %w", request.KubeVersion, err)
	}
	known := chartutil.DefaultCapabilities.Copy()
	known.KubeVersion = *version
	if request.Stable {
		known.APIVersions = slices.DeleteFunc(slices.Clone(known.APIVersions), unstable().MatchString)
	}
	known.APIVersions = slices.Concat(known.APIVersions, request.APIVersions)
	return known, nil
}

// notesFile contains usage notes, and no objects.
const notesFile = "NOTES.txt"

func templates(texts map[string]string, sources map[string]protocol.Template) []protocol.Template {
	var rendered []protocol.Template
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if path.Base(name) == notesFile || strings.TrimSpace(texts[name]) == "" {
			continue
		}
		template := sources[name]
		template.Text = texts[name]
		rendered = append(rendered, template)
	}
	return rendered
}

func crds(c *chart.Chart, origins map[*chart.File]location) []protocol.Template {
	var found []protocol.Template
	for _, crd := range c.CRDObjects() {
		at := origins[crd.File]
		text := string(crd.File.Data)
		found = append(found, protocol.Template{Name: crd.Filename, File: at.file, Inside: at.inside, Source: text, Text: text, CRD: true})
	}
	slices.SortFunc(found, func(a, b protocol.Template) int { return strings.Compare(a.Name, b.Name) })
	return found
}
