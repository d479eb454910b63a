package verify_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/proof/verify/verifytest"
)

const (
	extensionTemplate = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: {{ .Values.name }}
spec:
  namespace: harbor
{{- if .Values.account }}
  serviceAccount:
    name: {{ .Values.account }}
{{- end }}
`
	accountLines = "{{- if .Values.account }}\n  serviceAccount:\n    name: {{ .Values.account }}\n{{- end }}\n"
	roleTemplate = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: '{{ .Values.name }}-more'}\nrules: []\n"
)

// chart has two sets of values; only one of them sets an account.
func chart() verifytest.Repo {
	return verifytest.Repo{
		"charts/harbor/Chart.yaml":               "apiVersion: v2\nname: harbor\nversion: 1.0.0\n",
		"charts/harbor/values.yaml":              "name: harbor\naccount: installer\n",
		"charts/harbor/ci/none-values.yaml":      "name: plain\naccount: ''\n",
		"charts/harbor/templates/extension.yaml": extensionTemplate,
	}
}

// cut replaces a text in the template.
func cut(old, new string) engine.TextChange {
	start := strings.Index(extensionTemplate, old)
	return engine.TextChange{
		File: "charts/harbor/templates/extension.yaml",
		Span: manifest.Span{Start: start, End: start + len(old)}, New: new,
	}
}

// withField returns the units of the chart that set an account.
func withField(c *engine.Context) []*objects.Unit {
	var units []*objects.Unit
	for _, u := range c.Repo.Units {
		for _, o := range u.Objects {
			if o.Node.Lookup(path(field)) != nil {
				units = append(units, u)
			}
		}
	}
	return units
}

func TestCharts(t *testing.T) {
	t.Parallel()
	remove := func(p *engine.Plan, units ...*objects.Unit) {
		for _, u := range units {
			p.Applied = append(p.Applied, engine.AppliedChange{Unit: u, Object: u.Objects[0], Op: engine.RemoveValue, Path: path(field)})
		}
	}
	generate := func(c *engine.Context, p *engine.Plan, names ...string) {
		id := engine.ObjectName{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: "{{ .Values.name }}-more"}
		p.Documents = []engine.Document{{File: "charts/harbor/templates/more.yaml", Object: id, Text: roleTemplate, Template: true}}
		for i, u := range c.Repo.Units {
			role := map[string]any{
				"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
				"metadata": map[string]any{"name": names[i]}, "rules": []any{},
			}
			p.Added = append(p.Added, engine.AppliedObject{Unit: u, JSON: role})
		}
	}
	for name, c := range map[string]builtCase{
		"as declared": {plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
			p.Texts = []engine.TextChange{cut(accountLines, "")}
			remove(p, withField(c)...)
		}},
		"not declared": {
			plan: func(_ *testing.T, _ *engine.Context, p *engine.Plan) {
				p.Texts = []engine.TextChange{cut(accountLines, "")}
			},
			want: "ClusterExtension harbor: spec would differ from the declared change: change it by hand",
		},
		"declared where it is not": {
			plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
				p.Texts = []engine.TextChange{cut(accountLines, "")}
				remove(p, c.Repo.Units...)
			},
			want: "ClusterExtension plain: spec.serviceAccount does not exist",
		},
		"another field too": {
			plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
				p.Texts = []engine.TextChange{cut(accountLines, ""), cut("namespace: harbor", "namespace: quay")}
				remove(p, withField(c)...)
			},
			want: "spec.namespace would differ from the declared change: change it by hand",
		},
		"no longer a template": {
			plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
				p.Texts = []engine.TextChange{cut("{{- end }}\n", "")}
			},
			want: "it could no longer be built: charts/harbor/templates/extension.yaml",
		},
		"a new template": {plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
			generate(c, p, namesOf(c)...)
		}},
		"a new template that gives something else": {
			plan: func(_ *testing.T, c *engine.Context, p *engine.Plan) {
				generate(c, p, "harbor-more", "harbor-more")
			},
			want: "ClusterRole harbor-more would not be added as declared",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.prove(t, chart())
		})
	}
}

// namesOf returns the names of the generated role in the units of the chart.
func namesOf(c *engine.Context) []string {
	var names []string
	for _, u := range c.Repo.Units {
		names = append(names, u.Objects[0].Name+"-more")
	}
	return names
}

// A text that two plans change equally is changed once; if they differ, the second plan is refused.
func TestTexts(t *testing.T) {
	t.Parallel()
	repo := chart()
	c := repo.Context(t, verifytest.Options{Target: "ignored"})
	plan := func(texts ...engine.TextChange) *engine.Plan {
		return &engine.Plan{Object: c.Repo.Units[0].Objects[0], Texts: texts}
	}
	plans := []*engine.Plan{plan(cut(accountLines, "")), plan(cut(accountLines, "")), plan(cut("serviceAccount", "account"))}
	combined, err := engine.Merge(c, plans)
	if err != nil {
		t.Fatal(err)
	}
	if len(combined.Refused) != 1 || combined.Refused[0].Plan != plans[2] || !strings.Contains(combined.Refused[0].Reason, "the same lines") {
		t.Errorf("refused are %+v, want the last plan", combined.Refused)
	}
	if want := strings.Replace(extensionTemplate, accountLines, "", 1); len(combined.Files) != 1 || string(combined.Files[0].After) != want {
		t.Errorf("got %+v", combined.Files)
	}
}
