package helm

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// CheckOtherNames refuses to remove an account if values in the repository, with which no known set renders its chart, give it another name: what
// uses the account of that name was not looked for. Values are those of files beside the chart, and of commands that render it.
func CheckOtherNames(c *engine.Context, forms []applied.Form) error {
	for _, form := range forms {
		made := charts.Of(form.Object)
		if made == nil {
			continue
		}
		r, t, err := renderingOf(c, form.Unit, form.Object)
		if err != nil {
			return err
		}
		path := manifest.Path{"metadata", "name"}
		rendered := charts.Form(form.Object)
		name, err := r.reader.Scalar(t, rendered.Text(), rendered.At(path))
		if err != nil || !strings.Contains(name.Text, "{{") {
			continue // a name that cannot be read is refused where it matters
		}
		paths := valuesIn(r.sources().dependencies(name.Scope, name.Text))
		if at := otherName(c, made.Rendered.Set.Chart, paths, rendered.Node.Lookup(path).String()); at != "" {
			return engine.Refuse("%s gives %s another name, and what uses the account of that name is not known: list these values in `helm` of "+
				".salint.yaml, or remove the account by hand", at, engine.NameOf(form.Object))
		}
	}
	return nil
}

var valuesPath = lazyregexp.New(`\.Values\.([\w.]+)`)

// valuesIn returns the paths of the values that a text of a template reads.
func valuesIn(text string) [][]string {
	var paths [][]string
	for _, match := range valuesPath().FindAllStringSubmatch(text, -1) {
		paths = append(paths, strings.Split(match[1], "."))
	}
	return paths
}

// nameValues are the values that decide a name.
type nameValues struct {
	name  string
	paths [][]string
	// own are the values of the chart itself.
	own map[string]any
}

// otherName returns the place of values of a chart that decide another name; "" if there is none.
func otherName(c *engine.Context, chart string, paths [][]string, name string) (place string) {
	own, _ := readValues(c, path.Join(chart, "values.yaml"))
	n := nameValues{name, paths, own}
	isRendered := renderedValues(c, chart)
	differs := func(file string) bool {
		values, err := readValues(c, file)
		return !isRendered[file] && (err != nil || n.differ(values))
	}
	for _, file := range c.Lookups.FilesIn(chart) {
		if charts.HasValuesName(file) && differs(file) {
			return file
		}
	}
	for _, run := range c.Lookups.HelmRuns(chart) {
		if slices.ContainsFunc(run.Set, n.flagDiffers) {
			return run.Place
		}
		if i := slices.IndexFunc(run.Files, differs); i >= 0 {
			return fmt.Sprintf("%s, with which %s renders the chart,", run.Files[i], run.Place)
		}
	}
	return ""
}

func readValues(c *engine.Context, file string) (values map[string]any, err error) {
	data, err := c.Repo.Read(file)
	if err != nil {
		return nil, err
	}
	return values, yaml.Unmarshal(data, &values)
}

// renderedValues are the values files with which a unit renders a chart, and its own.
func renderedValues(c *engine.Context, chart string) map[string]bool {
	files := map[string]bool{path.Join(chart, "values.yaml"): true}
	for _, unit := range c.Repo.Units {
		for _, r := range unit.Renderings {
			for _, file := range r.Values {
				files[file] = true
			}
		}
	}
	return files
}

// isOther reports whether a value at a path decides another name than the chart's own value.
func (n nameValues) isOther(p []string, value any) bool {
	own, has := at(n.own, p)
	return value != n.name && !(has && reflect.DeepEqual(own, value))
}

// differ reports whether values decide another name: those of the chart, or those of a mapping for a chart that depends on it.
func (n nameValues) differ(values map[string]any) bool {
	sets := func(values map[string]any) bool {
		return slices.ContainsFunc(n.paths, func(p []string) bool {
			value, is := at(values, p)
			return is && n.isOther(p, value)
		})
	}
	if sets(values) {
		return true
	}
	for _, below := range values {
		if inner, is := below.(map[string]any); is && sets(inner) {
			return true
		}
	}
	return false
}

// at returns the value at a path; that of a part of the path if it is no mapping.
func at(values map[string]any, p []string) (value any, is bool) {
	value = values
	for _, step := range p {
		mapping, isMapping := value.(map[string]any)
		if !isMapping {
			return value, true
		}
		if value, is = mapping[step]; !is {
			return nil, false
		}
	}
	return value, true
}

// flagDiffers reports whether KEY=VALUE,… of a flag decides another name.
func (n nameValues) flagDiffers(set string) bool {
	for item := range strings.SplitSeq(set, ",") {
		key, value, _ := strings.Cut(item, "=")
		for _, p := range n.paths {
			name := strings.Join(p, ".")
			if (key == name || strings.HasSuffix(key, "."+name) || strings.HasPrefix(name, key+".")) && n.isOther(p, value) {
				return true
			}
		}
	}
	return false
}
