package helm_test

import (
	"strings"
	"testing"
)

// TestTemplatesRightByChance checks fixes that would be right with the known values only: they are refused.
func TestTemplatesRightByChance(t *testing.T) {
	t.Parallel()
	own := extensionText("argo", accountText("inst"))
	grant := "---\n" + bindingText("b", "view", "inst")
	admin := "---\n" + bindingText("c", "cluster-admin", "inst")
	helper := "{{- define \"sa\" }}\n" + accountText("inst") + "{{- end }}\n"
	withHelper := extensionText("argo", "  {{- include \"sa\" . }}\n")
	tests := map[string]struct {
		values, template string
		more             []string // files
		want             string
	}{
		"a literal subject for an account of the values": {values: "account: inst", template: extensionText("argo", accountText("{{ .Values.account }}")) + grant,
			want: "names {{ .Values.account }} at ops/templates/e.yaml:8:11, but the binding at ops/templates/e.yaml:11:1 names inst"},
		"an account of the values for a literal one": {values: "account: inst", template: own + "---\n" + bindingText("b", "view", "{{ .Values.account }}"),
			want: "names {{ .Values.account }}"},
		"another value": {values: "a: inst\nb: inst", template: extensionText("argo", accountText("{{ .Values.a }}")) + "---\n" + bindingText("b", "view", "{{ .Values.b }}"),
			want: "another account with other values"},
		"a default that the account does not have": {values: "a: inst", template: extensionText("argo", accountText("{{ .Values.a }}")) + "---\n" + bindingText("b", "view", "{{ .Values.a | default \"x\" }}"),
			want: "another account with other values"},
		"an account by mode": {values: "mode: a", template: extensionText("argo", accountText(`{{ if eq .Values.mode "a" }}inst{{ else }}other{{ end }}`)) + grant, want: "another account with other values"},
		"another namespace": {values: "ns: olm", template: strings.Replace(own, "namespace: olm", "namespace: {{ .Values.ns }}", 1) + grant,
			want: "names {{ .Values.ns }}"},
		"a variable that gets another value": {values: "a: inst", template: "{{ $a := .Values.a }}{{ if .Values.x }}{{ $a = \"y\" }}{{ end }}" + extensionText("argo", accountText("{{ $a }}")) + "---\n" + bindingText("b", "view", "{{ $a }}"),
			want: "another account with other values"},
		"a kind by values": {values: "cluster: true", template: own + strings.Replace(grant, "kind: ClusterRoleBinding", "kind: {{ if .Values.cluster }}Cluster{{ end }}RoleBinding", 1), want: "kind of ClusterRoleBinding"},
		"a role's kind":    {values: "kind: ClusterRole", template: own + strings.Replace(grant, "kind: ClusterRole,", "kind: {{ .Values.kind }},", 1), want: "roleRef.kind of ClusterRoleBinding"},
		"continue":         {values: extensionList, template: ranged("{{- if .skip }}{{ continue }}{{ end }}\n" + extensionText("{{ .name }}", accountText("inst")) + grant), want: "has a continue"},
		"break":            {values: extensionList, template: ranged(extensionText("{{ .name }}", accountText("inst")) + grant + "{{- if .last }}{{ break }}{{ end }}\n"), want: "has a break"},
		"a kind of each":   {values: "l: [{kind: ClusterExtension}]", template: "{{- range .Values.l }}\n" + strings.Replace(own, "kind: ClusterExtension", "kind: {{ .kind }}", 1) + "{{- end }}\n" + grant, want: "the kind of ClusterExtension argo is {{ .kind }}"},
		"a kind in a block of its own": {values: "a: b", want: "the kind of ClusterExtension argo is in a separate block at ops/templates/e.yaml:3:7",
			template: strings.Replace(own, "kind: ClusterExtension\n", "{{- if .Values.a }}\nkind: ClusterExtension\n{{- else }}\nkind: Other\n{{- end }}\n", 1) + grant},
		"a helper that is included where nothing gets to": {values: "x: 0", more: []string{"templates/_h.tpl", helper}, want: "ops/templates/e.yaml:24:3 includes \"sa\", which writes the field",
			template: withHelper + grant + ifSet(".Values.x", "---\nkind: Runner\nspec:\n  a: b\n  {{- include \"sa\" . }}\n")},
		"a second binding in a branch":  {values: "x: 0", template: own + grant + ifSet(".Values.x", admin), want: "ops/templates/e.yaml:"},
		"one of a subject by values":    {values: "x: 0", template: own + grant + ifSet(".Values.x", strings.Replace(admin, "name: inst", "name: {{ .Values.y }}", 1)), want: "may bind the account"},
		"one of all accounts":           {values: "x: 0", template: own + grant + ifSet(".Values.x", strings.NewReplacer("ServiceAccount", "Group", "name: inst", "name: system:serviceaccounts").Replace(admin)), want: "may bind the account"},
		"one in a helper":               {values: "x: 0", more: []string{"templates/_b.tpl", "{{- define \"b\" }}\n" + admin + "{{- end }}\n"}, template: own + grant + ifSet(".Values.x", "{{- include \"b\" . }}\n"), want: "may bind the account"},
		"a helper that binds once more": {values: "x: 0", more: []string{"templates/_b.tpl", "{{- define \"b\" }}\n---\n" + bindingText("b", "view", "{{ . }}") + "{{- end }}\n"}, template: own + grant + "{{- include \"b\" \"other\" }}\n" + ifSet(".Values.x", "{{- include \"b\" \"inst\" }}\n"), want: "includes a binding"},
		"a subchart that is off": {values: "sub: {on: false}", template: own + grant, want: "ops/charts/sub/templates/b.yaml:", more: []string{
			"charts/sub/Chart.yaml", "apiVersion: v2\nname: sub\nversion: 1.0.0\n", "charts/sub/templates/b.yaml", ifSet(".Values.on", admin)}},
		"another role in else": {values: "x: 1", want: "is part of a binding that no known set",
			template: own + strings.Replace(grant, "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}", "roleRef:\n  kind: ClusterRole\n  apiGroup: rbac.authorization.k8s.io\n  {{- if .Values.x }}\n  name: view\n  {{- else }}\n  name: admin\n  {{- end }}", 1)},
		"bound when there is no such binding":    {values: "x: 1", template: own + ifSet(`not (lookup "rbac.authorization.k8s.io/v1" "ClusterRoleBinding" "" "b")`, grant), want: "depends on lookup in the if at line"},
		"the same by a variable":                 {values: "x: 1", template: `{{- $there := lookup "v1" "ConfigMap" "" "b" }}` + "\n" + own + ifSet(`not $there`, grant), want: "depends on lookup"},
		"bound at the first installation":        {values: "x: 1", template: own + ifSet(".Release.IsInstall", grant), want: "depends on .Release.IsInstall"},
		"installed at the first one, by helpers": {values: "x: 1", more: []string{"templates/_n.tpl", "{{- define \"new\" }}{{ if not .Release.IsUpgrade }}1{{ end }}{{ end }}"}, template: ifSet(`include "new" .`, own+grant), want: "depends on .Release.IsUpgrade"},
		"kept":                                   {values: "x: 1", template: own + strings.Replace(grant, "  name: b\n", "  name: b\n  annotations: {helm.sh/resource-policy: keep}\n", 1), want: "has the annotation helm.sh/resource-policy"},
		"a name in a block": {values: "x: full", want: "the name at ops/templates/e.yaml:5:9 is in a separate block",
			template: strings.Replace(own, "  name: argo\n", "  {{- if .Values.x }}\n  name: {{ .Values.x }}\n  {{- else }}\n  name: argo\n  {{- end }}\n", 1) + grant},
		"another account in else": {values: "x: 1", want: "writes the account in the if at line",
			template: extensionText("argo", "  {{- if .Values.x }}\n"+accountText("inst")+"  {{- else }}\n"+accountText("other")+"  {{- end }}\n") + grant},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := opsChart(append(test.more, "values.yaml", test.values+"\n", "templates/e.yaml", test.template)...)
			work := repo.fixAll(t, repo.context(t, "", nil))
			if len(work.Outcomes) == 0 || work.Outcomes[0].Refusal == nil {
				t.Fatalf("it is fixed: %s", repo.carriedOut(work.Plans()).generatedSince(repo))
			}
			if got := work.Outcomes[0].Refusal.Reason; !strings.Contains(got, test.want) {
				t.Errorf("%q is not in %q", test.want, got)
			}
		})
	}
}

