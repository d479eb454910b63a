package helm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/olm"
)

const (
	extensionList = "extensions: [{name: a, account: a-installer}, {name: b, account: b-installer}, {name: c}]\n"
	otherList     = "extensions: [{name: x, account: xx}, {name: z, off: true}]\n"
)

// ranged writes a text for each extension of the values.
func ranged(text string) string {
	return "{{- range .Values.extensions }}\n---\n" + text + "{{- end }}\n"
}

// ifSet writes a text if a value is set.
func ifSet(value, text string) string { return "{{- if " + value + " }}\n" + text + "{{- end }}\n" }

// withSet writes a text with a value as its dot if the value is set.
func withSet(value, text string) string { return "{{- with " + value + " }}\n" + text + "{{- end }}\n" }

// templateCase is a chart whose accounts are removed.
type templateCase struct {
	repo    chartRepo
	grant   string
	targets map[string]string
	// unseen are values that the fix does not have.
	unseen []string
	// generated is the text of the generated template, if it matters.
	generated string
}

func templateCases() map[string]templateCase {
	elementAccount := "  {{- with .account }}\n" + accountText("{{ . }}") + "  {{- end }}\n"
	return map[string]templateCase{
		"ignored": {
			repo:    opsChart("templates/e.yaml", extensionText("argo", accountText("inst"))),
			targets: map[string]string{"ops": "ignored"},
		},
		"literal": {
			repo:      opsChart("templates/e.yaml", extensionText("argo", accountText("inst"))+"---\n"+bindingText("b", "cluster-admin", "inst")),
			unseen:    []string{"x: y"},
			generated: "---\n" + generatedText("argo", "cluster-admin"),
		},
		"names from a helper": {
			repo: opsChart("templates/e.yaml", extensionText(`{{ include "ops.fullname" . | quote }}`, accountText(`{{ include "ops.fullname" . }}`)),
				"templates/rbac.yaml", bindingText("b", `{{ include "ops.fullname" . }}-role`, `{{ include "ops.fullname" . }}`)),
			generated: "---\n" + generatedText(`{{ include "ops.fullname" . }}`, `{{ include "ops.fullname" . }}-role`),
		},
		"a long name that is literal": {
			repo: opsChart("templates/e.yaml", extensionText("argo", accountText("inst"))+"---\n"+bindingText("b", strings.Repeat("long-", 12)+"role", "inst")),
		},
		"a range with accounts for some": {
			repo: opsChart("values.yaml", extensionList, "templates/e.yaml", ranged(extensionText("{{ .name }}", elementAccount)),
				"templates/rbac.yaml", ranged(ifSet(".account", bindingText("b-{{ .name }}", "admin", "{{ .account }}")))),
			unseen: []string{"extensions: []", otherList},
			generated: "{{- range .Values.extensions }}\n{{- $extension := . }}\n{{- with .account }}\n---\n" +
				generatedText("{{ $extension.name }}", "admin") + "{{- end }}\n{{- end }}\n",
		},
		"a role of each": {
			repo: opsChart("values.yaml", extensionList, "templates/e.yaml", ranged(ifSet("not .off", extensionText("{{ .name }}", elementAccount)+
				ifSet(".account", "---\n"+bindingText("b-{{ .name }}", "{{ $.Release.Name }}-{{ .name }}", "{{ .account }}"))))),
			unseen: []string{otherList},
		},
		"a role of all": {
			repo: opsChart("values.yaml", extensionList+"rbac: true\n", "templates/e.yaml", ranged(ifSet(".account", extensionText("{{ .name }}", accountText("inst")))),
				"templates/rbac.yaml", ifSet(".Values.rbac", bindingText("b", `{{ .Release.Name }}-{{ include "ops.fullname" . }}`, "inst"))),
			unseen: []string{otherList, "rbac: true\n" + otherList},
		},
		"bindings only where a value says so": {
			repo: opsChart("values.yaml", "admin: true\n", "templates/e.yaml", extensionText("argo", accountText("inst"))+
				ifSet(".Values.admin", "---\n"+bindingText("b", "cluster-admin", "inst"))),
			unseen: []string{"admin: false"},
		},
		"else, and conditions outside of a range": {
			repo: opsChart("values.yaml", extensionList+"admin: true\n", "templates/e.yaml", ranged(extensionText("{{ .name }}", elementAccount)),
				"templates/rbac.yaml", "{{- if .Values.none }}\n{{- else if .Values.admin }}\n"+ranged(ifSet(".account", bindingText("b-{{ .name }}", "admin", "{{ .account }}")))+"{{- end }}\n"),
			unseen: []string{"admin: true\n" + otherList, "none: 1\n" + otherList, otherList},
		},
		"blocks that ask for the same, with a dot of their own": {
			repo: opsChart("values.yaml", "account: inst\n", "templates/e.yaml", extensionText("argo", withSet(".Values.account", accountText("{{ . }}"))),
				"templates/rbac.yaml", withSet(".Values.account", bindingText("b", "op-role", "{{ . }}"))),
			unseen:    []string{"account: other", "account: ''"},
			generated: "{{- with .Values.account }}\n---\n" + generatedText("argo", "op-role") + "{{- end }}\n",
		},
		"a role by $ in a with that asks for more": {
			repo: opsChart("values.yaml", "rbac: {live: true}\n", "templates/e.yaml", extensionText("argo", accountText("inst")),
				"templates/rbac.yaml", withSet(".Values.rbac", ifSet(".live", bindingText("b", "x", "other")+"---\n")+bindingText("c", "{{ $.Release.Name }}-r", "inst"))),
			unseen:    []string{"rbac: {live: false}", "rbac: null"},
			generated: "{{- if .Values.rbac }}\n---\n" + generatedText("argo", "{{ $.Release.Name }}-r") + "{{- end }}\n",
		},
		"a with for each of a range": {
			repo: opsChart("values.yaml", extensionList, "templates/e.yaml", ranged(extensionText("{{ .name }}", elementAccount)),
				"templates/rbac.yaml", ranged(withSet(".account", bindingText("b-{{ . }}", "admin", "{{ . }}")))),
			unseen: []string{otherList, "extensions: []"},
		},
		"hooks, line ends of Windows, a byte order mark": {
			repo: opsChart("values.yaml", "wave: -2\n", "templates/e.yaml", "\xef\xbb\xbf"+strings.ReplaceAll(
				extensionText("\"{{ .Release.Name }}\"\n  annotations:\n    helm.sh/hook: post-install\n    argocd.argoproj.io/sync-wave: {{ .Values.wave | quote }}", accountText("inst"))+
					"---\n"+bindingText("b", "cluster-admin", "inst"), "\n", "\r\n")),
			unseen: []string{"wave: 3"},
		},
		"a helper for each": {
			repo: opsChart("values.yaml", extensionList, "templates/e.yaml", "{{- range .Values.extensions }}\n{{- if .account }}\n{{ include \"ext\" (dict \"root\" $ \"item\" .) }}\n{{- end }}\n{{- end }}\n",
				"templates/_e.tpl", "{{- define \"ext\" }}\n---\n"+extensionText("{{ .item.name }}", accountText("{{ .item.account }}"))+"---\n"+
					bindingText("b-{{ .item.name }}", "r-{{ .item.name }}", "{{ .item.account }}")+"{{- end }}\n"),
			unseen: []string{"extensions: [{name: x, account: xx}]"},
		},
		"a set for which it does not matter": {
			repo: opsChart("values.yaml", extensionList, "ci/more-values.yaml", "extensions: [{name: d, account: e}]\n",
				"templates/e.yaml", ranged(extensionText("{{ .name }}", elementAccount)),
				"templates/rbac.yaml", ranged(ifSet(".account", bindingText("b-{{ .name }}", "admin", "{{ .account }}")))),
			targets: map[string]string{"ops with ci/more-values.yaml": "ignored"},
		},
		"several sets of values": {
			repo: opsChart("values.yaml", extensionList, "ci/none-values.yaml", "extensions: []\n", "ci/more-values.yaml", "extensions: [{name: d, account: e}]\n",
				"templates/e.yaml", ranged(extensionText("{{ .name }}", elementAccount)),
				"templates/rbac.yaml", "{{- range $i, $e := .Values.extensions }}\n"+ifSet("$e.account", "---\n"+bindingText("b-{{ $i }}", "admin", "{{ $e.account }}"))+"{{- end }}\n"),
			unseen: []string{otherList},
		},
		"the index of a loop is not known elsewhere": {
			repo: opsChart("values.yaml", extensionList, "templates/e.yaml", "{{- range $n, $e := .Values.extensions }}\n---\n"+
				extensionText("{{ $e.name }}-{{ $n }}", strings.ReplaceAll(elementAccount, ".account", "$e.account"))+
				"---\n"+bindingText("b-{{ $n }}", "r-{{ $n }}", "{{ $e.account }}")+"{{- end }}\n"),
		},
		"a role in a namespace": {
			repo: opsChart("templates/e.yaml", extensionText("argo", accountText("inst"))+"---\n"+strings.Replace(
				strings.Replace(bindingText("b", "edit", "inst"), "ClusterRoleBinding", "RoleBinding", 1), "name: b\n", "name: b\n  namespace: {{ .Release.Namespace }}-x\n", 1)),
			unseen: []string{"x: y"},
		},
		"a role that the user names": {
			repo:  opsChart("templates/e.yaml", extensionText("{{ .Release.Name }}", accountText("inst"))),
			grant: "role=view",
		},
		"the group": {
			repo:  opsChart("templates/e.yaml", extensionText("{{ .Release.Name }}", accountText("inst"))+"---\n"+bindingText("b", "view", "inst")),
			grant: "group",
		},
		"a subchart": {
			repo: opsChart("charts/sub/Chart.yaml", "apiVersion: v2\nname: sub\nversion: 1.0.0\n", "charts/sub/values.yaml", "name: s\n",
				"charts/sub/templates/e.yaml", extensionText("{{ .Values.name }}", accountText("inst"))+"---\n"+bindingText("b", "r-{{ .Values.name }}", "inst")),
			unseen: []string{"sub: {name: t}"},
		},
		"nothing but empty accounts": {
			repo: opsChart("templates/e.yaml", extensionText("argo", "  serviceAccount: {}\n")),
		},
	}
}

