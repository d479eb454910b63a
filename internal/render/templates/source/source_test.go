package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/source"
)

func parsed(t *testing.T, text string) *source.File {
	t.Helper()
	f, err := source.Parse("t", text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTokens(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"text":             {"a\nb", []string{"a\nb"}},
		"trimmed":          {"a \n{{- .x -}}\n b", []string{"a", "{{- .x -}}", "b"}},
		"not trimmed":      {"a {{ .x }} b", []string{"a ", "{{ .x }}", " b"}},
		"a number":         {"a {{-3}} b", []string{"a ", "{{-3}}", " b"}},
		"a comment":        {"a {{- /* }} */ -}} b", []string{"a", "{{- /* }} */ -}}", "b"}},
		"quotations":       {"{{ print \"}}\\\"\" `}}` '}' }}x", []string{"", "{{ print \"}}\\\"\" `}}` '}' }}", "x"}},
		"nothing but ends": {" {{- if .x -}} {{- end -}} ", []string{"", "{{- if .x -}}", "", "{{- end -}}", ""}},
		"lines":            {"{{ dict\n \"a\" 1 }}", []string{"", "{{ dict\n \"a\" 1 }}", ""}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := parsed(t, test.text)
			var got []string
			for _, token := range f.Tokens {
				got = append(got, f.Slice(token.Span))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for name, text := range map[string]string{
		"no end": "{{ if .x }}", "no action": "{{ }}", "too deep": strings.Repeat("{{ if . }}", 30_000), "too large": strings.Repeat("x", 5<<20),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := source.Parse("t", text); err == nil {
				t.Error("no error")
			}
		})
	}
}

const guarded = `{{- $top := . }}
{{ range $i, $e := .Values.list -}}
{{- $unused := 1 }}
{{- $name := printf "%s-%d" $e.name $i }}
{{- if $e.a }}
{{- else if $e.b }}
HERE
{{- else }}
{{- end }}
{{- end }}
`

func TestWrap(t *testing.T) {
	tests := map[string]struct{ text, body, want string }{
		"no guard": {"HERE", "x\n", "x\n"},
		"guards": {guarded, "{{ $name }}", `{{- range $i, $e := .Values.list }}
{{- $name := printf "%s-%d" $e.name $i }}
{{- if $e.a }}
{{- else if $e.b }}
{{ $name }}
{{- end }}
{{- end }}
`},
		"an outer variable": {guarded, "{{ $top.x }}", `{{- $top := . }}
{{- range $i, $e := .Values.list }}
{{- if $e.a }}
{{- else if $e.b }}
{{ $top.x }}
{{- end }}
{{- end }}
`},
		"a definition": {`{{ define "x" }}{{ $n := . }}{{ with .y }}HERE{{ end }}{{ end }}`, "{{ $n }}", "{{- $n := . }}\n{{- with .y }}\n{{ $n }}\n{{- end }}\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := parsed(t, test.text).Scope(strings.Index(test.text, "HERE")).Wrap(test.body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWrapRefused(t *testing.T) {
	text := "{{ $n := 1 }}{{ range .x }}\n{{ $n = 2 }}HERE{{ end }}"
	_, err := parsed(t, text).Scope(strings.Index(text, "HERE")).Wrap("{{ $n }}")
	if err == nil || err.Error() != "the variable $n is assigned another value in line 2" {
		t.Errorf("got %v", err)
	}
}

func TestMentions(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"a value":                {"{{ .Values.a.b }}", []string{"a.b!"}},
		"a condition":            {"{{ if .Values.a }}{{ $.Values.b }}{{ end }}", []string{"a", "b!"}},
		"with":                   {"{{ with .Values.a }}{{ .b }}{{ $.Values.c }}{{ else }}{{ .Values.d }}{{ end }}", []string{"a", "a.b!", "c!", "d!"}},
		"range":                  {"{{ range $i, $e := .Values.a }}{{ .b }}{{ $e.c }}{{ $i }}{{ end }}", []string{"a", "a[].b!", "a[].c!"}},
		"variables":              {"{{ $root := . }}{{ $a := .Values.a }}{{ if $a.b }}{{ $root.Values.c }}{{ end }}", []string{"a.b", "c!"}},
		"a function":             {"{{ .Values.a | default .Values.b | quote }}{{ toYaml .Values.c }}", []string{"a!", "b!", "c!"}},
		"index":                  {"{{ index .Values \"a\" \"b-c\" }}{{ index .Values .x }}", []string{"a.b-c!", "!"}},
		"parentheses":            {"{{ (.Values.a).b }}{{ (index .Values.a 0).b }}", []string{"a.b!", "a!"}},
		"handed on":              {`{{ range .Values.a }}{{ include "x" (dict "root" $ "item" .) }}{{ end }}`, []string{"a", "a[]!"}},
		"what was handed on":     {`{{ define "x" }}{{ .root.Values.a }}{{ .item.b }}{{ end }}`, []string{"a!"}},
		"a variable that varies": {"{{ $a := .Values.a }}{{ $a = .Values.b }}{{ $a.c }}", []string{"b!", "a!"}},
		"all":                    {"{{ toYaml .Values }}", []string{"!"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, mention := range parsed(t, test.text).Mentions(manifest.Span{End: len(test.text)}) {
				text := mention.String()
				if mention.Whole {
					text += "!"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestKeeps(t *testing.T) {
	tests := map[string]struct {
		mention source.Mention
		want    bool
	}{
		"itself":                  {source.Mention{Path: []string{"a", "b"}}, true},
		"a part of it":            {source.Mention{Path: []string{"a", "b", "c"}}, true},
		"what it is a part of":    {source.Mention{Path: []string{"a"}, Whole: true}, true},
		"asked for, not given on": {source.Mention{Path: []string{"a"}}, false},
		"another":                 {source.Mention{Path: []string{"a", "c"}, Whole: true}, false},
		"all":                     {source.Mention{Whole: true}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.mention.Keeps([]string{"a", "b"}); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// The scanner never contradicts the parser: Parse compares both, and the texts and actions together are the file, except
// for blanks.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{guarded, "a {{- /* }} */ -}} b", "{{ print \"}}\" `}}` '\\'' }}", "{{block \"x\" .}}{{break}}{{end}}", "{{-/**/-}}", "{{define `a`}} {{end}}{{define `a`}}x{{end}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := source.Parse("t", text)
		if err != nil {
			return
		}
		at := 0
		for _, token := range file.Tokens {
			if strings.Trim(text[at:token.Span.Start], " \t\r\n") != "" {
				t.Fatalf("%q is left out", text[at:token.Span.Start])
			}
			at = token.Span.End
			file.Scope(token.Span.Start)
			file.Scope(token.Span.End)
		}
		file.Mentions(manifest.Span{End: len(text)})
	})
}
