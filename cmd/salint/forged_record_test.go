package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/test/golden"
)

// forgedFolder is a temporary folder as an interrupted run leaves it.
const forgedFolder = ".salint-tmp-FORGEDFORGEDFORGEDFORGEDFO"

type forgedObject struct {
	File      string `json:"file"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// forgedRecord names every object of a repository, in use or not, and every file, also outside of it.
func forgedRecord(t *testing.T, objects []forgedObject, files []string) string {
	t.Helper()
	record, err := json.Marshal(map[string]any{"objects": objects, "files": files})
	if err != nil {
		t.Fatal(err)
	}
	return string(record)
}

var forgedRepository = map[string]string{
	"used.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: used, namespace: shop}\n",
	"pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec:\n  serviceAccountName: used\n" +
		"  automountServiceAccountToken: false\n  containers: [{name: web, image: web}]\n",
	"role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: used, namespace: shop}\nrules:\n" +
		"- {apiGroups: [\"\"], resources: [configmaps], verbs: [get]}\n",
	"binding.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: used, namespace: shop}\nroleRef:\n" +
		"  {apiGroup: rbac.authorization.k8s.io, kind: Role, name: used}\nsubjects:\n- {kind: ServiceAccount, name: used, namespace: shop}\n",
	"map.yaml":                  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: used, namespace: shop}\n",
	"secret.yaml":               "apiVersion: v1\nkind: Secret\nmetadata: {name: used, namespace: shop}\n",
	"unused.yaml":               "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: unused, namespace: shop}\n",
	"notes.md":                  "Not a manifest.\n",
	"listed/account.yaml":       "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: other, namespace: shop}\n",
	"listed/pod.yaml":           "apiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: shop}\nspec: {serviceAccountName: other, containers: [{name: a, image: a}]}\n",
	"listed/kustomization.yaml": "resources: [account.yaml, pod.yaml]\nnamespace: shop\n",
}

// TestForgedRecord puts a record of leftovers that salint has not written into a repository. A run with --prune removes no more than an
// account or role that nothing uses, and without --prune nothing; files are never removed because a record names them.
func TestForgedRecord(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	outside := filepath.Join(parent, "outside.yaml")
	if err := os.WriteFile(outside, []byte(forgedRepository["unused.yaml"]), 0o644); err != nil {
		t.Fatal(err)
	}
	objects := []forgedObject{
		{"used.yaml", "ServiceAccount", "shop", "used"}, {"role.yaml", "Role", "shop", "used"}, {"binding.yaml", "RoleBinding", "shop", "used"},
		{"map.yaml", "ConfigMap", "shop", "used"}, {"secret.yaml", "Secret", "shop", "used"}, {"pod.yaml", "Pod", "shop", "web"},
		{"pod.yaml", "ServiceAccount", "shop", "web"}, {"listed/account.yaml", "ServiceAccount", "shop", "other"},
		{"../outside.yaml", "ServiceAccount", "shop", "unused"}, {outside, "ServiceAccount", "shop", "unused"}, {"notes.md", "ServiceAccount", "", ""},
	}
	unused := forgedObject{"unused.yaml", "ServiceAccount", "shop", "unused"}
	files := []string{"used.yaml", "unused.yaml", "notes.md", "../outside.yaml", outside, ".git/HEAD", "listed/kustomization.yaml", ".", "/", "no/such", ""}
	for name, test := range map[string]struct {
		record, line string
		removed      []string
	}{
		"objects in use, and no accounts": {forgedRecord(t, objects, files), "--fix --prune", nil},
		"only files":                      {forgedRecord(t, nil, files), "--fix --prune", nil},
		"an unused account":               {forgedRecord(t, append(objects, unused), files), "--fix --prune", []string{"unused.yaml"}},
		"without --prune":                 {forgedRecord(t, append(objects, unused), files), "--fix", nil},
		"without --fix":                   {forgedRecord(t, append(objects, unused), files), "--diff --prune", nil},
		"no record":                       {"{", "--fix --prune", nil},
		"deep":                            {strings.Repeat(`{"objects":[`, 200_000), "--fix --prune", nil},
		"many":                            {`{"objects":[` + strings.TrimSuffix(strings.Repeat(`{},`, 300_000), ",") + `]}`, "--fix --prune", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(parent, strings.ReplaceAll(name, " ", "-"))
			golden.WriteFolder(t, dir, forgedRepository)
			golden.WriteFolder(t, dir, map[string]string{forgedFolder + "/record": test.record, forgedFolder + "/1": "staged"})
			makeRepository(t, dir)
			want := maps.Clone(forgedRepository)
			for _, file := range test.removed {
				delete(want, file)
			}
			out := runLine(dir, "lint --target olm-1.11 "+test.line)
			if diff := cmp.Diff(want, withoutTemporary(golden.ReadFolder(t, dir))); diff != "" {
				t.Errorf("%s\n%s", diff, out)
			}
			if _, err := os.Stat(outside); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(dir, ".git", "HEAD")); err != nil {
				t.Error(err)
			}
		})
	}
}
