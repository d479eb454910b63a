package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render"
)

// places renders a chart with a trace, and writes each line of the texts behind the place it came from.
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
