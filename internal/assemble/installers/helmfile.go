package installers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
)

// helmfileFields are the fields of a helmfile release with values that are not read.
var helmfileFields = []string{"set", "setString", "setTemplate", "valuesTemplate", "secrets"}

// patchFields are the fields of a helmfile release that change what its chart renders.
var patchFields = []string{"jsonPatches", "strategicMergePatches", "transformers", "postRenderer", "dependencies"}

// localChart is a field with a chart of the repository of a helmfile that cannot be parsed.
var localChart = lazyregexp.New(`(?m)\bchart:[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|((?:\{\{.*?\}\}|[^\s"',}])+))`)

// release is a release of a helmfile.
type release map[string]any

// helmfile is a document of a helmfile.
type helmfile struct {
	Releases     []release          `json:"releases"`
	Templates    map[string]release `json:"templates"`
	HelmDefaults release            `json:"helmDefaults"`
	Hooks        any                `json:"hooks"`
}

// helmfiles returns the documents of a helmfile, and the texts of those that are templates which are no YAML.
func helmfiles(text string) (parsed []helmfile, templates []string) {
	for _, doc := range strings.Split(text, "\n---") {
		var config helmfile
		if yaml.Unmarshal([]byte(doc), &config) != nil {
			templates = append(templates, doc)
			continue
		}
		parsed = append(parsed, config)
	}
	return parsed, templates
}

// chartsIn returns the charts of the repository in a template, with * for the parts that it supplies.
func chartsIn(template string) []string {
	var found []string
	for _, match := range localChart().FindAllStringSubmatch(template, -1) {
		if chart := localPath(cmp.Or(match[1], match[2], match[3]), ""); chart != "" {
			found = append(found, chart)
		}
	}
	return found
}

// localPath returns the path of a chart of the repository, with * for the parts that a template supplies; "" for other charts, and
// for a template of which no part is known.
func localPath(chart, release string) string {
	chart = templatedPattern(chart, release)
	if !strings.HasPrefix(chart, ".") && !strings.HasPrefix(chart, "*") || strings.Trim(chart, "*./") == "" && strings.Contains(chart, "*") {
		return ""
	}
	return chart
}

// helmfileReleases returns the releases of a helmfile with values of local charts.
func helmfileReleases(name, text string) []valuedRelease {
	if !strings.Contains(text, "chart") {
		return nil
	}
	var found []valuedRelease
	parsed, templates := helmfiles(text)
	for _, doc := range templates { // each chart in it may have values
		if !strings.Contains(doc, "values:") && !strings.Contains(doc, "set:") {
			continue
		}
		for _, chart := range chartsIn(doc) {
			found = append(found, valuedRelease{tool: "helmfile", chart: chart, other: "values"})
		}
	}
	for _, config := range parsed {
		inherited := false
		for _, t := range config.Templates {
			inherited = inherited || t.setsValues()
		}
		for _, r := range config.Releases {
			v := r.valued()
			if v.chart == "" {
				continue
			}
			if inherited && r["inherit"] != nil {
				v.other = "inherit"
			}
			found = append(found, v)
		}
	}
	return found
}

func (r release) setsValues() bool {
	return r["values"] != nil || slices.ContainsFunc(helmfileFields, func(field string) bool { return r[field] != nil })
}

func (r release) text(field string) string {
	value, _ := r[field].(string)
	return value
}

// valued returns the values of a release of a local chart; its chart is "" for others, and for those that are not installed.
func (r release) valued() valuedRelease {
	v := valuedRelease{tool: "helmfile", name: r.text("name"), namespace: r.text("namespace")}
	v.chart = localPath(r.text("chart"), v.name)
	if v.chart == "" || r["installed"] == false {
		return valuedRelease{}
	}
	list, isList := r["values"].([]any)
	if r["values"] != nil && !isList {
		v.other = "values"
	}
	for _, item := range list {
		values, isMap := item.(map[string]any)
		if !isMap || hasTemplate(values, "{{") {
			v.other = "values"
			continue
		}
		v.values = append(v.values, values)
	}
	for _, field := range helmfileFields {
		if r[field] != nil {
			v.other = field
		}
	}
	switch {
	case strings.Contains(v.name+v.namespace, "{{"):
		v.name, v.namespace, v.other = "", "", "name"
	case strings.Contains(v.chart, "*") && r.setsValues():
		v.other = cmp.Or(v.other, "chart")
	}
	return v
}

// change returns the field of a release that changes what its chart renders, or "". A hook before the chart is read may write to it.
func (r release) change() string {
	for _, field := range patchFields {
		if r[field] != nil {
			return field
		}
	}
	if preparesCharts(r["hooks"]) {
		return "hooks"
	}
	return ""
}

// preparesCharts reports whether hooks run a program before helmfile reads the chart: it may generate or edit its files.
func preparesCharts(hooks any) bool {
	if hooks == nil {
		return false
	}
	data, err := json.Marshal(hooks)
	return err != nil || strings.Contains(string(data), `"prepare"`)
}

// helmfilePatches returns the local charts of a helmfile's releases with patches.
func helmfilePatches(name, text string) []objects.LeftOut {
	words := append([]string{"hooks"}, patchFields...)
	if !slices.ContainsFunc(words, func(field string) bool { return strings.Contains(text, field) }) {
		return nil
	}
	var found []objects.LeftOut
	parsed, templates := helmfiles(text)
	for _, doc := range templates { // each chart in it may be patched
		at := slices.IndexFunc(words, func(field string) bool { return strings.Contains(doc, field+":") })
		if at < 0 || words[at] == "hooks" && !strings.Contains(doc, "prepare") {
			continue
		}
		for _, chart := range chartsIn(doc) {
			found = append(found, patchedChart(name, text, "", chart, words[at]))
		}
	}
	for _, config := range parsed {
		found = append(found, config.patches(name, text)...)
	}
	return found
}

// patches returns the local charts of the releases with patches of a document.
func (h helmfile) patches(name, text string) []objects.LeftOut {
	inherited := ""
	for _, key := range slices.Sorted(maps.Keys(h.Templates)) {
		inherited = cmp.Or(inherited, h.Templates[key].change())
	}
	all := h.HelmDefaults.change()
	if all == "" && preparesCharts(h.Hooks) {
		all = "hooks"
	}
	var found []objects.LeftOut
	for _, r := range h.Releases {
		field := cmp.Or(r.change(), all)
		if field == "" && r["inherit"] != nil {
			field = inherited
		}
		if chart := localPath(r.text("chart"), r.text("name")); chart != "" && field != "" {
			found = append(found, patchedChart(name, text, r.text("name"), chart, field))
		}
	}
	return found
}

// changeOf says what the fields do that are no patches.
var changeOf = map[string]string{
	"hooks":        "a hook of helmfile that runs before the chart is read can change it, and salint runs no programs",
	"postRenderer": "a postRenderer of helmfile is a program, which salint does not run",
	"dependencies": "dependencies that helmfile adds to a chart are not supported",
}

func patchedChart(name, text, release, chart, field string) objects.LeftOut {
	dir := path.Join(path.Dir(name), chart)
	why := cmp.Or(changeOf[field], "patches of helmfile are not supported")
	return objects.LeftOut{
		Position: lineOf(name, text, release, field+":"), Files: []string{dir},
		Reason: fmt.Sprintf("%s: the chart %s was checked as it renders without them", why, dir),
	}
}
