package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render/protocol"
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
func ChartGenerator(config objects.PluginConfig) (e ChartEntry, ok bool) {
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
func generatedCharts(configs []objects.PluginConfig, index int) []ChartEntry {
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
	real, err := resolve(b.files, chart)
	if err != nil {
		return "", false
	}
	return real, isDir(b.files, real)
}

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
	built, err := b.chartObjects(e, dir, chart)
	if err != nil {
		return nil, fmt.Errorf("the chart %s was not checked: %w", chart, err)
	}
	line, _ := c.position(manifest.Path{e.field, strconv.Itoa(e.index)})
	var items []any
	for _, o := range built {
		if e.leavesOut(o) {
			continue
		}
		mark(o, strconv.Itoa(len(b.fromCharts)))
		o.Origin.File, o.Origin.Line = c.file.Path, line
		b.fromCharts = append(b.fromCharts, o.Origin)
		items = append(items, o.JSON)
	}
	if len(items) == 0 {
		return nil, nil
	}
	return json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
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

// chartObjects renders the chart of an entry.
func (b *kustomizeBuild) chartObjects(e ChartEntry, dir, chart string) ([]rendered.Object, error) {
	o := ChartOptions{
		Workers: b.workers, ReleaseName: e.ReleaseName, Namespace: e.Namespace, KubeVersion: e.KubeVersion, APIVersions: e.APIVersions,
		nameTemplate: e.NameTemplate, Note: func(note string) { b.notes = append(b.notes, note) },
	}
	if e.NameTemplate != "" && e.ReleaseName != "" {
		return nil, errors.New("helm accepts releaseName or nameTemplate, and not both")
	}
	if err := b.addValues(&o, e, dir, chart); err != nil {
		return nil, err
	}
	templates, err := Templates(b.ctx, b.files, chart, o)
	if err != nil {
		return nil, err
	}
	var all []rendered.Object
	for _, template := range templates {
		if template.CRD && !e.IncludeCRDs {
			continue
		}
		found, err := template.objects(chart)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// addValues adds the values in the order in which kustomize passes them to helm.
func (b *kustomizeBuild) addValues(o *ChartOptions, e ChartEntry, dir, chart string) error {
	add := func(name string) error {
		if path.IsAbs(name) || !fs.ValidPath(name) {
			return &Error{File: name, Message: Outside}
		}
		real, err := resolve(b.files, name)
		if err != nil {
			return err
		}
		data, err := b.files.ReadFile(real)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the values file %s does not exist", name)
		}
		if err != nil {
			return err
		}
		o.Values = append(o.Values, ValuesFile{Name: name, Data: data})
		return nil
	}
	first := path.Join(chart, "values.yaml")
	if e.ValuesFile != "" {
		first = path.Join(dir, e.ValuesFile)
	}
	if len(e.ValuesInline) == 0 || e.ValuesMerge != protocol.MergeReplace {
		if err := add(first); err != nil {
			return err
		}
	}
	if len(e.ValuesInline) > 0 {
		inline, err := json.Marshal(e.ValuesInline)
		if err != nil {
			return err
		}
		o.inline = &protocol.InlineValues{Data: inline, Merge: e.ValuesMerge}
	}
	for _, name := range e.AdditionalValuesFiles {
		if err := add(path.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
