package states

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/unfixed"
)

// addTemplates adds what changed templates make of values that the repository does not fix, if it decides what is granted. The charts are
// rendered with one of the possible values.
func (c *contents) addTemplates(r *change.Report, selects func(file string) bool) {
	files := c.after.Files()
	if files == nil {
		return
	}
	dirs := map[string]bool{}
	for file := range c.changed {
		if dir, is := chartOf(files, file); is && selects(file) {
			dirs[dir] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		known := map[string]bool{}
		for _, b := range blocksOf(c.before, dir) {
			known[b.Content] = true
		}
		for _, b := range blocksOf(c.after, dir) {
			if !known[b.Content] {
				r.AddContent(objects.Position{File: b.File, Line: b.Line, Column: 1},
					"the template grants something else depending on "+shortened(b.Because)+", which the repository does not fix: it was rendered in one of the ways")
			}
		}
	}
}

// maxExpression is how much of an expression is shown.
const maxExpression = 80

func shortened(text string) string {
	if runes := []rune(text); len(runes) > maxExpression {
		return string(runes[:maxExpression]) + "…"
	}
	return text
}

// chartOf returns the outermost chart that has a file.
func chartOf(files render.Files, file string) (dir string, is bool) {
	for parent := path.Dir(file); ; parent = path.Dir(parent) {
		if _, err := files.ReadFile(path.Join(parent, "Chart.yaml")); err == nil {
			dir, is = parent, true
		}
		if parent == "." {
			return dir, is
		}
	}
}

// blocksOf returns what the templates of a chart make of values that are not fixed.
func blocksOf(state read, dir string) []unfixed.Block {
	files := state.Files()
	templates := map[string]string{}
	addTexts(files, dir, templates, 0, false)
	if slices.ContainsFunc(slices.Collect(maps.Values(templates)), func(text string) bool { return strings.Contains(text, ".Files") }) {
		addTexts(files, dir, templates, 0, true)
	}
	nameIsFixed := false
	for _, u := range state.Units {
		if !slices.ContainsFunc(u.Renderings, func(r objects.Rendering) bool { return r.Chart == dir }) {
			continue
		}
		if nameIsFixed = u.Replaced() || len(u.Appliers) > 0; !nameIsFixed {
			break
		}
	}
	return unfixed.New(templates, nameIsFixed).Blocks()
}

// The limits of what is read of a chart.
const (
	maxChartDepth = 20
	maxTemplates  = 32 << 20
)

// addTexts adds the templates of a chart and of its dependencies, and the values that `tpl` can render; with others also other files with templates,
// which `.Files` returns.
func addTexts(files render.Files, dir string, into map[string]string, size int, others bool) int {
	entries, err := files.ReadDir(dir)
	if err != nil || strings.Count(dir, "/") > maxChartDepth {
		return size
	}
	for _, entry := range entries {
		file := path.Join(dir, entry.Name())
		isValues := entry.Name() == "values.yaml"
		switch {
		case entry.IsDir():
			size = addTexts(files, file, into, size, others)
		case entry.Type()&fs.ModeSymlink != 0, into[file] != "", path.Ext(file) == ".md", !others && !isValues && !strings.Contains("/"+file, "/templates/"):
		default:
			data, err := files.ReadFile(file)
			if size += len(data); err != nil || size > maxTemplates {
				continue
			}
			switch {
			case isValues:
				into[file] = renderedValues(data)
			case !others || strings.Contains(string(data), "{{"):
				into[file] = string(data)
			}
		}
	}
	return size
}

// renderedValues returns the texts in values that are templates, as documents.
func renderedValues(data []byte) string {
	var values any
	if !strings.Contains(string(data), "{{") || yaml.Unmarshal(data, &values) != nil {
		return ""
	}
	var texts []string
	walkTexts("", values, func(_, text string) {
		if strings.Contains(text, "{{") {
			texts = append(texts, text)
		}
	})
	slices.Sort(texts)
	return strings.Join(texts, "\n---\n")
}
