package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/salint/salint/internal/proof/verify/verifytest"
)

// An overlay with a namespace sets it on extensions as well, because kustomize does not know that they are cluster-scoped.
// A change of identity that is declared for all overlays applies to each, whichever of them the fix begins with.
func TestSwitchInOverlaysWithNamespaces(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"", "namespace: harbor\n"} {
		for _, second := range []string{"", "namespace: harbor\n", "nameSuffix: -b\n"} {
			t.Run(fmt.Sprintf("%q %q", first, second), func(t *testing.T) {
				t.Parallel()
				repo := verifytest.Repo{
					"base/kustomization.yaml": "resources: [harbor.yaml]\n",
					"base/harbor.yaml":        strings.Replace(harbor, "  serviceAccount:\n    name: harbor-installer\n", "", 1),
					"a/kustomization.yaml":    "resources: [../base]\n" + first,
					"b/kustomization.yaml":    "resources: [../base]\n" + second,
				}
				result := repo.Run(t, verifytest.Options{Target: "required", Grant: "role=cluster-admin"},
					verifytest.Request{Fixer: "add-service-account", Kind: "ClusterExtension", Name: "harbor"})
				fixed, alike := result.After["base/harbor.yaml"] == harbor, !strings.Contains(second, "nameSuffix")
				if fixed != alike {
					t.Errorf("fixed: %t; want %t\n%s", fixed, alike, result.Report())
				}
			})
		}
	}
}
