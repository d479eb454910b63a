package block_test

import (
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

// FuzzField removes every field of what a template renders. Either the lines of the field are not found, or the template without them
// renders the same without the field, whatever the values are.
func FuzzField(f *testing.F) {
	for _, template := range []string{
		"kind: A\nspec:\n  a: b\n  {{- if .Values.yes }}\n  c: d\n  {{- else }}\n  c: e\n  {{- end }}\n",
		"kind: A\nspec:\n  {{- range .Values.list }}\n  {{ . }}: x\n  {{- end }}\n  z: {{ .Values.map.x }}\n",
		"kind: A\nspec:\n  {{- with .Values.map }}\n  m:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n",
		"kind: A\nspec:\n  a: {{ include \"word\" . }} # why\n  b: |\n    {{ include \"word\" . }}\n  {{/* c */}}\n",
		"kind: A\nspec: {a: b, {{ if .Values.yes }}c: d{{ end }}}\n",
	} {
		f.Add(template)
	}
	workers := render.NewWorkers(render.Limits{Memory: 256 << 20})
	f.Cleanup(workers.Close)
	f.Fuzz(func(t *testing.T, template string) {
		files := filestest.Tree{
			"Chart.yaml": chartYAML, "values.yaml": "yes: true\nno: false\nlist: [a, b]\nmap: {x: 1, z: 2}\n",
			"templates/_helpers.tpl": "{{- define \"word\" -}}\nw\n{{- end }}\n", "templates/t.yaml": template,
		}
		tree := render.FromFS(files.FS())
		found, ok := oneDocument(t, tree, workers, "")
		if !ok || !found.doc.Exact {
			return
		}
		for _, path := range paths(found.doc.Root, nil) {
			if len(path) > 1 {
				checkWithout(t, tree, workers, found, path)
			}
		}
	})
}

func checkWithout(t *testing.T, tree render.Files, workers *render.Workers, found built, path manifest.Path) {
	t.Helper()
	got, err := block.NewReader(nil).Field(found.template, found.doc, path)
	if err != nil {
		return
	}
	text := got.Source.Text
	edited := render.WithEdits(tree, map[string][]byte{got.Source.File: []byte(text[:got.Span.Start] + text[got.Span.End:])})
	before, ok := oneDocument(t, tree, workers, "")
	if !ok {
		return
	}
	after, ok := oneDocument(t, edited, workers, "")
	if !ok {
		return // a fix that leaves a template which cannot be rendered is refused by the proof
	}
	if bad := others(manifest.Diff(before.doc.Root, after.doc.Root), path); len(bad) > 0 {
		t.Errorf("%s: %v\n%s\nwithout\n%s", path, bad, text, text[got.Span.Start:got.Span.End])
	}
}

// oneDocument renders a chart with one template; ok is false if that does not yield one document that can be read.
func oneDocument(t *testing.T, tree render.Files, workers *render.Workers, values string) (built, bool) {
	t.Helper()
	o := render.ChartOptions{Trace: values == "", Workers: workers, Values: []render.ValuesFile{{Name: "v", Data: []byte(values)}}}
	templates, err := render.Templates(t.Context(), tree, ".", o)
	if err != nil || len(templates) != 1 {
		return built{}, false
	}
	docs := manifest.Scan("t", []byte(templates[0].Text)).Docs
	if len(docs) != 1 || docs[0].Parse() != nil {
		return built{}, false
	}
	return built{templates[0], docs[0]}, true
}
