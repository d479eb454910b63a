package helm_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/engine/enginetest"
	"github.com/salint/salint/internal/assemble/uses"
)

// TestTemplatesRefused checks that uncertain fixes are refused, with the place and what to do.
func TestTemplatesRefused(t *testing.T) {
	t.Parallel()
	grant := "---\n" + bindingText("b", "admin", "inst")
	tests := map[string]struct {
		repo    chartRepo
		grant   string
		targets map[string]string
		want    []string
	}{
		"required in one set": {
			repo: opsChart("templates/e.yaml", extensionText("argo", accountText("inst"))+grant, "ci/old-values.yaml", ""), targets: map[string]string{"ops with ci/old-values.yaml": "required"},
			want: []string{"the chart ops with ci/old-values.yaml (target required) requires the field", "ops/templates/e.yaml:7:3"},
		},
		"values of the field": {
			repo: opsChart("values.yaml", "account: {name: inst}\n", "templates/e.yaml", extensionHead+"argo\nspec:\n  {{- dict \"namespace\" \"olm\" \"serviceAccount\" .Values.account | toYaml | nindent 2 }}\n"+grant),
			want: []string{"ops/templates/e.yaml:6:3: it is not written in the template", "by hand"},
		},
		"nothing bound in one set": {
			repo: opsChart("values.yaml", "admin: true\n", "ci/no-values.yaml", "admin: false\n", "templates/e.yaml", extensionText("argo", accountText("inst"))+ifSet(".Values.admin", grant)),
			want: []string{"the chart ops with ci/no-values.yaml applies no binding of ServiceAccount olm/inst"},
		},
		"other roles in another set": {
			repo: opsChart("values.yaml", "admin: true\n", "ci/no-values.yaml", "admin: false\n", "templates/e.yaml", extensionText("argo", accountText("inst"))+ifSet(".Values.admin", grant)+
				ifSet("not .Values.admin", "---\n"+bindingText("b", "view", "inst"))),
			want: []string{"the bindings that they need are written differently (ClusterRole", "--grant role=NAME"},
		},
		"roles in a list of another block": {
			repo: opsChart("values.yaml", "roles: [view]\n", "templates/e.yaml", extensionText("argo", accountText("inst")), "templates/r.yaml", withSet(".Values.roles", "{{- range . }}\n---\n"+bindingText("b-{{ . }}", "{{ . }}", "inst")+"{{- end }}\n")),
			want: []string{"{{ . }} at ops/templates/r.yaml:8:", "is known only there"},
		},
		"a literal role in a list of accounts": {
			repo: opsChart("values.yaml", "accounts: [inst]\n", "templates/e.yaml", extensionText("argo", accountText("inst")), "templates/r.yaml", "{{- range .Values.accounts }}\n---\n"+bindingText("b-{{ . }}", "view", "inst")+"{{- end }}\n"),
			want: []string{"b-inst at ops/templates/r.yaml:6:", "is named after each element of a range"},
		},
		"a condition on something of another block": {
			repo: opsChart("values.yaml", "rbac: {live: true}\n", "templates/e.yaml", extensionText("argo", accountText("inst")), "templates/r.yaml", withSet(".Values.rbac", ifSet(".live", "---\n"+bindingText("b", "view", "inst")))),
			want: []string{"view at ops/templates/r.yaml:8:", "depends on the if at line 2"},
		},
		"names that need a hash": {
			repo: opsChart("templates/e.yaml", extensionText("{{ .Release.Name }}", accountText("inst"))+"---\n"+bindingText("b", strings.Repeat("long-", 12)+"x", "inst")),
			want: []string{"which a template cannot compute"},
		},
		"a name that changes": {
			repo: opsChart("values.yaml", extensionList, "templates/e.yaml", "{{ $n := \"x\" }}"+ranged("{{ $n = .name }}"+extensionText("{{ $n }}", accountText("inst")))+grant),
			want: []string{"the variable $n is assigned another value"},
		},
		"an annotation at times": {
			repo: opsChart("values.yaml", "wave: 1\n", "templates/e.yaml", extensionText("argo\n  annotations:\n    a: b\n    {{- if .Values.wave }}\n    argocd.argoproj.io/sync-wave: {{ .Values.wave | quote }}\n    {{- end }}", accountText("inst"))+grant),
			want: []string{"is known only there"},
		},
		"least privilege": {
			repo: opsChart("templates/e.yaml", extensionText("argo", accountText("inst"))+grant), grant: "least-privilege",
			want: []string{"the permissions that a bundle needs cannot be written into templates"},
		},
		"text that is worked with": {
			repo: opsChart("templates/e.yaml", "{{- $t := include \"ext\" . }}{{ $t | replace \"X\" \"argo\" }}\n"+grant, "templates/_e.tpl", "{{- define \"ext\" }}"+extensionText("X", accountText("inst"))+"{{- end }}"),
			want: []string{"ops/templates/", "by hand"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			work := test.repo.fixAll(t, test.repo.context(t, test.grant, test.targets))
			if len(work.Outcomes) == 0 || len(work.Plans()) > 0 {
				t.Fatalf("%d outcomes, %d plans", len(work.Outcomes), len(work.Plans()))
			}
			for _, want := range test.want {
				if got := work.Outcomes[0].Refusal.Reason; !strings.Contains(got, want) {
					t.Errorf("%q is not in %q", want, got)
				}
			}
		})
	}
}

