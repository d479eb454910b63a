package charts

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/render"
)

// empty returns the templates from which no object was rendered, although their texts can produce a relevant one: a condition is
// false with these values.
func (b *builder) empty(c content, rendered []render.Template) []string {
	filled := map[string]bool{}
	for _, t := range rendered {
		filled[t.File] = filled[t.File] || holdsObject(t)
	}
	var empty []string
	for _, f := range c.templates() {
		if isManifestTemplate(f.name) && !filled[f.name] && b.mayProduce(c, f) {
			empty = append(empty, f.name)
		}
	}
	slices.Sort(empty)
	return empty
}

// shows returns a function that finds a text in what templates rendered.
func shows(rendered []render.Template) func(string) bool {
	return func(text string) bool {
		return slices.ContainsFunc(rendered, func(t render.Template) bool { return strings.Contains(t.Text, text) })
	}
}

// holdsObject reports whether a rendered text has more than comments, separators and blanks.
func holdsObject(t render.Template) bool {
	for line := range strings.Lines(t.Text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "---") {
			return true
		}
	}
	return false
}

// isManifestTemplate reports whether Helm takes what a template renders as manifests. A file whose name begins with an underscore
// holds definitions for others.
func isManifestTemplate(name string) bool {
	ext := path.Ext(name)
	return !strings.HasPrefix(path.Base(name), "_") && (ext == ".yaml" || ext == ".yml" || ext == ".json")
}

// mayProduce reports whether a template may produce a relevant object, with the definitions that it includes.
func (b *builder) mayProduce(c content, template file) bool {
	return b.Mentions == nil || MayProduce(template.data, c.definitions, b.Mentions)
}

// MayProduce reports whether a template can produce an object for which mentions is true: as it is written, or with the definitions
// of its chart if it includes any.
func MayProduce(template []byte, definitions func() []byte, mentions func([]byte) bool) bool {
	if mentions(template) {
		return true
	}
	includes := bytes.Contains(template, []byte("include")) || bytes.Contains(template, []byte("template"))
	return includes && mentions(append(slices.Clone(template), definitions()...))
}

// Definitions returns the texts of the definitions that templates of a chart, or of a dependency that can be built into it, can include.
func Definitions(files render.Files, chart string) []byte {
	return read(files, chart, render.BuiltByUser).definitions()
}

func (c content) definitions() []byte {
	var text []byte
	for _, f := range c.templates() {
		if strings.HasPrefix(path.Base(f.name), "_") {
			text = append(append(text, '\n'), f.data...)
		}
	}
	return text
}
