package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render/templates/source"
)

// Expressions have the same meaning exactly if they always have the same value, wherever they are written.
func TestMeaning(t *testing.T) {
	t.Parallel()
	text := `{{ $v := .Values }}{{ $n := 1 }}{{ $n = 2 }}{{ range $i, $e := $v.list }}{{ with .a }}HERE{{ end }}{{ end }}`
	f, err := source.Parse("t", text)
	if err != nil {
		t.Fatal(err)
	}
	scope, top := f.Scope(strings.Index(text, "HERE")), source.Meaning{Text: "top"}
	want := map[string]string{
		"{{ . }}": "top.Values.list[].a", "{{ $e.a }}": "top.Values.list[].a", "{{- $.Values.x -}}": "top.Values.x", "{{ $i }}": "(key top.Values.list[])",
		"{{ $n }}": "", "{{ now }}": "", "{{ .b | default \"x\" }}": "(default \"x\" top.Values.list[].a.b)", "{{ . | default \"x\" }}": "top.Values.list[].a",
		"{{ (dict \"k\" $v).k.y }}": "top.Values.y", "{{ include \"h\" $ }}": "(include \"h\" top)",
		"{{ required \"set b\" .b }}": "top.Values.list[].a.b", "{{ .b | required \"set b\" | quote }}": "(quote top.Values.list[].a.b)",
		"{{ default \"x\" .b }}": "(default \"x\" top.Values.list[].a.b)", "{{ quote .b }}": "(quote top.Values.list[].a.b)", "{{ 1 | $.x }}": "",
	}
	got := map[string]string{}
	for expression := range want {
		got[expression] = scope.Meaning(expression, top, scope.Asked(top)).Text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
