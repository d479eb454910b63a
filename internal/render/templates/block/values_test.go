package block_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render/templates/block"
)

func TestUnused(t *testing.T) {
	t.Parallel()
	before := head + "metadata: {name: a}\nspec:\n  namespace: {{ .Values.ns }}\n"
	values := "installer: {name: a, create: true}\nns: b\n"
	guarded := before + "  {{- if .Values.installer.create }}\n  serviceAccount:\n    name: {{ .Values.installer.name }}-{{ .Values.ns }}\n  {{- end }}\n"
	tests := map[string]struct {
		template, values string
		more             []string
		texts            []string
		want             []string
	}{
		"its own":           {template: guarded, values: values, want: []string{"installer.create", "installer.name"}},
		"used elsewhere":    {template: guarded, values: values, more: []string{"templates/NOTES.txt", "{{ .Values.installer.name }}"}, want: []string{"installer.create"}},
		"handed on":         {template: guarded, values: values, more: []string{"templates/u.yaml", "kind: {{ toYaml .Values.installer | len }}"}},
		"in values":         {template: guarded, values: values, texts: []string{"x: '{{ .Values.installer.create }}'"}, want: []string{"installer.name"}},
		"in broken values":  {template: guarded, values: values, texts: []string{"x: '{{ .Values.installer'"}},
		"an item of a list": {template: "{{- range .Values.list }}\n---\n" + head + "metadata: {name: {{ .name }}}\nspec:\n  namespace: x\n  serviceAccount:\n    name: {{ .account }}\n{{- end }}\n", values: "list: [{name: a, account: b}]", want: []string{"list[].account"}},
		"by subcharts": {template: guarded, values: values + "one: {installer: {name: x}}\n", more: []string{"charts/one/Chart.yaml", "apiVersion: v2\nname: one\nversion: 1.0.0\n",
			"charts/one/templates/u.yaml", "kind: {{ .Values.installer.name }}"}, want: []string{"installer.create", "installer.name"}},
		"of subcharts": {template: "kind: A", values: "one: {installer: {name: x}, ns: y}\n", more: []string{"charts/one/Chart.yaml", "apiVersion: v2\nname: one\nversion: 1.0.0\n",
			"charts/one/templates/u.yaml", before + "  serviceAccount:\n    name: {{ .Values.installer.name }}{{ .Values.global.x }}\n"}, want: []string{"global.x", "one.installer.name"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			templates := chart(t, test.template, test.values, test.more...)
			template, doc := firstExtension(t, templates)
			reader := block.NewReader(templates)
			got, err := reader.Field(template, doc, account)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, reader.Unused(template, got, test.texts...)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
