package process

import (
	"maps"
	"path"
	"slices"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/engine"

	"github.com/salint/salint/internal/render/protocol"
	"github.com/salint/salint/internal/render/templates/mark"
	"github.com/salint/salint/internal/render/templates/source"
)

// maxRounds limits how often a chart is rendered with markers. Each round marks fewer templates.
const maxRounds = 4

// tracer determines the source of each piece of a rendering.
type tracer struct {
	request protocol.Chart
	names   []string // names of the templates, sorted: pieces reference them by index
	texts   map[string]string
	marker  mark.Marker
	pieces  map[string][]protocol.Piece
}

// trace renders the chart again with markers in its templates, and adds the resulting pieces to the templates of the
// result. A template whose text differs with markers is tried with fewer, because other templates can check or count its
// text. If that fails, the template is not traced.
func trace(request protocol.Chart, sources map[string]protocol.Template, result *protocol.Result) {
	defer func() {
		// A panic of a library leaves the templates untraced; rendering without markers has succeeded.
		_ = recover()
	}()
	t := &tracer{request: request, names: slices.Sorted(maps.Keys(sources)), texts: map[string]string{}, pieces: map[string][]protocol.Piece{}}
	for _, name := range t.names {
		f, err := source.Parse(name, sources[name].Source)
		if err != nil {
			f = nil
		}
		t.marker.Files = append(t.marker.Files, f)
		from := sources[name]
		result.Sources = append(result.Sources, protocol.Source{Name: name, File: from.File, Inside: from.Inside, Text: from.Source})
	}
	for _, template := range result.Templates {
		if !template.CRD && !mark.HasMarks(template.Text) {
			t.texts[template.Name] = template.Text
		}
	}
	t.rounds()
	for i := range result.Templates {
		template := &result.Templates[i]
		template.Pieces, template.Traced = t.pieces[template.Name], t.pieces[template.Name] != nil
	}
}

func (t *tracer) rounds() {
	opaque := t.marker.Opaque()
	t.round(func(string) bool { return true }, func(define string) bool { return opaque[define] })
	for range maxRounds - 1 {
		left := len(t.pieces)
		t.round(func(name string) bool { return t.pieces[name] == nil }, func(define string) bool { return define != "" })
		if len(t.pieces) == left || len(t.pieces) == len(t.texts) {
			return
		}
	}
}

// round renders with markers in some templates, and stores the pieces of templates that were not traced yet.
func (t *tracer) round(marks func(name string) bool, skip func(define string) bool) {
	if len(t.pieces) == len(t.texts) {
		return
	}
	t.marker.Pieces = nil
	marked := map[string]string{}
	for i, name := range t.names {
		if t.marker.Files[i] != nil && marks(name) {
			marked[name] = t.marker.Mark(i, skip)
		}
	}
	texts, err := renderAs(t.request, marked)
	if err != nil {
		return
	}
	for name, plain := range t.texts {
		if _, hasMarks := marked[name]; !hasMarks || t.pieces[name] != nil {
			continue
		}
		if pieces, ok := mark.Unmark(texts[name], plain, t.marker.Pieces); ok {
			t.pieces[name] = pieces
		}
	}
}

// renderAs renders a chart with other sources for some of its templates. It loads the chart again, because templates can
// change their values.
func renderAs(request protocol.Chart, other map[string]string) (map[string]string, error) {
	resetRandom()
	loaded, _, err := loadChart(request.Files)
	if err != nil {
		return nil, err
	}
	scope, err := scopeOf(loaded, request, &[]string{})
	if err != nil {
		return nil, err
	}
	replaceSources(loaded, other)
	return engine.Engine{}.Render(loaded, scope)
}

// replaceSources replaces the sources of templates. Charts that are used under several names share their files.
func replaceSources(c *chart.Chart, other map[string]string) {
	templates := make([]*chart.File, len(c.Templates))
	for i, file := range c.Templates {
		templates[i] = file
		if text, ok := other[path.Join(c.ChartFullPath(), file.Name)]; ok {
			templates[i] = &chart.File{Name: file.Name, Data: []byte(text)}
		}
	}
	c.Templates = templates
	for _, sub := range c.Dependencies() {
		replaceSources(sub, other)
	}
}
