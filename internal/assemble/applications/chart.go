package applications

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/strvals"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// chart is a chart with the values of an application.
type chart struct {
	set charts.Set
	// defaults replace the values.yaml of the chart; nil keeps it.
	defaults []byte
	// hidden are the files of the chart that Flux does not fetch.
	hidden []string
	// source has the postRenderers that change what the chart renders, and post is their text; "" if there are none.
	source sources.Source
	post   string
}

// chart returns the chart that a source renders. Problems of its values become problems of the set.
func (p *plan) chart(a *gitops.Application, s sources.Source) *chart {
	c := &chart{source: s, post: postRendererText(s), set: charts.Set{
		Chart: s.Path.Value, ReleaseName: s.Helm.ReleaseName.Value, Namespace: s.Helm.Namespace.Value,
		KubeVersion: s.Helm.KubeVersion.Value, Dependencies: render.BuiltByArgoCD, SkipCRDs: s.Helm.SkipCRDs.Value,
	}}
	if a.Tool == gitops.FluxHelm {
		c.set.Dependencies = render.BuiltByFlux
	}
	for _, version := range s.Helm.APIVersions {
		c.set.APIVersions = append(c.set.APIVersions, version.Value)
	}
	for _, v := range append(s.Helm.Defaults[:len(s.Helm.Defaults):len(s.Helm.Defaults)], s.Helm.Values...) {
		if v.File != "" {
			c.set.Files = append(c.set.Files, v.File)
		}
	}
	p.hide(a, c)
	values, err := p.values(s.Helm)
	if err == nil && len(s.Helm.Defaults) > 0 {
		c.defaults, err = p.merged(s.Helm.Defaults)
	}
	if err != nil {
		c.set.Problems = append(c.set.Problems, problemAt(s.Location, fmt.Sprintf("the chart %s was not checked with the values of %s: %v", s.Path.Value, unitName(a), err)))
	}
	c.set.Values, c.set.Applied = values, len(a.NotChecked) == 0 && isDelivered(a, s)
	return c
}

// values returns the values that are merged over those of the chart. If there are single values, all of them become one
// file, because single values are set within the values that are already merged.
func (p *plan) values(h sources.Helm) ([]render.ValuesFile, error) {
	single := len(h.Parameters) > 0
	for _, v := range h.Values {
		single = single || v.TargetPath != ""
	}
	if single {
		data, err := p.mergeAndSet(h)
		return []render.ValuesFile{{Name: "the application's values", Data: data}}, err
	}
	var all []render.ValuesFile
	for _, v := range h.Values {
		data, err := p.read(v)
		if err != nil {
			return nil, err
		}
		name := v.File
		if name == "" {
			name = v.Location.Position().String()
		}
		all = append(all, render.ValuesFile{Name: name, Data: data})
	}
	return all, nil
}

// read returns the text of values.
func (p *plan) read(v sources.Values) ([]byte, error) {
	if v.File == "" {
		return []byte(v.Text), nil
	}
	return p.file(v.File)
}

func (p *plan) file(name string) ([]byte, error) {
	if p.Overlay.Files == nil {
		return nil, fmt.Errorf("%s cannot be read", name)
	}
	return p.Overlay.Files.ReadFile(name)
}

// merged merges whole values files; later ones win.
func (p *plan) merged(all []sources.Values) ([]byte, error) {
	return p.mergeAndSet(sources.Helm{Values: all})
}

// mergeAndSet merges the values and then sets the single ones, as Helm and Flux do.
func (p *plan) mergeAndSet(h sources.Helm) ([]byte, error) {
	if slices.ContainsFunc(h.Values, func(v sources.Values) bool { return v.TargetPath != "" }) {
		values, err := fluxValues(h.Values)
		if err != nil {
			return nil, err
		}
		return json.Marshal(values)
	}
	values := map[string]any{}
	for _, v := range h.Values {
		data, err := p.read(v)
		if err == nil {
			err = mergeText(values, data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Location.Position(), err)
		}
	}
	for _, parameter := range h.Parameters {
		if err := setError(parameter.Name, p.set(values, parameter)); err != nil {
			return nil, fmt.Errorf("%s: %w", parameter.Location.Position(), err)
		}
	}
	return json.Marshal(values)
}