// TestOtherFixesOfTemplates checks that other fixers name the place in the template.
func TestOtherFixesOfTemplates(t *testing.T) {
	t.Parallel()
	repo := opsChart("templates/e.yaml", extensionText("argo", ""), "templates/r.yaml", bindingText("b", "admin", "inst"))
	c := repo.context(t, "", nil)
	for _, u := range c.Repo.Units {
		for _, o := range u.Objects {
			for _, name := range fixers.Names() {
				switch name {
				case "remove-service-account", "bind-synthetic-identity", "prune-installer":
					continue
				}
				work, err := fixers.All(c, []engine.Request{{Fixer: name, Object: o}})
				if err != nil {
					t.Fatal(err)
				}
				refusal := work.Outcomes[0].Refusal
				if refusal == nil || !strings.Contains(refusal.Reason, o.File+":1:1") || !strings.Contains(refusal.Reason, "by hand") {
					t.Errorf("%s of %s: %v", name, o.Kind, refusal)
				}
			}
		}
	}
}

// TestPruneInCharts checks that the account of a removed field goes with its binding, and that the proof is asked for the rest.
func TestPruneInCharts(t *testing.T) {
	t.Parallel()
	account := "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: inst, namespace: olm}\n"
	repo := opsChart("templates/e.yaml", extensionText("argo", accountText("inst"))+"---\n"+bindingText("b", "admin", "inst")+account)
	c := repo.context(t, "", nil)
	c.Policy.Prune = true
	c.Lookups.(*enginetest.Lookups).Find = func([]string) (map[string][]uses.Place, error) { return nil, nil }
	work := repo.fixAll(t, c)
	if len(work.Plans()) != 2 || len(work.Prunes) != 1 || work.Prunes[0].Refusal != nil {
		t.Fatalf("%d plans, %+v", len(work.Plans()), work.Prunes)
	}
	if got := work.Prunes[0].Plan.Description; got != "Remove ServiceAccount olm/inst, which is no longer used" {
		t.Error(got)
	}
}

// TestUnusedValues checks that notes name the values that nothing reads any more.
func TestUnusedValues(t *testing.T) {
	t.Parallel()
	repo := opsChart("values.yaml", "installer: {name: inst, create: true}\n", "templates/e.yaml",
		extensionText("argo", ifSet(".Values.installer.create", accountText("{{ .Values.installer.name }}"))))
	work := repo.fixAll(t, repo.context(t, "", map[string]string{"ops": "ignored"}))
	want := "the chart ops no longer reads installer.create, installer.name: remove it from the values of the chart"
	if notes := work.Plans()[0].Notes; len(notes) != 1 || notes[0] != want {
		t.Errorf("got %q", notes)
	}
	granted := opsChart("values.yaml", repo["ops/values.yaml"], "templates/e.yaml", repo["ops/templates/e.yaml"]+"---\n"+bindingText("b", "admin", "{{ .Values.installer.name }}"))
	work = granted.fixAll(t, granted.context(t, "", nil))
	if notes := work.Plans()[0].Notes; len(notes) != 0 { // the bindings read both
		t.Errorf("got %q", notes)
	}
}
