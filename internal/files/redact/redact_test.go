package redact

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// masked returns a file as a report would show it: each hidden byte becomes a dot.
func masked(text string) string {
	out := []byte(text)
	for _, span := range Spans("secret.yaml", out) {
		copy(out[span.Start:span.End], bytes.Repeat([]byte("."), span.End-span.Start))
	}
	return string(out)
}

// lines writes a manifest with one argument per line.
func lines(text ...string) string { return strings.Join(text, "\n") + "\n" }

func TestSpans(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text, want string
	}{
		{
			name: "no secret, the same field",
			text: lines("kind: ConfigMap", "data:", "  a: b # of no Secret"),
			want: lines("kind: ConfigMap", "data:", "  a: b # of no Secret"),
		},
		{
			name: "block style",
			text: lines("kind: Secret", "type: Opaque # kept", "metadata:", "  name: x", "data:", "  a: cGFzcw=="),
			want: lines("kind: Secret", "type: Opaque ......", "metadata:", "  name: x", "data:", "  ..........."),
		},
		{
			name: "comments before, between and behind",
			text: lines("# head", "stringData: # was old", "  a: b", "  # c: old", "kind: Secret", "# d: old"),
			want: lines("......", "stringData: .........", "  ....", "  ........", "kind: Secret", "........"),
		},
		{
			name: "misspelt field",
			text: lines("kind: Secret", "stringdata: {a: b}"),
			want: lines("kind: Secret", "..........: ......"),
		},
		{
			name: "JSON on one line",
			text: `{"kind":"Secret","data":{"a":"b"},"type":"Opaque"}`,
			want: `{"kind":"Secret","data":.........,"type":"Opaque"}`,
		},
		{
			name: "what kubectl applied last",
			text: lines("kind: Secret", "metadata:", "  annotations:", "    "+"kubectl.kubernetes.io/last-applied-configuration"+": '{\"data\":1}'", "    b: c", "    helm.sh/hook: x"),
			want: lines("kind: Secret", "metadata:", "  annotations:", "    "+"kubectl.kubernetes.io/last-applied-configuration"+": ............", "    b: .", "    helm.sh/hook: x"),
		},
		{
			name: "inside a List, neighbors shown",
			text: lines("kind: List", "items:", "- kind: Secret", "  data: {a: b}", "- kind: ConfigMap", "  data: {a: b}"),
			want: lines("kind: List", "items:", "- kind: Secret", "  data: ......", "- kind: ConfigMap", "  data: {a: b}"),
		},
		{
			name: "second document",
			text: lines("kind: Secret", "data: {a: b}", "---", "kind: ConfigMap", "data: {a: b}"),
			want: lines("kind: Secret", "data: ......", "---", "kind: ConfigMap", "data: {a: b}"),
		},
		{
			name: "embedded in a text",
			text: lines("kind: ConfigMap", "data:", "  a: |", "    kind: Secret", "    data:", "      b: c", "  d: e"),
			want: lines("kind: ConfigMap", "data:", "  a: "+strings.Repeat(".", 39), "  d: e"),
		},
		{
			name: "generator of a kustomization",
			text: lines("kind: Kustomization", "secretGenerator:", "- name: x", "resources: [a.yaml]"),
			want: lines("kind: Kustomization", "secretGenerator:", "..........resources: [a.yaml]"),
		},
		{
			name: "behind an alias: the whole document",
			text: lines("x: &x {a: b}", "kind: Secret", "data: *x"),
			want: strings.Repeat(".", 35),
		},
		{
			name: "template that is not YAML: the whole document",
			text: lines("kind: Secret", "data: {{ .Values.x }}", "  a: b"),
			want: strings.Repeat(".", 42),
		},
		{
			name: "template of a workload that uses a Secret",
			text: lines("kind: Job", "args: [{{ .x }}/b, \"{\\\"a\\\":1}\"]", "imagePullSecrets: [{name: x}]", "secretKeyRef: {key: data}"),
			want: lines("kind: Job", "args: [{{ .x }}/b, \"{\\\"a\\\":1}\"]", "imagePullSecrets: [{name: x}]", "secretKeyRef: {key: data}"),
		},
		{
			name: "part of a template that is named after a Secret",
			text: lines("{{ define \"app.secret\" }}", "a: b: c", "{{ end }}"),
			want: strings.Repeat(".", 44),
		},
		{
			name: "template with data: its lines",
			text: lines("kind: {{ .Values.kind }}", "data:", "  a: b", "{{ if .Values.c }}", "  # was c", "  c: d", "{{ end }}", "metadata: {name: x}", "stringData: {a: b}"),
			want: lines("kind: {{ .Values.kind }}", strings.Repeat(".", 59), "metadata: {name: x}", strings.Repeat(".", 19)),
		},
		{
			name: "template of a Secret in a text, and with letters as escapes",
			text: lines("a: {{ .x }}/b", `b: "{\"kind\":\"Secret\"}"`, "---", "a: {{ .x }}/b", `kind: "\x53ecret"`),
			want: strings.Repeat(".", 77),
		},
		{
			name: "comment above, in the document before",
			text: lines("kind: Role", "rules: [] # kept", "# was b", "---", "kind: Secret", "data: {a: b}"),
			want: lines("kind: Role", "rules: [] # kept", ".......", "---", "kind: Secret", "data: ......"),
		},
		{
			name: "kinds in other forms",
			text: lines("kind: \"\\x53ecret\"", "data: {a: b}", "---", "kind: !!binary U2VjcmV0", "data: {a: b}", "---", "kind: secret", "data: {a: b}"),
			want: lines("kind: \"\\x53ecret\"", "data: ......", "---", "kind: !!binary U2VjcmV0", "data: ......", "---", "kind: secret", "data: ......"),
		},
		{
			name: "list of Secrets",
			text: lines("kind: SecretList", "items:", "- data: {a: b}"),
			want: lines("kind: SecretList", ".....:", ".............."),
		},
		{
			name: "comments in metadata",
			text: lines("kind: Secret", "metadata: # was b", "  name: x # was b", "  labels: {a: b}"),
			want: lines("kind: Secret", "metadata: .......", "  name: x .......", "  labels: {a: b}"),
		},
		{
			name: "Secret whose token a controller fills in",
			text: lines("kind: Secret", "type: kubernetes.io/service-account-token", "metadata: # made by hand", "  name: x # key: value"),
			want: lines("kind: Secret", "type: kubernetes.io/service-account-token", "metadata: # made by hand", "  name: x ............"),
		},
		{
			name: "the same with data",
			text: lines("kind: Secret", "type: kubernetes.io/service-account-token", "metadata: # made by hand", "data: {a: b}"),
			want: lines("kind: Secret", "type: kubernetes.io/service-account-token", "metadata: ..............", "data: ......"),
		},
		{
			name: "operations of a JSON patch",
			text: lines("- op: add", "  path: /data/a", "  value: b # c", "- {op: add, path: /metadata/a, value: b}"),
			want: lines("- op: add", "  path: .......", "  value: . ...", "- {op: add, path: /metadata/a, value: b}"),
		},
		{
			name: "patch of a Secret",
			text: lines("patches:", "- target: {kind: Secret}", "  patch: '[{}]'", "- target: {kind: Role}", "  patch: '[{}]'"),
			want: lines("patches:", "- target: {kind: Secret}", "  patch: ......", "- target: {kind: Role}", "  patch: '[{}]'"),
		},
		{
			name: "reference to a Secret, comment and all",
			text: lines("substituteFrom: # all of them", "- {kind: Secret, name: x, optional: true} # for x", "- kind: Secret # of it", "  name: y"),
			want: lines("substituteFrom: # all of them", "- {kind: Secret, name: x, optional: true} # for x", "- kind: Secret # of it", "  name: y"),
		},
		{
			name: "name beside something that may be data",
			text: lines("- {kind: Secret, name: x, key: y}", "- kind: Secret", "  name: {a: b}"),
			want: lines("- {kind: Secret, ....: ., ...: .}", "- kind: Secret", "  ....: ......"),
		},
		{
			name: "kind that only sounds like it",
			text: lines("kind: SecretStore", "data: {a: b}"),
			want: lines("kind: SecretStore", "data: {a: b}"),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(flatten(test.want), flatten(masked(test.text))); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
		})
	}
}

// flatten removes line ends, because a hidden part can include them or not.
func flatten(text string) string { return strings.NewReplacer("\n", "", ".", "·").Replace(text) }

func TestSpansAreSortedAndDisjoint(t *testing.T) {
	t.Parallel()
	text := lines("kind: List", "items:", "- {kind: Secret, data: {a: b}, x: y}", "- kind: Secret", "  z: {a: b}")
	end := 0
	for _, span := range Spans("list.yaml", []byte(text)) {
		if span.Start < end || span.End <= span.Start {
			t.Errorf("span %v after offset %d", span, end)
		}
		end = span.End
	}
	if end == 0 {
		t.Error("nothing is hidden")
	}
}
