package block

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/source"
)

// Unused returns the values that only the lines of an origin use: without the lines, the chart does not use them. Paths
// start at the values of the top chart, even if the lines are in a subchart. texts can contain further templates: the
// values themselves, if the chart uses tpl. The result is empty if a template or text cannot be parsed.
//
// Conditions of dependencies in Chart.yaml also use values; they are not considered.
func (r *Reader) Unused(t render.Template, o Origin, texts ...string) []string {
	return r.UnusedWithout(t, func(s render.Source, offset int) bool {
		return s.Name == o.Source.Name && offset >= o.Span.Start && offset < o.Span.End
	}, texts...)
}

// UnusedWithout is like Unused for all parts of templates for which removed returns true.
func (r *Reader) UnusedWithout(t render.Template, removed func(s render.Source, offset int) bool, texts ...string) []string {
	var here, elsewhere []source.Mention
	for _, s := range t.Sources {
		mentions, ok := r.mentioned(s)
		if !ok {
			return nil
		}
		for _, mention := range mentions {
			if removed(s, mention.Offset) {
				here = append(here, mention)
			} else {
				elsewhere = append(elsewhere, mention)
			}
		}
	}
	for _, text := range texts {
		f, err := source.Parse("values", text)
		if err != nil {
			return nil
		}
		elsewhere = append(elsewhere, f.Mentions(manifest.Span{End: len(text)})...)
	}
	var unused []string
	for _, mention := range here {
		isUsed := slices.ContainsFunc(elsewhere, func(m source.Mention) bool { return m.Keeps(mention.Path) })
		if !isUsed && len(mention.Path) > 0 {
			unused = append(unused, mention.String())
		}
	}
	slices.Sort(unused)
	return slices.Compact(unused)
}

// mentioned returns the values that a source uses, by the paths of the top chart.
func (r *Reader) mentioned(s render.Source) ([]source.Mention, bool) {
	if found, ok := r.mentions[s.Name]; ok {
		return found, true
	}
	f, err := r.file(s)
	if err != nil {
		return nil, false
	}
	prefix := subchart(s.Name)
	found := f.Mentions(manifest.Span{End: len(s.Text)})
	for i, mention := range found {
		if len(mention.Path) == 0 || mention.Path[0] != "global" {
			found[i].Path = slices.Concat(prefix, mention.Path)
		}
	}
	r.mentions[s.Name] = found
	return found, true
}

// subchart returns the path of a template's values in those of the top chart: Helm names templates
// top/charts/one/charts/two/templates/….
func subchart(name string) []string {
	var path []string
	parts := strings.Split(name, "/")
	for i := 1; i+1 < len(parts) && parts[i] == "charts"; i += 2 {
		path = append(path, parts[i+1])
	}
	return path
}
