package block_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/process"
	"github.com/salint/salint/internal/render/templates/block"
)

// TestMain lets the test program act as the child process, as the program itself does.
func TestMain(m *testing.M) {
	if code, isChild := process.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

const (
	chartYAML = "apiVersion: v2\nname: ops\nversion: 1.0.0\n"
	helpers   = `{{- define "ops.fullname" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- define "ops.account" -}}
{{- if .Values.account }}{{ .Values.account.name }}{{ else }}default{{ end }}
{{- end }}
`
	head = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\n"
)

// chart renders a chart with a template, values, and further files.
func chart(t *testing.T, template, values string, more ...string) []render.Template {
	t.Helper()
	files := filestest.Tree{}
	add := func(name, text string) { files["ops/"+name] = text }
	add("Chart.yaml", chartYAML)
	add("values.yaml", values)
	add("templates/_helpers.tpl", helpers)
	add("templates/t.yaml", template)
	for i := 0; i < len(more); i += 2 {
		add(more[i], more[i+1])
	}
	templates, err := render.Templates(t.Context(), render.FromFS(files.FS()), "ops", render.ChartOptions{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	return templates
}

// firstExtension returns the first extension in a chart.
func firstExtension(t *testing.T, templates []render.Template) (render.Template, *manifest.Document) {
	t.Helper()
	for _, template := range templates {
		for _, doc := range manifest.Scan(template.File, []byte(template.Text)).Docs {
			if doc.Parse() == nil && doc.Root.Get("kind").String() == "ClusterExtension" {
				return template, doc
			}
		}
	}
	t.Fatal("no extension")
	return render.Template{}, nil
}

var account = manifest.Path{"spec", "serviceAccount"}

// In each template, the lines between <<< and >>> are those of the field. The marks are removed before rendering.
func TestField(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ template, values string }{
		"literal":     {template: "metadata: {name: a}\nspec:\n  namespace: x\n<<<\n  # who installs\n  serviceAccount:\n    # by name\n    name: inst # really\n>>>\n  source: {}\n"},
		"at the end":  {template: "metadata: {name: a}\nspec:\n  namespace: x\n<<<\n  serviceAccount:\n    name: {{ .Release.Name }}-inst\n>>>\n"},
		"no last end": {template: "metadata: {name: a}\nspec:\n  namespace: x\n<<<\n  serviceAccount: {name: {{ .Release.Name }}}"},
		"windows":     {template: "metadata: {name: a}\r\nspec:\r\n  namespace: x\r\n<<<\n  serviceAccount:\r\n    name: {{ .Release.Name }}\r\n>>>\n  source: {}\r\n"},
		"a guard": {values: "account: {name: a}", template: `metadata: {name: a}
spec:
  namespace: x
<<<
  {{- if .Values.account }}
  serviceAccount:
    name: {{ .Values.account.name }}
  {{- end }}
>>>
  source: {}
`},
		"guards in one another": {values: "account: {name: a}", template: `metadata: {name: a}
spec:
  namespace: x
<<<
  {{- with .Values.account }}
  {{- /* the installer */}}
  {{- if .name }}
  # who
  serviceAccount:
    name: {{ .name }}
  {{- end }}
  {{- end }}
>>>
  source: {}
`},
		"a guard with more": {values: "account: {name: a}", template: `metadata: {name: a}
spec:
  namespace: x
  {{- if .Values.account }}
<<<
  serviceAccount:
    name: {{ .Values.account.name }}
>>>
  source: {}
  {{- end }}
`},
		"both arms": {values: "account: {name: a}", template: `metadata: {name: a}
spec:
  namespace: x
<<<
  {{- if .Values.account }}
  serviceAccount:
    name: {{ .Values.account.name }}
  {{- else }}
  serviceAccount:
    name: default
  {{- end }}
>>>
  source: {}
`},
		"guards inside": {values: "account: {name: a}", template: `metadata: {name: a}
spec:
  namespace: x
<<<
  serviceAccount:
    {{- if .Values.account }}
    name: {{ .Values.account.name }}
    {{- else }}
    name: default
    {{- end }}
>>>
  {{- if .Values.other }}
  other: x
  {{- end }}
  source: {}
`},
		"a guard behind, not rendered": {template: `metadata: {name: a}
spec:
  namespace: x
<<<
  serviceAccount:
    name: a
    {{- with .Values.labels }}
    labels: x
    {{- end }}
>>>
  source: {}
`},
		"range": {values: "list: [{name: a, ns: b}, {name: c, ns: d, account: e}, {name: f, account: g}]", template: `{{- range $i, $e := .Values.list }}
---
` + head + `metadata:
  name: {{ $e.name }}
spec:
  namespace: {{ $e.ns | default "x" }}
<<<
  {{- with $e.account }}
  serviceAccount:
    name: {{ . }}
  {{- end }}
>>>
  source: {}
{{- end }}
`},
		"a helper": {template: "metadata: {name: a}\nspec:\n  namespace: x\n<<<\n  serviceAccount:\n    name: {{ include \"ops.account\" . }}\n>>>\n  source: {}\n"},
		"hooks": {template: "metadata:\n  name: a\n  annotations:\n    helm.sh/hook: post-install\nspec:\n<<<\n  serviceAccount:\n    name: a\n>>>\n" +
			"  {{- if not (lookup \"v1\" \"Namespace\" \"\" \"x\") }}\n  namespace: x\n  {{- end }}\n  {{- if .Capabilities.APIVersions.Has \"x/v1\" }}\n  more: x\n  {{- end }}\n  source: {}\n"},
		"an action of several lines": {template: "metadata: {name: a}\nspec:\n  namespace: x\n<<<\n  serviceAccount:\n    {{- dict\n\n  \"name\" \"a\"\n | toYaml | nindent 4 }}\n>>>\n  source: {}\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, rest, _ := strings.Cut(test.template, "<<<\n")
			middle, after, _ := strings.Cut(rest, ">>>\n")
			if !strings.Contains(before, "kind:") {
				before = head + before
			}
			templates := chart(t, before+middle+after, test.values)
			template, doc := firstExtension(t, templates)
			if doc.Root.Lookup(account) == nil {
				for _, d := range manifest.Scan("t", []byte(template.Text)).Docs {
					if d.Parse() == nil && d.Root.Lookup(account) != nil {
						doc = d
					}
				}
			}
			got, err := block.NewReader(nil).Field(template, doc, account)
			if err != nil {
				t.Fatalf("%v\n%s", err, template.Text)
			}
			text := got.Source.Text
			if diff := cmp.Diff(middle, text[got.Span.Start:got.Span.End]); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestFieldRefused(t *testing.T) {
	t.Parallel()
	spec := "metadata: {name: a}\nspec:\n  namespace: x\n"
	tests := map[string]struct{ template, values, want string }{
		"values":                 {"metadata: {name: a}\nspec:\n  {{- toYaml .Values.spec | nindent 2 }}\n", "spec: {namespace: x, serviceAccount: {name: a}}", "ops/templates/t.yaml:5: it is not written in the template, but rendered by {{- toYaml .Values.spec | nindent 2 }}"},
		"braces":                 {"metadata: {name: a}\nspec: {namespace: x, serviceAccount: {name: a}}\n", "", "t.yaml:4: its line contains something else"},
		"an only field":          {"metadata: {name: a}\nspec:\n  serviceAccount:\n    name: a\n", "", "t.yaml:5: without it, spec may be empty"},
		"an only field at times": {"metadata: {name: a}\nspec:\n  {{- if .Values.x }}\n  namespace: x\n  {{- end }}\n  serviceAccount:\n    name: a\n", "x: 1", "t.yaml:8: without it, spec may be empty"},
		"a line":                 {spec + "  {{ if true }}serviceAccount:\n    name: a{{ end }}\n  source: {}\n", "", "t.yaml:6: its line contains something else"},
		"open braces":            {spec + "  serviceAccount: {\n  name: a\n  }\n  source: {}\n", "", "braces on several lines"},
		"unknown lines":          {spec + "  serviceAccount:\n    name: a\n  {{- if .Values.x }}\n  {{- toYaml .Values.x | nindent 2 }}\n  {{- end }}\n  source: {}\n", "", "it is uncertain"},
		"mixed blocks":           {spec + "  serviceAccount:\n    name: a\n  {{- if .Values.x }}\n    more: x\n  other: x\n  {{- end }}\n  source: {}\n", "", "it is uncertain"},
		"half a block":           {spec + "  {{- if true }}\n  serviceAccount:\n  {{- end }}\n    name: a\n  source: {}\n", "", "not contiguous"},
		"a variable":             {spec + "  serviceAccount:\n    {{- $n := \"a\" }}\n    name: {{ $n }}\n  source: {a: {{ $n }}}\n", "", "the template is invalid without its lines: "},
		"no field":               {spec + "  source: {}\n", "", "there is no field spec.serviceAccount"},
		"a changed text":         {"metadata: {name: a}\nspec:\n{{ include \"spec\" . | upper | replace \"NAMESPACE\" \"namespace\" | replace \"SERVICEACCOUNT\" \"serviceAccount\" }}{{ define \"spec\" }}  namespace: x\n  serviceAccount: {name: a}{{ end }}", "", "it is not written in the template"},
		"more behind":            {spec + "  serviceAccount:\n    {{- print \"\\n    name: a\\n  source: {}\" }}\n", "", "it renders more than this field"},
		"nothing traced":         {spec + "  serviceAccount:\n    name: a\u2840{{ .Values.x }}\n", "", "t.yaml: the template line that wrote it is unknown"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			template, doc := firstExtension(t, chart(t, head+test.template, test.values))
			got, err := block.NewReader(nil).Field(template, doc, account)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q; %q", err, test.want, got.Source.Text[got.Span.Start:got.Span.End])
			}
		})
	}
}

func TestScalar(t *testing.T) {
	t.Parallel()
	name := manifest.Path{"metadata", "name"}
	tests := map[string]struct{ value, text, bare string }{
		"literal":        {"abc # c", "abc", "abc"},
		"an action":      {"{{ .Release.Name }}", "{{ .Release.Name }}", "{{ .Release.Name }}"},
		"both":           {"a-{{ include \"ops.fullname\" . }}-installer", "a-{{ include \"ops.fullname\" . }}-installer", "a-{{ include \"ops.fullname\" . }}-installer"},
		"quotes":         {"\"{{ .Release.Name }}-x\" # c", "\"{{ .Release.Name }}-x\"", "{{ .Release.Name }}-x"},
		"single quotes":  {"'{{ .Release.Name }}'", "'{{ .Release.Name }}'", "{{ .Release.Name }}"},
		"quote":          {"{{ .Release.Name | quote -}}", "{{ .Release.Name | quote -}}", "{{ .Release.Name }}"},
		"quote in front": {"{{ quote .Release.Name }}", "{{ quote .Release.Name }}", "{{ .Release.Name }}"},
		"JSON":           {"{{ toJson .Release.Name }}", "{{ toJson .Release.Name }}", ""},
		"escapes":        {`"\u0061{{ .Release.Name }}"`, `"\u0061{{ .Release.Name }}"`, ""},
		"conditions":     {"{{ if .Values.p }}{{ .Values.p }}-{{ end }}{{ .Release.Name }}{{ with .Values.s }}-x{{ end }}", "{{ if .Values.p }}{{ .Values.p }}-{{ end }}{{ .Release.Name }}{{ with .Values.s }}-x{{ end }}", "{{ if .Values.p }}{{ .Values.p }}-{{ end }}{{ .Release.Name }}{{ with .Values.s }}-x{{ end }}"},
		"a variable":     {"{{ $n }}-{{ $n | lower }}", "{{ $n }}-{{ $n | lower }}", "{{ $n }}-{{ $n | lower }}"},
	}
	for title, test := range tests {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			for _, layout := range []string{"metadata:\n  name: %s\nspec: {}\n", "metadata: {name: %s}\nspec: {}\n", "metadata: { a: b, name: %s, labels: {a: b} }\nspec: {}\n"} {
				if strings.Contains(layout, "{") && strings.ContainsAny(test.value, "#") || strings.Contains(test.value, "-}}") && strings.Contains(layout, "}\n") {
					continue
				}
				template, doc := firstExtension(t, chart(t, "{{ $n := \"A\" }}\n"+head+strings.Replace(layout, "%s", test.value, 1), ""))
				got, err := block.NewReader(nil).Scalar(template, doc, name)
				if err != nil {
					t.Fatalf("%v\n%s", err, template.Text)
				}
				if got.Text != test.text || got.Bare != test.bare {
					t.Errorf("got %q, bare %q\n%s", got.Text, got.Bare, template.Text)
				}
			}
		})
	}
}

// The lines of a field are recognized in another rendering of the chart.
func TestWrote(t *testing.T) {
	t.Parallel()
	template := "{{- range .Values.list }}\n---\n" + head + "metadata: {name: {{ .name }}}\nspec:\n  namespace: x\n  {{- with .account }}\n  serviceAccount:\n    name: {{ . }}\n  {{- end }}\n{{- end }}\n"
	templates := chart(t, template, "list: [{name: a, account: b}]")
	found, doc := firstExtension(t, templates)
	origin, err := block.NewReader(templates).Field(found, doc, account)
	if err != nil {
		t.Fatal(err)
	}
	if got := origin.Source.Text[origin.Key:]; !strings.HasPrefix(got, "serviceAccount:") {
		t.Errorf("the key is at %q", got)
	}
	for values, want := range map[string]int{"list: []": 0, "list: [{name: a}]": 0, "list: [{name: a, account: b}, {name: c}, {name: d, account: e}]": 2} {
		other := chart(t, template, values, "templates/u.yaml", "serviceAccount: {{ .Values.list | len }}\n")
		wrote := block.NewReader(other).Wrote(origin)
		if len(wrote) != want {
			t.Errorf("%s: wrote %v", values, wrote)
		}
		for _, w := range wrote {
			if !strings.HasPrefix(other[0].Text[w.Start:], "serviceAccount:") {
				t.Errorf("%s: %v is no field", values, w)
			}
		}
	}
}
