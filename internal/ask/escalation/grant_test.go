package escalation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestOfGrant(t *testing.T) {
	t.Parallel()
	pilot := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "sound", Name: "pilot"}
	grant := func(kind, rule string) string {
		return `apiVersion: rbac.authorization.k8s.io/v1
kind: ` + kind + `
metadata: {name: ferry, namespace: sound}
rules: [` + rule + `]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ` + kind + `Binding
metadata: {name: ferry, namespace: sound}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ` + kind + `, name: ferry}
subjects: [{kind: ServiceAccount, name: pilot, namespace: sound}]
`
	}
	const helper = "adds every permission to a ClusterRole that it has"
	for name, test := range map[string]struct {
		manifests string
		want      []string
	}{
		"nothing":             {"", nil},
		"harmless":            {grant("ClusterRole", `{apiGroups: [""], resources: [configmaps], verbs: [create, get]}`), nil},
		"pods of a namespace": {grant("Role", `{apiGroups: [""], resources: [pods], verbs: [create]}`), nil},
		"pods everywhere": {grant("ClusterRole", `{apiGroups: [""], resources: [pods], verbs: [create]}`),
			[]string{"creates a pod in any namespace whose containers run as ServiceAccount kube-system/clusterrole-aggregation-controller", helper}},
		"a tool": {grant("ClusterRole", `{apiGroups: [helm.toolkit.fluxcd.io], resources: [helmreleases], verbs: [patch]}`),
			[]string{"writes helmreleases.helm.toolkit.fluxcd.io, from which Flux installs as cluster-admin (assumes that Flux runs, and acts as cluster-admin, as it ships)"}},
	} {
		if diff := cmp.Diff(test.want, escalation.OfGrant(pilot, []byte(test.manifests))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