func mergeText(values map[string]any, data []byte) error {
	var more map[string]any
	if err := yaml.Unmarshal(data, &more); err != nil {
		return err
	}
	merge(values, more)
	return nil
}

// merge merges over into values: mappings are merged, everything else is replaced.
func merge(values, over map[string]any) {
	for key, value := range over {
		below, isMap := values[key].(map[string]any)
		more, both := value.(map[string]any)
		if isMap && both {
			merge(below, more)
			continue
		}
		values[key] = value
	}
}

// setError replaces Helm's Go type error by a message: the name of a single value requires a list or a mapping where the
// values have something different.
func setError(name string, err error) error {
	var wrong *runtime.TypeAssertionError
	if err == nil || !errors.As(err, &wrong) && !strings.Contains(err.Error(), "interface conversion") {
		return err
	}
	return fmt.Errorf("the value %q cannot be set by Helm: its name requires a list or a mapping where the values have something different", name)
}

// fluxValues composes the values of a HelmRelease. Those in the release itself are merged before each single value is set, and at the end. Merging
// shares inner mappings, so a single value in a mapping that only the release has is set there, too, and stays.
//
// Source: ChartValuesFromReferences of fluxcd/pkg/chartutil.
func fluxValues(all []sources.Values) (map[string]any, error) {
	inline, result := map[string]any{}, map[string]any{}
	for _, v := range all {
		if v.Inline {
			if err := mergeText(inline, []byte(v.Text)); err != nil {
				return nil, fmt.Errorf("%s: %w", v.Location.Position(), err)
			}
		}
	}
	for _, v := range all {
		var err error
		switch {
		case v.Inline:
			continue
		case v.TargetPath != "":
			result = shared(result, inline)
			err = setError(v.TargetPath, setFlux(result, v))
		default:
			more := map[string]any{}
			err = mergeText(more, []byte(v.Text))
			result = shared(result, more)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Location.Position(), err)
		}
	}
	return shared(result, inline), nil
}

// shared returns a mapping with over merged into values. It shares the inner mappings that only one of the two has.
func shared(values, over map[string]any) map[string]any {
	out := maps.Clone(values)
	for key, value := range over {
		below, isMap := out[key].(map[string]any)
		more, both := value.(map[string]any)
		if isMap && both {
			value = shared(below, more)
		}
		out[key] = value
	}
	return out
}

// literal escapes what has a meaning in a single value of Helm.
var literal = strings.NewReplacer(`\`, `\\`, `,`, `\,`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)

// setFlux sets a single value: as a text if it is literal, or in quotes, which are then removed. Source: ReplacePathValue and
// ReplacePathLiteralValue of fluxcd/pkg/chartutil.
func setFlux(values map[string]any, v sources.Values) error {
	isQuoted := func(quote string) bool { return strings.HasPrefix(v.Text, quote) && strings.HasSuffix(v.Text, quote) }
	switch {
	case v.Literal:
		return strvals.ParseIntoString(v.TargetPath+"="+literal.Replace(v.Text), values)
	case isQuoted("'"), isQuoted(`"`):
		return strvals.ParseIntoString(v.TargetPath+"="+strings.Trim(v.Text, `'"`), values)
	}
	return strvals.ParseInto(v.TargetPath+"="+v.Text, values)
}

// set sets a parameter of Argo CD. Argo CD escapes the commas of its value for Helm.
func (p *plan) set(values map[string]any, parameter sources.Parameter) error {
	if parameter.File != "" {
		data, err := p.file(parameter.File)
		if err != nil {
			return err
		}
		return strvals.ParseIntoFile(parameter.Name+"="+parameter.File, values, func([]rune) (any, error) { return string(data), nil })
	}
	text := parameter.Name + "=" + escapeCommas(parameter.Value)
	if parameter.Text {
		return strvals.ParseIntoString(text, values)
	}
	return strvals.ParseInto(text, values)
}

