package rbac_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestBindingsTo(t *testing.T) {
	t.Parallel()
	const head = "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: "
	u := objectstest.Plain(t, tree{
		"prod/roles.yaml": head + "ClusterRole\nmetadata: {name: r}\nrules: []\n" +
			head + "ClusterRole\nmetadata: {name: part, labels: {rbac.authorization.k8s.io/aggregate-to-admin: \"true\"}}\n" +
			"rules: [{apiGroups: [apps], resources: [deployments], verbs: [get]}]\n" +
			head + "ClusterRole\nmetadata: {name: nobodys}\nrules: []\n",
		"dev/roles.yaml": head + "ClusterRole\nmetadata: {name: r}\nrules: []\n",
		"prod/a.yaml":    clusterBinding("in-prod", "ClusterRole, name: r", installerSubject+", {kind: Group, name: g}"),
		"dev/a.yaml":     roleBinding("in-dev", "x", "ClusterRole, name: r", installerSubject),
		"a.yaml":         clusterBinding("tied", "ClusterRole, name: r", installerSubject) + roleBinding("admins", "x", "ClusterRole, name: admin", installerSubject),
	})
	for ref, want := range map[string][]string{
		"prod/roles.yaml#0/": {"tied", "in-prod", "in-prod"},
		"dev/roles.yaml#0/":  {"tied", "in-dev"},
		"prod/roles.yaml#1/": {"admins"},
		"prod/roles.yaml#2/": nil,
	} {
		var role *objects.Object
		for _, o := range u.Objects {
			if o.Ref() == ref {
				role = o
			}
		}
		if role == nil {
			t.Fatalf("there is no %s", ref)
		}
		if diff := cmp.Diff(want, names(rbac.BindingsTo(u, role))); diff != "" {
			t.Errorf("%s: %s", ref, diff)
		}
	}
}