func generatedText(extension, role string) string {
	return `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: olm-clusterextension-` + extension + "-" + role + `
  labels:
    app.kubernetes.io/managed-by: salint
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ` + role + `
subjects:
- apiGroup: rbac.authorization.k8s.io
  kind: User
  name: olm:clusterextension:` + extension + "\n"
}

// TestTemplates checks that the charts render what a plan declares, and that with unknown values too, identities keep what
// they had.
func TestTemplates(t *testing.T) {
	t.Parallel()
	for name, test := range templateCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := test.repo.context(t, test.grant, test.targets)
			work := test.repo.fixAll(t, c)
			for _, o := range work.Outcomes {
				if o.Refusal != nil {
					t.Fatal(o.Refusal)
				}
			}
			if len(work.Plans()) != 1 {
				t.Errorf("%d plans for one edit", len(work.Plans()))
			}
			after := test.repo.checkDeclared(t, c, work.Plans())
			if diff := cmp.Diff(test.generated, after.generatedSince(test.repo)); diff != "" && test.generated != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, values := range test.unseen {
				test.repo.checkValues(t, after, values)
			}
			if again := after.fixAll(t, after.context(t, test.grant, test.targets)); len(again.Outcomes) > 0 {
				t.Errorf("a second run has something to do")
			}
		})
	}
}

