package render_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render"
)

const chartYAML = "apiVersion: v2\nname: ops\nversion: 1.0.0\n"

// archive packs files under the given names.
func archive(t *testing.T, files map[string]string) string {
	t.Helper()
	var buffer bytes.Buffer
	zipped := gzip.NewWriter(&buffer)
	packed := tar.NewWriter(zipped)
	for name, text := range files {
		header := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}
		if err := packed.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := packed.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.String()
}

// ops is a chart that renders one extension for each of its values.
var ops = map[string]string{
	"ops/Chart.yaml":  chartYAML,
	"ops/values.yaml": "extensions: [shop]\nadmin: false\n",
	"ops/templates/extensions.yaml": `{{- range .Values.extensions }}
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: {{ include "ops.name" . }}
  annotations: {release: "{{ $.Release.Name }}/{{ $.Release.Namespace }}"}
spec:
  serviceAccount: {name: {{ . }}-installer}
{{- end }}
`,
	"ops/templates/_names.tpl": `{{- define "ops.name" }}{{ . | lower }}{{ end }}`,
	"ops/templates/NOTES.txt":  "Thank you for {{ .Chart.Name }}",
	"ops/templates/plain.yaml": "# nothing to render\n" + account,
}

func TestChart(t *testing.T) {
	t.Parallel()
	crd := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shops.example.com}\n"
	tests := map[string]struct {
		files   map[string]string
		options render.ChartOptions
		want    []string
	}{
		"its own values": {ops, render.ChartOptions{}, []string{
			"ClusterExtension shop ops/templates/extensions.yaml:0", "ServiceAccount ops/installer ops/templates/plain.yaml:2"}},
		"other values": {ops,
			render.ChartOptions{Values: []render.ValuesFile{{"a", []byte("extensions: [x, y]")}, {"b", []byte("extensions: [Z]")}}},
			[]string{"ClusterExtension z ops/templates/extensions.yaml:0", "ServiceAccount ops/installer ops/templates/plain.yaml:2"}},
		"what the cluster knows": {map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": `
{{ if .Capabilities.APIVersions.Has "olm.operatorframework.io/v1" }}{kind: OLM, metadata: {name: "{{ .Capabilities.KubeVersion.Minor }}"}}{{ end }}
---
{{ if .Capabilities.APIVersions.Has "apps/v1" }}{kind: Apps}{{ end }}
---
{{ if lookup "v1" "Secret" "a" "b" }}{kind: Found}{{ else }}{kind: NotFound, metadata: {name: "{{ getHostByName "localhost" }}."}}{{ end }}
`},
			render.ChartOptions{KubeVersion: "1.31", APIVersions: []string{"olm.operatorframework.io/v1"}},
			[]string{"OLM 31 ops/templates/a.yaml:0", "Apps  ops/templates/a.yaml:0", "NotFound . ops/templates/a.yaml:0"}},
		"CRDs, hooks and lists": {map[string]string{"ops/Chart.yaml": chartYAML, "ops/crds/crd.yaml": crd,
			"ops/templates/a.yaml": "kind: Job\nmetadata: {name: first, annotations: {helm.sh/hook: pre-install}}\n",
			"ops/templates/b.yaml": "kind: List\nitems:\n- {kind: A}\n- {kind: B}\n"},
			render.ChartOptions{}, []string{"CustomResourceDefinition shops.example.com ops/crds/crd.yaml:1",
				"Job first ops/templates/a.yaml:1", "A  ops/templates/b.yaml:3", "B  ops/templates/b.yaml:4"}},
		"subcharts": {map[string]string{
			"ops/Chart.yaml": chartYAML + `dependencies:
- {name: one, version: 1.0.0, alias: first, condition: first.on}
- {name: one, version: 1.0.0, alias: second, tags: [extra]}
- {name: packed, version: 2.0.0}
`,
			"ops/values.yaml":                      "first: {on: true, name: a}\nglobal: {all: g}\ntags: {extra: false}\npacked: {name: p}\n",
			"ops/charts/folder/Chart.yaml":         "apiVersion: v2\nname: one\nversion: 1.0.0\n",
			"ops/charts/folder/templates/one.yaml": "{kind: One, metadata: {name: '{{ .Values.name }}{{ .Values.global.all }}'}}",
			"ops/charts/packed-2.0.0.tgz": archive(t, map[string]string{"packed/Chart.yaml": "apiVersion: v2\nname: packed\nversion: 2.0.0\n",
				"packed/templates/p.yaml": "{kind: Packed, metadata: {name: '{{ .Values.name }}'}}"}),
		}, render.ChartOptions{}, []string{"One ag ops/charts/folder/templates/one.yaml:0", "Packed p ops/charts/packed-2.0.0.tgz:0"}},
		"a library": {map[string]string{"ops/Chart.yaml": chartYAML + "dependencies: [{name: lib, version: 1.0.0}]\n",
			"ops/templates/a.yaml":            `{kind: A, metadata: {name: {{ include "lib.name" . }}}}`,
			"ops/charts/lib/Chart.yaml":       "apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n",
			"ops/charts/lib/templates/_a.tpl": `{{ define "lib.name" }}from-lib{{ end }}`},
			render.ChartOptions{}, []string{"A from-lib ops/templates/a.yaml:0"}},
		"what Helm ignores": {map[string]string{"ops/Chart.yaml": chartYAML, "ops/.helmignore": "*.old.yaml\n",
			"ops/templates/a.old.yaml": "{{ fail \"rendered\" }}", "ops/templates/.hidden.yaml": "{{ fail \"rendered\" }}"}, render.ChartOptions{}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := render.Chart(t.Context(), tree(test.files), "ops", test.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestChartOrigin(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.tgz": archive(t, map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": "kind: A\n"})}
	got, err := render.Chart(t.Context(), tree(files), "a.tgz", render.ChartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if o := got[0].Origin; o.File != "a.tgz" || o.Chart != "a.tgz" || o.Template != "a.tgz/ops/templates/a.yaml" || o.Line != 0 {
		t.Errorf("origin: %+v", o)
	}
}

func TestChartRelease(t *testing.T) {
	t.Parallel()
	got, err := render.Chart(t.Context(), tree(ops), "ops", render.ChartOptions{ReleaseName: "mine", Namespace: "here"})
	if err != nil {
		t.Fatal(err)
	}
	if release := got[0].Annotation("release"); release != "mine/here" {
		t.Errorf("release %q", release)
	}
}

// Fixes are verified by comparing two renderings, so random values must not differ.
func TestChartWithoutChance(t *testing.T) {
	t.Parallel()
	files := tree(map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": "kind: '{{ randAlphaNum 20 }}{{ uuidv4 }}'\n"})
	workers := render.NewWorkers(render.Limits{})
	defer workers.Close()
	kinds := map[string]bool{}
	for range 3 {
		got, err := render.Chart(t.Context(), files, "ops", render.ChartOptions{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		kinds[got[0].Kind()] = true
	}
	if len(kinds) != 1 {
		t.Errorf("three renderings gave %v", kinds)
	}
}

func TestChartSchema(t *testing.T) {
	t.Parallel()
	files := with(ops, map[string]string{"ops/values.schema.json": `{"properties": {"admin": {"type": "boolean"}}}`})
	o := render.ChartOptions{Values: []render.ValuesFile{{"v", []byte("admin: please")}}}
	if _, err := render.Chart(t.Context(), tree(files), "ops", o); err == nil || !strings.Contains(err.Error(), "at '/admin': got string, want boolean") {
		t.Errorf("wrong values: %v", err)
	}
	files["ops/values.schema.json"] = `{"properties": {"admin": {"$ref": "https://example.com/schema.json"}}}`
	var notes []string
	o.Note = func(note string) { notes = append(notes, note) }
	if _, err := render.Chart(t.Context(), tree(files), "ops", o); err != nil {
		t.Error(err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "outside the chart") {
		t.Errorf("notes %q", notes)
	}
}

func TestChartErrors(t *testing.T) {
	t.Parallel()
	template := func(text string) map[string]string {
		return map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": text}
	}
	tests := map[string]struct {
		files map[string]string
		want  string
	}{
		"a template that cannot be parsed": {template("\n{{ if }}"), "ops/templates/a.yaml:2: helm: parse error"},
		"a template that fails":            {template("\n\n  {{ fail \"no\" }}"), "ops/templates/a.yaml:3:5: helm: execution error at"},
		"a value that is missing":          {template(`{{ required "say who" .Values.who }}`), "say who"},
		"inside a helper": {with(template(`{{ include "x" . }}`), map[string]string{"ops/templates/_x.tpl": "\n{{ define \"x\" }}\n{{ index .Values 3 }}{{ end }}"}),
			"ops/templates/_x.tpl:3:3: helm: "},
		"no YAML":           {template("a: {{ 1 }}\n b: 2"), "ops/templates/a.yaml: does not render to manifests: "},
		"no YAML, as it is": {template("a: 1\n b: 2"), "ops/templates/a.yaml:2"},
		"no object":         {template("{{ 12 }}"), "the document is not an object"},
		"a dependency that is not there": {map[string]string{"ops/Chart.yaml": chartYAML + "dependencies: [{name: x, version: 1.0.0}]"},
			"ops/Chart.yaml:1: helm: dependencies missing in charts/: x"},
		"a library":           {map[string]string{"ops/Chart.yaml": chartYAML + "type: library"}, "cannot be rendered by itself"},
		"another Kubernetes":  {map[string]string{"ops/Chart.yaml": chartYAML + "kubeVersion: '<1.2'"}, "requires Kubernetes <1.2"},
		"no chart":            {map[string]string{"ops/values.yaml": ""}, "it contains no Chart.yaml"},
		"a broken Chart.yaml": {map[string]string{"ops/Chart.yaml": "name: ["}, "cannot load Chart.yaml"},
		"an archive with ../": {map[string]string{"ops/Chart.yaml": chartYAML,
			"ops/charts/x-1.0.0.tgz": archive(t, map[string]string{"x/../../../etc/cron.d/x": "y"})}, "illegally references parent directory"},
		"an archive that is none": {map[string]string{"ops/Chart.yaml": chartYAML, "ops/charts/x-1.0.0.tgz": "y"}, "error unpacking subchart"},
		"no symlinks":             {map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": `{{ .Files.Get "../../etc/passwd" | required "nothing" }}`}, "nothing"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := render.Chart(t.Context(), tree(test.files), "ops", render.ChartOptions{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
