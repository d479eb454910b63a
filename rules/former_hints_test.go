package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFormerHints checks that rules of users can have hints under their former names.
func TestFormerHints(t *testing.T) {
	t.Parallel()
	const kinds, badMap = "[ConfigMap, Secret]", "{apiVersion: v1, kind: ConfigMap, metadata: {name: bad}}"
	registry := customRegistry(t, map[string]string{
		"a.rego": variant("former", "[ConfigMap]", kinds, "fix: none", `fix: none
#   context: [Role.rbac.authorization.k8s.io, ServiceAccount, Grafana.grafana.integreatly.org]
#   whole: [ServiceAccount]
#   seeds: {Grafana.grafana.integreatly.org: [delta]}
#   when: [account-missing, account-unseen, role-unknown, subject-odd]
#   elsewhere: true`, badMap, besideGrafana("ConfigMap")),
		"b.rego": variant("present", "[ConfigMap]", kinds, "fix: none", `fix: none
#   reads: [Role.rbac.authorization.k8s.io]
#   reads_all: [ServiceAccount]
#   connected_to: {Grafana.grafana.integreatly.org: [delta]}
#   skip_unless: [pod-account-missing, subject-account-missing, role-missing, binding-invalid]`, badMap, besideGrafana("ConfigMap")),
		"c.rego": variant("seeded", "[ConfigMap]", kinds, "fix: none", "fix: none\n#   seeds: {Grafana.grafana.integreatly.org: [delta]}", badMap, besideGrafana("ConfigMap")),
	})
	former, present := registry.Interest([]string{"custom/former"}), registry.Interest([]string{"custom/present"})
	if diff := cmp.Diff(present, former); diff != "" {
		t.Error(diff)
	}
	if seeded := registry.Interest([]string{"custom/seeded"}); len(seeded.Context) > 0 {
		t.Errorf("kinds in seeds are read: %v", seeded.Context)
	}
	a, _, _ := registry.Find("custom/former")
	b, _, _ := registry.Find("custom/present")
	if !slices.Equal(a.SkipUnless, b.SkipUnless) {
		t.Errorf("the conditions are %v, want %v", a.SkipUnless, b.SkipUnless)
	}
}
