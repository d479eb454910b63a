package template_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/assemble/gitops/template"
)

func TestFillTags(t *testing.T) {
	t.Parallel()
	params := map[string]any{"cluster": "north", "path": "apps/db", "path.basename": "db", "path[0]": "apps", "n": 3}
	for _, c := range []struct{ name, text, want, err string }{
		{"no tag", "plain", "plain", ""},
		{"a parameter", "{{cluster}}-{{ path.basename }}", "north-db", ""},
		{"an element of the path", "{{path[0]}}", "apps", ""},
		{"one that is not there stays", "{{cluster}}/{{ region }}", "north/{{ region }}", ""},
		{"one that is no text stays", "{{n}}", "{{n}}", ""},
		{"an empty tag stays", "{{ }}{{cluster}}", "{{ }}north", ""},
		{"a tag over two lines is none", "{{cluster\n}}", "{{cluster\n}}", ""},
		{"an open tag", "{{cluster}}{{", "", "a {{ is not closed by }}"},
		{"an open tag on its own is no template", "a {{ b", "a {{ b", ""},
		{"parameters are not templates", "{{nested}}", "{{nested}}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check(t, template.Engine{}, c.text, params, c.want, c.err)
		})
	}
}

func TestFillGo(t *testing.T) {
	t.Parallel()
	params := map[string]any{
		"name": "Harbor_UI", "prod": true, "count": float64(3),
		"path":   map[string]any{"path": "apps/db", "basename": "db", "segments": []string{"apps", "db"}},
		"labels": map[string]any{"b": "2", "a": "1"},
	}
	for _, c := range []struct{ name, text, want, err string }{
		{"a field", "{{.path.path}}", "apps/db", ""},
		{"a segment", "{{ index .path.segments 1 }}", "db", ""},
		{"a condition", `{{ if .prod }}main{{ else }}dev{{ end }}`, "main", ""},
		{"functions of sprig", `{{ .name | lower | replace "_" "-" | trunc 6 }}`, "harbor", ""},
		{"normalize", `{{ normalize .name }}`, "harbor-ui", ""},
		{"a default", `{{ dig "x" "y" "none" . }}/{{ default "d" .missing }}`, "none/d", ""},
		{"a missing key", "{{ .missing }}", "<no value>", ""},
		{"a loop", "{{ range $k, $v := .labels }}{{ $k }}={{ $v }};{{ end }}", "a=1;b=2;", ""},
		{"keys come sorted", "{{ keys .labels }}", "[a b]", ""},
		{"a list as YAML", "{{ toYaml .path.segments }}", "- apps\n- db", ""},
		{"spaces are trimmed", "a {{- if .prod -}} b {{- end }}", "ab", ""},
		{"a wrong key", "{{ .name.first }}", "", "can't evaluate field first in type interface {}"},
		{"a syntax error", "{{ .name", "", "unclosed action"},
		{"a failure that is asked for", `{{ fail "no such cluster" }}`, "", "no such cluster"},
		{"chance", "{{ randAlpha 5 }}", "", "salint does not support the function randAlpha"},
		{"the time", "{{ now }}", "", "salint does not support the function now"},
		{"the environment", `{{ env "HOME" }}`, "", `function "env" not defined`},
		{"changing the parameters", `{{ set . "a" "b" }}`, "", "salint does not support the function set"},
		{"a wide text", `{{ printf "%100000d" 1 }}`, "", "salint does not support printf with such a width"},
		{"a template within", `{{ define "x" }}{{ end }}{{ template "x" }}`, "", "salint does not support nested templates"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check(t, template.Engine{Go: true}, c.text, params, c.want, c.err)
		})
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	strict := template.Engine{Go: true, Options: []string{"missingkey=error"}}
	check(t, strict, "{{ .missing }}", map[string]any{}, "", `map has no entry for key "missing"`)
	check(t, template.Engine{Go: true, Options: []string{"strict"}}, "{{ . }}", nil, "", `text/template has no option "strict"`)
}

