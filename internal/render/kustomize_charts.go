package render

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects/plugins"
	"github.com/salint/salint/internal/kube/rendered"
)

// chartMark is the annotation that records which object of a chart an object of a build was. Kustomize keeps annotations with
// this prefix when a patch replaces the others.
const chartMark = "internal.config.kubernetes.io/salint-chart"

// testHook is the kind of hooks that `helm template --skip-tests` leaves out.
const testHook = "test"

// charts replaces `helmCharts` by the objects that the charts render. Kustomize's own generator runs the program helm. The objects
// are listed as a resource, because kustomize adds those of generators and of resources before it changes any.
func (c *checker) charts() error {
	if list, ok := c.fields["helmChartInflationGenerator"].([]any); ok && len(list) > 0 {
		for i := range list {
			if err := c.leave("helmChartInflationGenerator", i, "", "helmChartInflationGenerator runs the program helm, "+
				"and salint runs no programs: use helmCharts"); err != nil {
				return err
			}
		}
		delete(c.fields, "helmChartInflationGenerator")
	}
	if namespace, _ := c.fields["namespace"].(string); namespace != "" {
		c.build.namespaces.set = true
	}
	dir := path.Dir(c.file.Path)
	entries := append(chartEntries(c.fields), c.generated...)
	delete(c.fields, "helmCharts")
	for i, entry := range entries {
		c.changed = true
		text, err := c.build.inflate(c, entry)
		if err != nil {
			target := ""
			if chart, local := entry.local(c.build, dir); local {
				target = chart
			}
			if err := c.leave(entry.field, entry.index, target, err.Error()); err != nil {
				return err
			}
			continue
		}
		if len(text) == 0 {
			continue
		}
		name := fmt.Sprintf(".salint-chart-%d.json", i)
		c.build.inflated[path.Join(dir, name)] = text
		resources, _ := c.fields["resources"].([]any)
		c.fields["resources"] = append(resources[:len(resources):len(resources)], name)
	}
	return nil
}

// ChartEntry is an item of `helmCharts`.
type ChartEntry struct {
	// Home is chartHome of helmGlobals.
	Home string `json:"-"`

	Name, Version, Repo, ReleaseName, Namespace, NameTemplate string
	ValuesFile, ValuesMerge, KubeVersion                      string
	ValuesInline                                              map[string]any
	AdditionalValuesFiles, APIVersions                        []string
	IncludeCRDs, SkipHooks, SkipTests                         bool

	// field and index are the entry of the kustomization.
	field   string
	index   int
	invalid error
}

// chartEntries reads `helmCharts` of a kustomization.
func chartEntries(fields map[string]any) []ChartEntry {
	globals, _ := fields["helmGlobals"].(map[string]any)
	home, _ := globals["chartHome"].(string)
	if home == "" {
		home = "charts"
	}
	list, _ := fields["helmCharts"].([]any)
	entries := make([]ChartEntry, len(list))
	for i, item := range list {
		entries[i] = chartEntry(item)
		entries[i].Home, entries[i].field, entries[i].index = home, "helmCharts", i
	}
	return entries
}

func chartEntry(item any) (e ChartEntry) {
	data, err := json.Marshal(item)
	if err == nil {
		err = json.Unmarshal(data, &e)
	}
	e.invalid = err
	return e
}

// ChartGenerator returns the chart of a configuration of kustomize's own generator for charts, which has the fields of an item of
// `helmCharts`.
func ChartGenerator(config plugins.Config) (e ChartEntry, ok bool) {
	if !config.IsChartGenerator() {
		return e, false
	}
	fields, _ := config.Root.Decode().(map[string]any)
	e = chartEntry(fields)
	if e.Home, _ = fields["chartHome"].(string); e.Home == "" {
		e.Home = "charts"
	}
	return e, true
}

// generatedCharts returns the charts of an entry of `generators`, if it is nothing else.
func generatedCharts(configs []plugins.Config, index int) []ChartEntry {
	var entries []ChartEntry
	for _, config := range configs {
		e, ok := ChartGenerator(config)
		if !ok {
			return nil
		}
		e.field, e.index = "generators", index
		entries = append(entries, e)
	}
	return entries
}

