package fixers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/proof/verify/verifytest"
)

const plainExtension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: harbor
spec:
  namespace: harbor
  serviceAccount:
    name: harbor-installer
  source: {sourceType: Catalog, catalog: {packageName: harbor}}
`

const plainBinding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: harbor-installer
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects:
- {kind: ServiceAccount, name: harbor-installer, namespace: harbor}
`

const generatedBinding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: olm-clusterextension-harbor-edit
  labels:
    app.kubernetes.io/managed-by: salint
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: edit
subjects:
- apiGroup: rbac.authorization.k8s.io
  kind: User
  name: olm:clusterextension:harbor
`

var removeHarbor = verifytest.Request{Fixer: "remove-service-account", Kind: "ClusterExtension", Name: "harbor"}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// TestBytes checks bytes that a golden file cannot show.
func TestBytes(t *testing.T) {
	t.Parallel()
	without := strings.Replace(plainExtension, "  serviceAccount:\n    name: harbor-installer\n", "", 1)
	account := "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: harbor-installer, namespace: harbor}\n"
	json := `{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": {"name": "harbor"},
  "spec": {"namespace": "harbor", "serviceAccount": {"name": "harbor-installer"}, "source": {"sourceType": "Catalog"}}}
`
	for name, c := range map[string]struct {
		target       string
		prune        bool
		before, want verifytest.Repo // the changed files; "" is a deleted file
	}{
		"CRLF": {
			target: "synthetic",
			before: verifytest.Repo{"x.yaml": crlf(plainExtension), "rbac.yaml": plainBinding, "kustomization.yaml": crlf("resources:\n- x.yaml\n- rbac.yaml\n")},
			want: verifytest.Repo{
				"x.yaml": crlf(without), "harbor-synthetic-rbac.yaml": crlf(generatedBinding),
				"kustomization.yaml": crlf("resources:\n- x.yaml\n- rbac.yaml\n- harbor-synthetic-rbac.yaml\n"),
			},
		},
		"no final newline": {
			target: "synthetic",
			before: verifytest.Repo{"x.yaml": strings.TrimSuffix(plainExtension, "\n"), "rbac.yaml": plainBinding, "kustomization.yaml": "resources: [x.yaml, rbac.yaml]"},
			want: verifytest.Repo{
				"x.yaml": strings.TrimSuffix(without, "\n"), "harbor-synthetic-rbac.yaml": strings.TrimSuffix(generatedBinding, "\n"),
				"kustomization.yaml": "resources: [x.yaml, rbac.yaml, harbor-synthetic-rbac.yaml]",
			},
		},
		"byte order mark": {
			target: "ignored",
			before: verifytest.Repo{"x.yaml": "\ufeff" + plainExtension},
			want:   verifytest.Repo{"x.yaml": "\ufeff" + without},
		},
		"JSON": {
			target: "synthetic",
			before: verifytest.Repo{"x.json": json, "rbac.yaml": plainBinding, "kustomization.yaml": "{\"resources\": [\"./x.json\", \"rbac.yaml\"]}\n"},
			want: verifytest.Repo{
				"x.json":                     strings.Replace(json, `"serviceAccount": {"name": "harbor-installer"}, `, "", 1),
				"harbor-synthetic-rbac.yaml": generatedBinding,
				"kustomization.yaml":         "{\"resources\": [\"./x.json\", \"rbac.yaml\", \"./harbor-synthetic-rbac.yaml\"]}\n",
			},
		},
		"anchor that is used elsewhere": {
			target: "ignored",
			before: verifytest.Repo{"x.yaml": strings.Replace(plainExtension, "serviceAccount:\n    name: harbor-installer\n", "serviceAccount: &a\n    name: harbor-installer\n  config: *a\n", 1)},
			want:   verifytest.Repo{},
		},
		"merge key that has the field": {
			target: "ignored",
			before: verifytest.Repo{"x.yaml": strings.Replace(plainExtension, "spec:\n  namespace: harbor\n  serviceAccount:\n    name: harbor-installer\n", "x: &x\n  serviceAccount: {name: harbor-installer}\nspec:\n  <<: *x\n  namespace: harbor\n", 1)},
			want:   verifytest.Repo{},
		},
		"merge key that has it too": {
			target: "ignored",
			before: verifytest.Repo{"x.yaml": strings.Replace(plainExtension, "spec:\n", "x: &x\n  serviceAccount: {name: harbor-installer}\nspec:\n  <<: *x\n", 1)},
			want:   verifytest.Repo{},
		},
		"first two documents of three go": {
			target: "ignored", prune: true,
			before: verifytest.Repo{"x.yaml": "# account and binding\n" + account + "---\n" + plainBinding + "---\n" + plainExtension},
			want:   verifytest.Repo{"x.yaml": without},
		},
		"last documents go, and the file had no final newline": {
			target: "ignored", prune: true,
			before: verifytest.Repo{"x.yaml": plainExtension + "---\n" + account + "---\n" + strings.TrimSuffix(plainBinding, "\n")},
			want:   verifytest.Repo{"x.yaml": without},
		},
		"comments around documents": {
			target: "ignored", prune: true,
			before: verifytest.Repo{"x.yaml": "# license\n\n---\n" + account + "---\n# the extension\n" + plainExtension + "---\n# nothing\n"},
			want:   verifytest.Repo{"x.yaml": "# license\n\n---\n# the extension\n" + without + "---\n# nothing\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := c.before.Run(t, verifytest.Options{Target: c.target, Prune: c.prune}, removeHarbor)
			if diff := cmp.Diff(c.want, changed(c.before, result.After)); diff != "" {
				t.Errorf("-want +got:\n%s\n%s", diff, result.Report())
			}
		})
	}
}

// changed returns the files that differ.
func changed(before, after verifytest.Repo) verifytest.Repo {
	out := verifytest.Repo{}
	for path, text := range after {
		if old, ok := before[path]; !ok || old != text {
			out[path] = text
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			out[path] = ""
		}
	}
	return out
}

func TestRefusedByTheEditor(t *testing.T) {
	t.Parallel()
	repo := verifytest.Repo{"x.yaml": strings.Replace(plainExtension, "serviceAccount:\n", "serviceAccount: &a\n", 1) + "more: *a\n"}
	result := repo.Run(t, verifytest.Options{Target: "ignored"}, removeHarbor)
	refusal := result.Work.Outcomes[0].Refusal
	if refusal == nil || !strings.Contains(refusal.Reason, "x.yaml:7: ") || !strings.Contains(refusal.Reason, "by hand") {
		t.Errorf("got %v", result.Report())
	}
}

func TestParseGrant(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]engine.Grant{
		"":                {Mode: engine.CarryOver},
		"carry-over":      {Mode: engine.CarryOver},
		"group":           {Mode: engine.GroupGrant},
		"least-privilege": {Mode: engine.LeastPrivilege},
		"role=a=b":        {Mode: engine.RoleGrant, Role: "a=b"},
	} {
		if got, err := engine.ParseGrant(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"role=", "roles", "Group"} {
		if got, err := engine.ParseGrant(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestEdits(t *testing.T) {
	t.Parallel()
	repo := verifytest.Repo{"x.yaml": plainExtension, "rbac.yaml": plainBinding}
	c := repo.Context(t, verifytest.Options{Target: "synthetic"})
	work, err := fixers.All(c, verifytest.Resolve(c, []verifytest.Request{removeHarbor}))
	if err != nil {
		t.Fatal(err)
	}
	edits, err := engine.Edits(c, work.Outcomes[0].Plan)
	if err != nil || len(edits) != 2 {
		t.Fatalf("%v, %v", edits, err)
	}
	created, removed := edits[0], edits[1]
	if created.File != "harbor-synthetic-rbac.yaml" || created.Start != 0 || created.End != 0 || created.New != generatedBinding {
		t.Errorf("%+v", created)
	}
	if got := plainExtension[removed.Start:removed.End]; got != "  serviceAccount:\n    name: harbor-installer\n" || removed.New != "" {
		t.Errorf("%+v: %q", removed, got)
	}
}
