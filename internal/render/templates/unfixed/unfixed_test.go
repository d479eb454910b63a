package unfixed_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render/templates/unfixed"
)

const (
	binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: x
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: User, name: x}]
`
	config = `apiVersion: v1
kind: ConfigMap
metadata:
  name: x
`
	helpers = `{{- define "x.fullname" -}}
{{- if contains "x" .Release.Name }}
{{- .Release.Name | trunc 63 }}
{{- else }}
{{- printf "%s-%s" .Release.Name "x" }}
{{- end }}
{{- end }}
{{- define "x.apiVersion" }}{{ if .Capabilities.APIVersions.Has "rbac.authorization.k8s.io/v1" }}rbac.authorization.k8s.io/v1{{ else }}v1beta1{{ end }}{{ end }}
{{- define "x.role" }}{{ if eq .Release.Name "prod" }}cluster-admin{{ else }}view{{ end }}{{ end }}
{{- define "x.binding" }}` + binding + `{{ end }}
{{- define "x.exists" }}{{ if lookup "v1" "Secret" "a" "b" }}true{{ end }}{{ end }}`
)

func when(condition, body string) string {
	return fmt.Sprintf("{{ if %s }}\n%s{{ end }}\n", condition, body)
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		template string
		want     int
		fixed    bool
	}{
		"objects on the cluster":            {template: when(`lookup "v1" "Namespace" "" "default"`, binding), want: 1},
		"of something else":                 {template: when(`lookup "v1" "Namespace" "" "default"`, config)},
		"an upgrade":                        {template: when(`.Release.IsUpgrade`, binding), want: 1},
		"the version of Kubernetes":         {template: when(`semverCompare ">=1.36-0" .Capabilities.KubeVersion.Version`, binding), want: 1},
		"the version of Helm":               {template: when(`semverCompare ">=4.0.0-0" .Capabilities.HelmVersion.Version`, binding), want: 1},
		"the name of the release":           {template: when(`eq .Release.Name "prod"`, binding), want: 1},
		"a name that is known":              {template: when(`eq .Release.Name "prod"`, binding), fixed: true},
		"the namespace":                     {template: when(`ne $.Release.Namespace "prod"`, binding), want: 1},
		"a chart of its own":                {template: when(`.Chart.IsRoot`, binding), want: 1},
		"the name of the chart":             {template: when(`eq .Chart.Name "x"`, binding)},
		"values":                            {template: when(`.Values.rbac.create`, binding)},
		"the clock":                         {template: when(`eq (now | date "Mon") "Mon"`, binding), want: 1},
		"chance":                            {template: when(`eq (randNumeric 1) "1"`, binding), want: 1},
		"a variable":                        {template: "{{ $x := .Release.IsInstall }}\n" + when(`not $x`, binding), want: 1},
		"a stored value":                    {template: `{{ $_ := set .Values "admin" (lookup "v1" "Pod" "" "") }}` + when(`.Values.admin`, binding), want: 1},
		"an index":                          {template: when(`eq (index .Release "Revision") 2`, binding), want: 1},
		"a named template":                  {template: when(`include "x.exists" .`, binding), want: 1},
		"a binding in a named template":     {template: when(`.Release.IsUpgrade`, `{{ include "x.binding" . }}`), want: 1},
		"a name from that of the release":   {template: "kind: RoleBinding\nmetadata: {name: {{ include \"x.fullname\" . }}}\nroleRef:\n  kind: Role\n  name: {{ include \"x.fullname\" . }}\nsubjects:\n- kind: ServiceAccount\n  namespace: {{ .Release.Namespace }}\n"},
		"a role from the name":              {template: "kind: RoleBinding\nroleRef:\n  kind: ClusterRole\n  name: {{ include \"x.role\" . }}\n", want: 1},
		"a role that is chosen":             {template: "kind: RoleBinding\nroleRef:\n  kind: ClusterRole\n  name: {{ ternary \"cluster-admin\" \"view\" .Release.IsUpgrade }}\n", want: 1},
		"a role that the namespace chooses": {template: "{{ $r := ternary \"cluster-admin\" \"view\" (eq .Release.Namespace \"a\") }}kind: RoleBinding\nroleRef:\n  kind: ClusterRole\n  name: {{ $r }}\n", want: 1},
		"a role that the name looks up":     {template: "{{ $r := get (dict \"prod\" \"cluster-admin\") .Release.Name }}kind: RoleBinding\nroleRef:\n  kind: ClusterRole\n  name: {{ $r }}\n", want: 1},
		"a role of a name that is chosen":   {template: "{{ $r := ternary .Release.Name (printf \"%s-x\" .Release.Name) (contains \"x\" .Release.Name) }}kind: RoleBinding\nroleRef:\n  kind: ClusterRole\n  name: {{ $r }}\n"},
		"a kind that is chosen":             {template: "kind: {{ ternary \"ClusterRoleBinding\" \"ConfigMap\" .Release.IsUpgrade }}\nroleRef: {}\n", want: 1},
		"the version of an API":             {template: "apiVersion: {{ include \"x.apiVersion\" . }}\nkind: Role\nrules: []\n"},
		"the version of an API in a branch": {template: "{{ if .Capabilities.APIVersions.Has \"a\" }}\napiVersion: a/v1\n{{ else }}\napiVersion: a/v2\n{{ end }}\nkind: Role\nrules: []\n"},
		"labels":                            {template: "kind: Role\nmetadata:\n  labels:\n{{ if .Release.IsInstall }}\n    a: b\n{{ end }}\nrules: []\n"},
		"labels for aggregation":            {template: "kind: ClusterRole\nmetadata:\n  labels:\n{{ if .Release.IsInstall }}\n    rbac.authorization.k8s.io/aggregate-to-edit: \"true\"\n{{ end }}\nrules: []\n", want: 1},
		"a rule":                            {template: "kind: Role\nrules:\n- verbs: [get]\n{{ if .Release.IsInstall }}\n- verbs: [\"*\"]\n{{ end }}\n", want: 1},
		"the object beside it":              {template: config + "  labels: {a: {{ .Release.Revision }}}\n---\n" + binding},
		"the account of a pod":              {template: "kind: Deployment\nspec:\n{{ if .Release.IsUpgrade }}\n      serviceAccountName: admin\n{{ end }}\n", want: 1},
		"replicas":                          {template: "kind: Deployment\nspec:\n{{ if .Release.IsUpgrade }}\n  replicas: 2\n{{ end }}\n"},
		"a file":                            {template: when(`.Release.IsUpgrade`, `{{ .Files.Get "x.txt" }}`), want: 1},
		"notes":                             {template: ""},
	} {
		c := unfixed.New(map[string]string{"templates/x.yaml": test.template, "templates/_helpers.tpl": helpers, "templates/NOTES.txt": when(`.Release.IsUpgrade`, binding)}, test.fixed)
		var lines []string
		for _, b := range c.Blocks() {
			lines = append(lines, fmt.Sprintf("%s:%d %s", b.File, b.Line, b.Because))
		}
		if diff := cmp.Diff(test.want, len(lines)); diff != "" {
			t.Errorf("%s: %s %q", name, diff, lines)
		}
	}
}

func TestBlocksOfRenderedTexts(t *testing.T) {
	t.Parallel()
	rule := "kind: Role\nrules:\n- resources: [{{ tpl .Values.x . }}]\n"
	list := "kind: List\nitems:\n{{ toYaml .Values.items }}\n"
	for name, test := range map[string]struct {
		template, values string
		want             int
	}{
		"a value that varies":            {rule, `{{ if .Release.IsUpgrade }}secrets{{ else }}pods{{ end }}`, 1},
		"a value that is fixed":          {rule, `{{ .Values.y }}`, 0},
		"a value in metadata":            {"kind: Role\nmetadata:\n  labels: {a: {{ tpl .Values.x . }}}\nrules: []\n", `{{ .Release.Revision }}`, 0},
		"a list of values":               {when(`.Release.IsUpgrade`, list), "", 1},
		"a list of values for all cases": {list, "", 0},
	} {
		c := unfixed.New(map[string]string{"templates/x.yaml": test.template, "values.yaml": test.values}, false)
		if got := len(c.Blocks()); got != test.want {
			t.Errorf("%s: %d blocks, want %d", name, got, test.want)
		}
	}
}
