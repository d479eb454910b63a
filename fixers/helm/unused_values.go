package helm

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/source"
)

// noteUnused notes the values that nothing but the removed lines reads.
func noteUnused(c *engine.Context, p *engine.Plan, g *reachedExtensions) {
	for _, lines := range g.lines {
		r := g.members[0].rendering
		if sub := strings.Count(lines.Source.Name, "/charts/"); sub > 0 && len(p.Documents) > 0 {
			return // the generated template reads the values of the subchart by other paths
		}
		texts := valueTexts(c, r)
		for _, d := range p.Documents {
			texts = append(texts, d.Text)
		}
		unused := r.reader.Unused(g.members[0].template, lines, texts...)
		if unused = unconditional(c, r, unused); len(unused) > 0 {
			p.AddNote(noLongerReads, r.of.Set.Chart, strings.Join(unused, ", "))
		}
	}
}

// NoteUnusedByPlan notes the values of charts that nothing reads any longer when a plan, and what it needs, is applied.
func NoteUnusedByPlan(c *engine.Context, p *engine.Plan) {
	all := withNeeds(p, nil)
	noted := map[string]bool{}
	for _, a := range p.Applied {
		if a.Object.InFile() || charts.Of(a.Object) == nil {
			continue
		}
		r, t, err := renderingOf(c, a.Unit, a.Object)
		if err != nil || noted[r.of.Set.Chart] {
			continue
		}
		noted[r.of.Set.Chart] = true
		if unused := unusedWithout(c, r, t, all); len(unused) > 0 {
			p.AddNote(noLongerReads, r.of.Set.Chart, strings.Join(unused, ", "))
		}
	}
}

const noLongerReads = "the chart %s no longer reads %s: remove it from the values of the chart"

// withNeeds returns a plan and all that it needs, directly or not.
func withNeeds(p *engine.Plan, found []*engine.Plan) []*engine.Plan {
	if p == nil || slices.Contains(found, p) {
		return found
	}
	found = append(found, p)
	for _, other := range p.Needs {
		found = withNeeds(other, found)
	}
	return found
}

// unusedWithout returns the values that a chart no longer reads after plans. It returns none if a plan writes a template from a
// subchart, which reads the values of the subchart by other paths.
func unusedWithout(c *engine.Context, r *rendering, t render.Template, plans []*engine.Plan) []string {
	texts := valueTexts(c, r)
	var changes []engine.TextChange
	for _, p := range plans {
		changes = append(changes, p.Texts...)
		for _, d := range p.Documents {
			if slices.ContainsFunc(p.Texts, func(change engine.TextChange) bool { return r.of.InDependency(change.File) }) {
				return nil
			}
			texts = append(texts, d.Text)
		}
	}
	for _, change := range changes {
		texts = append(texts, change.New)
	}
	spans := map[string][]manifest.Span{}
	unused := r.reader.UnusedWithout(t, func(s render.Source, offset int) bool {
		if _, known := spans[s.Name]; !known {
			spans[s.Name] = removedSpans(s, changes)
		}
		return slices.ContainsFunc(spans[s.Name], func(span manifest.Span) bool { return span.Start <= offset && offset < span.End })
	}, texts...)
	return unconditional(c, r, unused)
}

// removedSpans returns the parts of a source that changes remove, with what goes with whole documents: the conditions around them, and
// a file without other documents.
func removedSpans(s render.Source, changes []engine.TextChange) []manifest.Span {
	var spans, documents []manifest.Span
	for _, change := range changes {
		switch {
		case s.Inside != "" || change.File != s.File:
		case change.Document:
			documents = append(documents, change.Span)
		default:
			spans = append(spans, change.Span)
		}
	}
	if len(documents) == 0 {
		return spans
	}
	file, err := source.Parse(s.File, s.Text)
	if err != nil {
		return nil
	}
	removed, empty := file.WithoutDocuments(documents)
	if empty && len(spans) == 0 {
		return []manifest.Span{{End: len(s.Text)}}
	}
	return append(spans, removed...)
}

// valueTexts returns the values of a chart that uses them as templates: they may read other values.
func valueTexts(c *engine.Context, r *rendering) []string {
	usesTpl := false
	for _, t := range r.templates {
		for _, s := range t.Sources {
			usesTpl = usesTpl || strings.Contains(s.Text, "tpl ")
		}
	}
	if !usesTpl {
		return nil
	}
	var texts []string
	if data, err := c.Repo.Read(path.Join(r.of.Set.Chart, "values.yaml")); err == nil {
		texts = append(texts, string(data))
	}
	for _, values := range r.of.Set.Values {
		texts = append(texts, string(values.Data))
	}
	return texts
}

// unconditional removes the values that Chart.yaml names as conditions of dependencies.
func unconditional(c *engine.Context, r *rendering, values []string) []string {
	data, err := c.Repo.Read(path.Join(r.of.Set.Chart, "Chart.yaml"))
	if err != nil {
		return nil
	}
	var left []string
	for _, value := range values {
		if !strings.Contains(string(data), value) {
			left = append(left, value)
		}
	}
	return left
}