// escapeCommas escapes a value as Argo CD does (util/helm): commas within braces form a list and stay, and so do escaped
// ones.
func escapeCommas(value string) string {
	if strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}") {
		return value
	}
	var out strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == ',' && (i == 0 || value[i-1] != '\\') {
			out.WriteByte('\\')
		}
		out.WriteByte(value[i])
	}
	return out.String()
}

// render renders the charts of applications. A chart without relevant objects gets an empty unit.
func (p *plan) render() {
	var plain []*chart
	for _, d := range p.planned {
		for i := range d.parts {
			c := d.parts[i].chart
			if c == nil || d.known != nil {
				continue
			}
			c.set.Name = d.name
			if i > 0 {
				c.set.Name += fmt.Sprintf(", source %d", i+1)
			}
			if len(c.overrides()) == 0 && c.post == "" {
				plain = append(plain, c)
				continue
			}
			p.renderAlone(c)
		}
	}
	p.renderAll(plain, p.Charts)
}

// renderAlone renders a chart with files or options that differ from those of others. A patch can select any object of the chart, so
// all of them are kept until it is applied.
func (p *plan) renderAlone(c *chart) {
	options := p.Charts
	if over := c.overrides(); len(over) > 0 {
		options.Files = render.WithEdits(options.Files, over)
	}
	if c.post != "" {
		options.Wanted = nil
		if p.Overlay.Mentions != nil && p.Overlay.Mentions([]byte(c.post)) {
			options.Mentions = nil
		}
	}
	p.renderAll([]*chart{c}, options)
}

// renderAll renders the charts that no earlier round rendered.
func (p *plan) renderAll(all []*chart, options charts.Options) {
	var missing []charts.Set
	var of []*chart
	for _, c := range all {
		if p.charts[c.key()] == nil {
			missing, of = append(missing, c.set), append(of, c)
		}
	}
	if len(missing) == 0 || p.err != nil {
		return
	}
	options.Known = nil // the unit of the application is looked up instead
	units, err := charts.Build(p.ctx, missing, options)
	if err != nil {
		p.err = err
		return
	}
	byName := map[string]*objects.Unit{}
	for _, unit := range units {
		byName[unit.Name] = unit
	}
	for _, c := range of {
		unit := byName[c.set.Name]
		switch {
		case unit == nil:
			unit = p.unrendered(c)
		case c.post != "":
			unit = p.postRender(unit, c.source)
		}
		p.charts[c.key()] = unit
	}
}

// unrendered returns the unit of a chart before rendering, or of one without relevant objects.
func (p *plan) unrendered(c *chart) *objects.Unit {
	return &objects.Unit{Renderings: []objects.Rendering{c.set.Rendering(p.Charts.Files)}}
}

// overrides returns the texts that replace files of the repository, nil for those that are not there.
func (c *chart) overrides() map[string][]byte {
	over := map[string][]byte{}
	for _, file := range c.hidden {
		over[file] = nil
	}
	if c.defaults != nil {
		over[path.Join(c.set.Chart, "values.yaml")] = c.defaults
	}
	return over
}

// key differs for charts that render differently.
func (c *chart) key() string {
	data, err := json.Marshal(struct {
		Set  charts.Set
		Over map[string][]byte
		Post string
	}{c.set, c.overrides(), c.post})
	if err != nil {
		return c.set.Name // strings and byte slices can always be encoded
	}
	return string(data)
}

// postRendererText returns a text that differs for postRenderers with different effects; "" if there are none.
func postRendererText(s sources.Source) string {
	var text strings.Builder
	for _, renderer := range s.Helm.PostRenderers {
		if !renderer.Changes() && renderer.Kustomize.Patches == nil {
			continue
		}
		data, err := renderer.Kustomize.Edit(nil, "", nil)
		if err != nil {
			data = []byte(err.Error())
		}
		fmt.Fprintf(&text, "---\n%s%s", renderer.Unknown, data)
	}
	return text.String()
}
