package uses_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
)

// A patch that only selects an account by its name does not use it.
func TestFindInPatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		want bool
	}{
		"target":            {"patches:\n- target: {kind: ServiceAccount, name: installer}\n  path: a.yaml\n", true},
		"target of a patch": {"patchesJson6902:\n- target: {version: v1, kind: ServiceAccount, name: installer}\n  path: a.yaml\n", true},
		"of Flux":           {"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec:\n  patches:\n  - target: {name: installer}\n", true},
		"merged":            {"patches:\n- patch: |-\n    kind: ServiceAccount\n    metadata:\n      name: installer\n    secrets: []\n", true},
		"merged, in a list": {"patchesStrategicMerge:\n- |-\n  kind: ServiceAccount\n  metadata:\n    name: installer\n", true},
		"set by a patch":    {"patches:\n- target: {kind: Pod}\n  patch: |-\n    - {op: add, path: /spec/serviceAccountName, value: installer}\n", false},
		"named twice":       {"patches:\n- patch: |-\n    kind: Pod\n    metadata: {name: installer}\n    spec: {serviceAccountName: installer}\n", false},
		"source":            {"replacements:\n- source: {kind: ServiceAccount, name: installer}\n", false},
		"not YAML":          {"patches:\n- patch: 'installer: {'\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := uses.Find(t.Context(), texts(tree{"kustomization.yaml": c.file}), []string{"installer"})
			if err != nil {
				t.Fatal(err)
			}
			selects := len(found["installer"]) > 0
			for _, m := range found["installer"] {
				selects = selects && m.Selects
				if can := m.CanName(objects.Account{Namespace: "ns", Name: "installer"}); can == m.Selects {
					t.Errorf("CanName of %s is %v", m.Path, can)
				}
			}
			if diff := cmp.Diff(c.want, selects); diff != "" {
				t.Error(diff)
			}
		})
	}
}
