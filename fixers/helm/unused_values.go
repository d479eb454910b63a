package helm

import (
	"path"
	"strings"

	"github.com/salint/salint/fixers/engine"
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
			p.AddNote("the chart %s no longer reads %s: remove it from the values of the chart", r.of.Set.Chart, strings.Join(unused, ", "))
		}
	}
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
