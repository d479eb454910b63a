package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/internal/render"
)

// places renders a chart with a trace, and writes each line of the texts after its position.
func places(t *testing.T, files map[string]string) []string {
	t.Helper()
	templates, err := render.Templates(t.Context(), tree(files), "ops", render.ChartOptions{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, template := range templates {
		at := template.Lines()
		for i, line := range strings.Split(strings.TrimSuffix(template.Text, "\n"), "\n") {
			if strings.TrimSpace(line) != "" {
				got = append(got, fmt.Sprintf("%s%s:%d %s", strings.TrimPrefix(at[i].File, "ops/"), at[i].Inside, at[i].Line, line))
			}
		}
	}
	return got
}

func TestLines(t *testing.T) {
	t.Parallel()
	helpers := map[string]string{"ops/Chart.yaml": chartYAML, "ops/values.yaml": "list: [a, b]\nmap: {x: 1, z: 2}\n",
		"ops/templates/_h.tpl": `{{- define "name" -}}
{{ .Release.Name | trunc 10 }}-x
{{- end }}
{{- define "labels" -}}
app: {{ include "name" . }}
{{ if true -}}
part: of
{{- end }}
{{- end }}
`}
	template := func(text string) map[string]string {
		return with(helpers, map[string]string{"ops/templates/t.yaml": text})
	}
	tests := map[string]struct {
		files map[string]string
		want  []string
	}{
		"blocks and trimming": {template("kind: A\n{{- range .Values.list }}\n{{- if . }}\n{{ . }}: 1\n{{- end }}\n{{- end -}}\n\n{{ printf \"\\nx: y\" }}\nb: c"), []string{
			"templates/t.yaml:1 kind: A", "templates/t.yaml:4 a: 1", "templates/t.yaml:4 b: 1", "templates/t.yaml:8 x: y", "templates/t.yaml:9 b: c"}},
		"a helper": {template("kind: A\nlabels:\n  {{- include \"labels\" . | nindent 2 }}\nname: {{ include \"name\" . }}\n"), []string{
			"templates/t.yaml:1 kind: A", "templates/t.yaml:2 labels:", "templates/_h.tpl:5   app: release-na-x", "templates/_h.tpl:7   part: of", "templates/t.yaml:4 name: release-na-x"}},
		"values": {template("kind: A\nmap:\n  {{- toYaml .Values.map | nindent 2 }}\n"), []string{
			"templates/t.yaml:1 kind: A", "templates/t.yaml:2 map:", "templates/t.yaml:3   x: 1", "templates/t.yaml:3   z: 2"}},
		"quoted": {template("kind: A\nname: {{ include \"name\" . | quote }}\ntext: {{ include \"labels\" . | b64enc }}\n"), []string{
			"templates/t.yaml:1 kind: A", `templates/t.yaml:2 name: "release-na-x"`, "templates/t.yaml:3 text: YXBwOiByZWxlYXNlLW5hLXgKcGFydDogb2Y="}},
		"compared": {template("kind: A\n{{ if eq (include \"name\" .) \"release-na-x\" }}a: {{ include \"labels\" . | len }}{{ else }}no{{ end }}\n"), []string{
			"templates/t.yaml:1 kind: A", "templates/t.yaml:2 a: 26"}},
		"a template in another": {with(template("kind: A\nsum: {{ include (print .Template.BasePath \"/u.yaml\") . | sha256sum | trunc 4 }}\n"), map[string]string{
			"ops/templates/u.yaml": "kind: {{ .Chart.Name }}\n"}), []string{
			"templates/t.yaml:1 kind: A", "templates/t.yaml:2 sum: 9fa6", "templates/u.yaml:1 kind: ops"}},
		"a dynamic name": {template("kind: A\n{{ $n := \"name\" }}a: {{ include $n . | trunc 3 }}\n"), []string{
			"templates/t.yaml:1 kind: A", "templates/t.yaml:2 a: rel"}},
		"read and written": {template("kind: A\na: {{ (include \"labels\" . | fromYaml).app }}\n{{ tpl \"b: {{ .Release.Name }}\\nc: d\" . }}\n"), []string{
			"templates/t.yaml:1 kind: A", "templates/t.yaml:2 a: release-na-x", "templates/t.yaml:3 b: release-name", "templates/t.yaml:3 c: d"}},
		"definitions in place": {template("kind: A\n{{ block \"b\" . }}\nb: {{ .Release.Name }}\n{{ end }}\n{{ template \"name\" . }}: 1\n"), []string{
			"templates/t.yaml:1 kind: A", "templates/t.yaml:3 b: release-name", "templates/_h.tpl:2 release-na-x: 1"}},
		"the letters of markers": {template("kind: \u2840\nb: {{ .Release.Name }}\n"), []string{
			"templates/t.yaml:0 kind: \u2840", "templates/t.yaml:0 b: release-name"}},
		"subcharts": {with(helpers, map[string]string{
			"ops/Chart.yaml":                       chartYAML + "dependencies: [{name: one, version: 1.0.0, alias: first}, {name: one, version: 1.0.0, alias: second}, {name: lib, version: 1.0.0}]\n",
			"ops/charts/one/Chart.yaml":            "apiVersion: v2\nname: one\nversion: 1.0.0\n",
			"ops/charts/one/templates/one.yaml":    "\nkind: One\n{{ include \"lib.x\" . }}\n",
			"ops/charts/lib-1.0.0.tgz":             archive(t, map[string]string{"lib/Chart.yaml": "apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n", "lib/templates/_x.tpl": "{{ define \"lib.x\" }}\na: b{{ end }}"}),
			"ops/charts/one/templates/helpers.tpl": "",
		}), []string{
			"charts/one/templates/one.yaml:2 kind: One", "charts/lib-1.0.0.tgzlib/templates/_x.tpl:2 a: b",
			"charts/one/templates/one.yaml:2 kind: One", "charts/lib-1.0.0.tgzlib/templates/_x.tpl:2 a: b"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, places(t, test.files)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Without a trace the line of an object is unknown; with one it is the line of the template.
func TestChartLines(t *testing.T) {
	t.Parallel()
	for traced, want := range map[bool][]string{
		false: {"ClusterExtension shop ops/templates/extensions.yaml:0", "ServiceAccount ops/installer ops/templates/plain.yaml:2"},
		true:  {"ClusterExtension shop ops/templates/extensions.yaml:3", "ServiceAccount ops/installer ops/templates/plain.yaml:2"},
	} {
		got, err := render.Chart(t.Context(), tree(ops), "ops", render.ChartOptions{Trace: traced})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, lines(got)); diff != "" {
			t.Errorf("traced %v: -want +got:\n%s", traced, diff)
		}
	}
}

func TestChartErrorLine(t *testing.T) {
	t.Parallel()
	files := tree(map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": "{{ range until 3 }}\nk{{ . }}: 1\n{{ end }}\nx: [\n"})
	_, err := render.Chart(t.Context(), files, "ops", render.ChartOptions{Trace: true})
	if err == nil || !strings.HasPrefix(err.Error(), "ops/templates/a.yaml:4: does not render to manifests: ") {
		t.Errorf("got %v", err)
	}
}

// A piece maps the bytes of the source to the bytes of the text.
func TestPieces(t *testing.T) {
	t.Parallel()
	files := tree(map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/_h.tpl": "{{ define \"h\" }}ä: {{ .Chart.Name }}{{ end }}",
		"ops/templates/t.yaml": "kind: A\n{{ include \"h\" . }}\n"})
	templates, err := render.Templates(t.Context(), files, "ops", render.ChartOptions{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	template := templates[0]
	for _, p := range template.Pieces {
		got = append(got, fmt.Sprintf("%d %q from %q %v", p.Parent, template.Text[p.Start:p.End], template.Sources[p.Source].Text[p.From:p.To], template.Exact(p)))
	}
	want := []string{`-1 "kind: A" from "kind: A" true`, `-1 "ä: ops" from "{{ include \"h\" . }}" false`, `1 "ä:" from "ä:" true`, `1 "ops" from "{{ .Chart.Name }}" false`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if place := template.Place(strings.Index(template.Text, ": ops")); place != (render.Place{File: "ops/templates/_h.tpl", Line: 1, Column: 18}) {
		t.Errorf("the colon is at %+v", place)
	}
}

// If only the trace exceeds a limit, it is left out, and the workers stay usable.
func TestTraceStopped(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"a loop that marks begin": `kind: A
{{ if contains "\u28c0" (include (print .Template.BasePath "/b.yaml") .) }}{{ range until 1000000000 }}{{ end }}{{ end }}`,
		"a recursion that marks begin": `kind: A
{{ if contains "\u28c0" (include (print .Template.BasePath "/b.yaml") .) }}{{ template "x" . }}{{ end }}{{ define "x" }}{{ template "x" . }}{{ end }}`,
		"many pieces": `kind: {{ range until 100000 }}a{{ end }}`,
		"a failure that marks begin": `kind: A
{{ if contains "\u28c0" (include (print .Template.BasePath "/b.yaml") .) }}{{ fail "no" }}{{ end }}`,
	}
	limit := 2 * time.Second
	if child.RaceDetector {
		limit *= 4
	}
	workers := render.NewWorkers(render.Limits{Time: limit, Memory: 256 << 20, Output: 1 << 20, Input: 1 << 20})
	t.Cleanup(workers.Close)
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			begun := time.Now()
			files := tree(map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": text, "ops/templates/b.yaml": "kind: B{{ .Values.x }}"})
			templates, err := render.Templates(t.Context(), files, "ops", render.ChartOptions{Workers: workers, Trace: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(templates) != 2 || !strings.HasPrefix(templates[0].Text, "kind: ") {
				t.Errorf("got %d templates", len(templates))
			}
			t.Logf("%v: traced %v, %v", time.Since(begun), templates[0].Traced, templates[1].Traced)
			if spent := time.Since(begun); spent > 20*time.Second {
				t.Errorf("it took %v", spent)
			}
		})
	}
}
