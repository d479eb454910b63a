package loader

import (
	"context"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/kube/olm"
)

func versionOf(release string) string {
	return "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {desiredUpdate: {version: " + release + "}}\n"
}

// TestVersionsOfUnits checks the versions of Kubernetes of units whose targets are detected, requested, or unknown, and of plain
// files of one cluster and of several.
func TestVersionsOfUnits(t *testing.T) {
	t.Parallel()
	kinds := Kinds(RBAC(), olm.SignalKinds())
	asked := func(file string) (olm.Target, bool) {
		target, err := olm.ParseTarget("ocp-4.20")
		if err != nil {
			t.Error(err)
		}
		return target, path.Dir(file) == "asked"
	}
	for name, test := range map[string]struct {
		files tree
		want  map[string]string
	}{
		"kustomizations": {tree{
			"old/kustomization.yaml": "resources: [v.yaml, role.yaml]\n", "old/v.yaml": versionOf("4.18.3"), "old/role.yaml": role,
			"new/kustomization.yaml": "resources: [v.yaml, role.yaml]\n", "new/v.yaml": versionOf("5.0.0"), "new/role.yaml": role,
			"asked/kustomization.yaml": "resources: [role.yaml]\n", "asked/role.yaml": role,
			"none/kustomization.yaml": "resources: [role.yaml]\n", "none/role.yaml": role,
		}, map[string]string{"old": "1.31", "new": "1.36", "asked": "1.33", "none": "unknown"}},
		"plain files of one cluster":   {tree{"v.yaml": versionOf("4.21.0"), "a/role.yaml": role}, map[string]string{".": "1.34"}},
		"plain files of two clusters":  {tree{"a/v.yaml": versionOf("4.21.0"), "a/role.yaml": role, "b/v.yaml": versionOf("4.19.0"), "b/role.yaml": role}, map[string]string{".": "1.32 to 1.34"}},
		"plain files without a target": {tree{"asked/role.yaml": role, "role.yaml": role}, map[string]string{".": "unknown"}},
		"plain files as asked":         {tree{"asked/role.yaml": role, "v.yaml": versionOf("4.22.0")}, map[string]string{".": "1.33"}},
	} {
		w, err := Read(context.Background(), loadertest.Repository{Tree: test.files}, Options{Kinds: kinds, Asked: asked})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, unit := range w.Units {
			if len(unit.Objects) > 0 {
				got[unit.Name] = unit.KubernetesVersions().String()
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