// ChartEntries reads `helmCharts` of a kustomization.
func ChartEntries(root *manifest.Node) []ChartEntry {
	fields, _ := root.Decode().(map[string]any)
	return chartEntries(fields)
}

// Chart returns the folder of the chart and the values files in the repository, for a kustomization in a folder. It is not local
// if the chart is not in the repository, and kustomize would fetch it.
func (e ChartEntry) Chart(files Files, dir string) (chart string, values []string, local bool) {
	chart, local = e.local(&kustomizeBuild{files: files}, dir)
	if e.ValuesFile != "" {
		values = append(values, path.Join(dir, e.ValuesFile))
	}
	for _, name := range e.AdditionalValuesFiles {
		values = append(values, path.Join(dir, name))
	}
	return chart, values, local
}

// local returns the folder in which kustomize looks for the chart. The version is part of it only for a chart that it would
// fetch otherwise.
func (e ChartEntry) local(b *kustomizeBuild, dir string) (chart string, local bool) {
	home := path.Join(dir, e.Home)
	if e.Version != "" && e.Repo != "" {
		home = path.Join(home, e.Name+"-"+e.Version)
	}
	chart = path.Join(home, e.Name)
	if e.Name == "" || path.IsAbs(e.Home) || !fs.ValidPath(chart) {
		return "", false
	}
	real, err := Resolve(b.files, chart)
	if err != nil {
		return "", false
	}
	return real, isDir(b.files, real)
}

// inflation is what a chart renders, or why it cannot be rendered.
type inflation struct {
	objects []rendered.Object
	err     error
}

// maxCharts limits the charts of one build.
const maxCharts = 200

// inflate returns the objects of a chart as a JSON list.
func (b *kustomizeBuild) inflate(c *checker, e ChartEntry) ([]byte, error) {
	if e.invalid != nil {
		return nil, fmt.Errorf("helmCharts cannot be read: %w", e.invalid)
	}
	dir := path.Dir(c.file.Path)
	chart, local := e.local(b, dir)
	switch {
	case !local && e.Repo != "":
		return nil, fmt.Errorf("the chart %s of %s is remote and was not checked", e.Name, e.Repo)
	case !local:
		return nil, fmt.Errorf("the chart %s was not checked: it is not in the repository", e.Name)
	}
	key := e.key(c.file.Path)
	made, known := b.charts[key]
	switch {
	case !known && len(b.charts) == maxCharts:
		return nil, fmt.Errorf("the chart %s was not checked: the build has more than %d charts", chart, maxCharts)
	case !known:
		made.objects, made.err = b.chartObjects(e, c.file.Path, chart)
		b.charts[key] = made
	}
	if made.err != nil {
		return nil, fmt.Errorf("the chart %s was not checked: %w", chart, made.err)
	}
	line, _ := c.position(manifest.Path{e.field, strconv.Itoa(e.index)})
	var items []any
	for _, o := range made.objects {
		if e.leavesOut(o) {
			continue
		}
		b.namespaces.add(chart, o)
		mark(o, strconv.Itoa(len(b.fromCharts)))
		o.Origin.File, o.Origin.Line = c.file.Path, line
		o.Origin.Namespace, o.Origin.Name = o.Namespace(), o.Name()
		b.fromCharts = append(b.fromCharts, o.Origin)
		items = append(items, o.JSON)
	}
	if len(items) == 0 {
		return nil, nil
	}
	return json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
}

// key identifies an entry of a kustomization file.
func (e ChartEntry) key(file string) string {
	return fmt.Sprintf("%s %s %d %s", file, e.field, e.index, e.Name)
}

// leavesOut reports whether the options of an entry exclude a hook.
func (e ChartEntry) leavesOut(o rendered.Object) bool {
	return IsHook(o) && (e.SkipHooks || e.SkipTests && slices.Contains([]string{testHook, "test-success"}, o.Annotation(HookAnnotation)))
}

func mark(o rendered.Object, value string) {
	metadata, isMap := o.JSON["metadata"].(map[string]any)
	if !isMap {
		metadata = map[string]any{}
		o.JSON["metadata"] = metadata
	}
	annotations, isMap := metadata["annotations"].(map[string]any)
	if !isMap {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	annotations[chartMark] = value
}