// TestTemplatesCertain checks that a fix is made if templates differ only in words, or cannot concern the account.
func TestTemplatesCertain(t *testing.T) {
	t.Parallel()
	own := extensionText("argo", accountText("inst"))
	grant := "---\n" + bindingText("b", "view", "inst")
	tests := map[string]struct {
		values, template string
		unseen           []string
	}{
		"one variable, and what it stands for": {"a: inst", "{{ $v := .Values }}{{ $a := $v.a }}\n" + extensionText("argo", accountText("{{ $a | quote }}")) + "---\n" + bindingText("b", "view", `"{{ $.Values.a }}"`), []string{"a: other"}},
		"a choice in the same words": {"mode: a", extensionText("argo", accountText(`{{ if eq .Values.mode "a" }}inst{{ else }}other{{ end }}`)) + "---\n" + bindingText("b", "view", `{{ if eq $.Values.mode "a" }}inst{{ else }}other{{ end }}`),
			[]string{"mode: b"}},
		"parts of a dict": {extensionList, "{{- range .Values.extensions }}\n{{- include \"one\" (dict \"it\" . \"top\" $) }}\n{{- end }}\n{{- define \"one\" }}\n---\n" +
			extensionText("{{ .it.name }}", accountText("{{ .it.name }}-i")) + "---\n" + bindingText("b-{{ .it.name }}", "view", "{{ $.it.name }}-i") + "{{- end }}\n", []string{otherList}},
		"a binding of somebody else, off":           {"x: 0", own + grant + ifSet(".Values.x", "---\n"+bindingText("c", "admin", "other")), []string{"x: 1"}},
		"labels that are off":                       {"x: 0", own + strings.Replace(grant, "  name: b\n", "  name: b\n  {{- if .Values.x }}\n  labels: {a: b}\n  {{- end }}\n", 1), []string{"x: 1"}},
		"both when there is nothing on the cluster": {"x: 0", ifSet(`not (lookup "v1" "ConfigMap" "" "b")`, own+grant), []string{"x: 1"}},
		"a loop inside of the loop that is left":    {extensionList, ranged(extensionText("{{ .name }}\n  labels:\n    a: b{{ range .more }}{{ break }}{{ end }}", accountText("inst")) + grant), []string{otherList}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := opsChart("values.yaml", test.values+"\n", "templates/e.yaml", test.template)
			c := repo.context(t, "", nil)
			work := repo.fixAll(t, c)
			for _, o := range work.Outcomes {
				if o.Refusal != nil {
					t.Fatal(o.Refusal)
				}
			}
			after := repo.checkDeclared(t, c, work.Plans())
			for _, values := range test.unseen {
				repo.checkValues(t, after, values)
			}
		})
	}
}