// A template that loops, grows or recurses is stopped soon, with a reason.
func TestHostile(t *testing.T) {
	t.Parallel()
	params := map[string]any{"many": make([]any, 2000), "text": strings.Repeat("a", 4000)}
	for name, text := range map[string]string{
		"a long loop":          "{{ range until 1000000000 }}{{ end }}",
		"a loop over a number": "{{ range 1000000000 }}{{ end }}",
		"loops within loops":   "{{ range .many }}{{ range $.many }}{{ range $.many }}{{ end }}{{ end }}{{ end }}",
		"a doubling text":      `{{ $x := "ab" }}{{ range .many }}{{ $x = printf "%s%s" $x $x }}{{ end }}`,
		"a doubling list":      `{{ $x := list 1 }}{{ range .many }}{{ $x = list $x $x }}{{ end }}{{ $x }}`,
		"a deep list":          `{{ $x := list 1 }}{{ range .many }}{{ $x = list $x }}{{ end }}{{ toPrettyJson $x }}`,
		"a repeated text":      `{{ repeat 1000000000 "ab" }}`,
		"an indented text":     `{{ indent 1000000000 "ab" }}`,
		"a replaced text":      `{{ replace "a" .text .text }}`,
		"a long output":        `{{ range .many }}{{ $.text }}{{ end }}`,
		"a long template":      strings.Repeat("{{ . }}", 20000),
		"a recursion":          `{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started := time.Now()
			_, err := template.Engine{Go: true}.Fill(text, params)
			var limit *template.LimitError
			var unsupported *template.UnsupportedError
			if !errors.As(err, &limit) && !errors.As(err, &unsupported) {
				t.Errorf("got %v, want a limit", err)
			}
			if took := time.Since(started); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
	long := map[string]any{"a": strings.Repeat("b", 1<<19)}
	var limit *template.LimitError
	if _, err := (template.Engine{}).Fill("{{a}}{{a}}{{a}}", long); !errors.As(err, &limit) {
		t.Errorf("got %v, want a limit", err)
	}
}

// Texts that share a budget charge it together.
func TestSharedBudget(t *testing.T) {
	t.Parallel()
	engine := template.Engine{Go: true, Budget: template.NewBudget()}
	for range 1000 {
		if _, err := engine.Fill("{{ range 10000 }}{{ end }}", nil); err != nil {
			return
		}
	}
	t.Error("a budget without end")
}

func check(t *testing.T, engine template.Engine, text string, params map[string]any, want, wantErr string) {
	t.Helper()
	got, err := engine.Fill(text, params)
	switch {
	case wantErr != "" && (err == nil || !strings.Contains(err.Error(), wantErr)):
		t.Errorf("got %q and the error %v, want %q", got, err, wantErr)
	case wantErr == "" && (err != nil || got != want):
		t.Errorf("got %q and the error %v, want %q", got, err, want)
	}
}

// FuzzFill fills in arbitrary texts in both languages. Nothing may panic or run endlessly.
func FuzzFill(f *testing.F) {
	f.Add("{{a}} {{ .a }} {{ range $i, $x := .b }}{{ $x | upper }}{{ else }}-{{ end }}")
	f.Add(`{{ with .c }}{{ .d | toYaml | nindent 4 }}{{ end }}{{ printf "%v" . }}`)
	f.Add(`{{ $x := dict "a" (list 1 2) }}{{ dig "a" "b" $x }}{{ regexReplaceAll "a*" "baaac" "${1}" }}`)
	f.Add("{{ untilStep 9 -1 -2 }}{{ seq 1 1 9 }}{{ substr 1 0 .a }}{{ trunc -9 .a }}{{ slice .b 1 9 }}")
	f.Fuzz(func(t *testing.T, text string) {
		params := map[string]any{"a": "x", "b": []any{"p", "q"}, "c": map[string]any{"d": float64(1)}}
		for _, engine := range []template.Engine{{}, {Go: true}, {Go: true, Options: []string{"missingkey=error"}}} {
			out, err := engine.Fill(text, params)
			if err == nil && len(out) > 1<<20 {
				t.Errorf("%d bytes", len(out))
			}
		}
	})
}