// TestBindInTemplates checks that a role is granted to all extensions that one place writes, or to none.
func TestBindInTemplates(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ template, values, want string }{
		"each of a range": {template: ranged(extensionText("{{ .name }}", "")), values: extensionList},
		"one":             {template: ifSet(".Values.live", extensionText("{{ .Release.Name }}", "")), values: "live: 1\n"},
		"an account in one set": {template: extensionText("argo", ifSet(".Values.extensions", accountText("inst"))), values: "x: y\n",
			want: "ClusterExtension argo has an account in the chart ops with ci/c-values.yaml and none in the chart ops with its own values, and one"},
		"one has an account": {template: ranged(extensionText("{{ .name }}", "  {{- with .account }}\n"+accountText("{{ . }}")+"  {{- end }}\n")), values: extensionList,
			want: "ClusterExtension a in the chart ops with its own values has an account, but ClusterExtension c from the same template has none"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := opsChart("templates/e.yaml", test.template, "values.yaml", test.values, "ci/c-values.yaml", "extensions: [{name: z}]\n")
			c := repo.context(t, "role=view", map[string]string{"ops with ci/c-values.yaml": "ignored"})
			work := repo.ask(t, c, "bind-synthetic-identity", func(state olm.AccountState) bool { return state == olm.Absent })
			if test.want != "" {
				if got := work.Outcomes[0].Refusal; got == nil || !strings.Contains(got.Reason, test.want) {
					t.Errorf("got %v", got)
				}
				return
			}
			if len(work.Plans()) != 1 || work.Outcomes[0].Refusal != nil {
				t.Fatalf("%+v", work.Outcomes)
			}
			repo.checkDeclared(t, c, work.Plans())
		})
	}
}
