package child

import (
	"maps"
	"path"
	"slices"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/engine"

	"github.com/salint/salint/internal/render/templates/mark"
	"github.com/salint/salint/internal/render/templates/source"
	"github.com/salint/salint/internal/render/wire"
)

// maxRounds is how often a chart is rendered with markers. Each time, fewer templates have some.
const maxRounds = 4

// tracer finds out which source each piece of a rendering came from.
type tracer struct {
	request wire.Chart
	names   []string // of the templates, sorted: pieces refer to them by index
	texts   map[string]string
	marker  mark.Marker
	pieces  map[string][]wire.Piece
}

// trace renders the chart again, with markers in its templates, and adds to the templates of the result the pieces that
// their texts are made of. One whose text is another with markers is tried with fewer: a template whose text is checked or
// counted by another one must not have any. Where nothing helps, it is not known which line wrote what.
func trace(request wire.Chart, sources map[string]wire.Template, result *wire.Result) {
	defer func() {
		// What a library gives up on is not known; the rendering without markers has succeeded.
		_ = recover()
	}()
	t := &tracer{request: request, names: slices.Sorted(maps.Keys(sources)), texts: map[string]string{}, pieces: map[string][]wire.Piece{}}
	for _, name := range t.names {
		f, err := source.Parse(name, sources[name].Source)
		if err != nil {
			f = nil
		}
		t.marker.Files = append(t.marker.Files, f)
		from := sources[name]
		result.Sources = append(result.Sources, wire.Source{Name: name, File: from.File, Inside: from.Inside, Text: from.Source})
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

// round renders with markers in some templates, and keeps what it finds out about those that nothing is known of.
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

// renderAs renders a chart with other sources for some of its templates. Everything is read anew, for templates may change
// the values that they are given.
func renderAs(request wire.Chart, other map[string]string) (map[string]string, error) {
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

// replaceSources gives templates other sources. Charts that are used under several names share their files.
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
