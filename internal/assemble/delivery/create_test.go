package delivery_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestNotAllowed(t *testing.T) {
	t.Parallel()
	wanted := gitops.NewObject{Group: rbac.Group, Kind: "ClusterRoleBinding", Name: "olm-harbor", Role: &rbac.RoleRef{Kind: "ClusterRole", Name: "harbor"}}
	tenant := stage("apps", "./apps, serviceAccountName: team")
	bound := func(rules string) string {
		return documents(
			"{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: team}, rules: ["+rules+"]}",
			"{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: team}, "+
				"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: team}, "+
				"subjects: [{kind: ServiceAccount, name: team, namespace: flux-system}]}",
		)
	}
	const all, little = "{apiGroups: ['*'], resources: ['*'], verbs: ['*']}", "{apiGroups: [''], resources: [pods], verbs: [get]}"
	project := app("apps", "apps", "", ", project: team") + "\n---\n{apiVersion: argoproj.io/v1alpha1, kind: AppProject, metadata: {name: team}, spec: {}}"
	for _, c := range []struct {
		name  string
		files tree
		want  []gitops.Verdict
	}{
		{"nothing applies it", tree{}, nil},
		{"Flux as itself", tree{"flux/a.yaml": stage("apps", "./apps")}, nil},
		{"a project without the kind", tree{"argo/a.yaml": project}, []gitops.Verdict{gitops.Denied}},
		{"a tenant without bindings", tree{"flux/a.yaml": tenant}, []gitops.Verdict{gitops.Unknown}},
		{"a tenant bound beside the Kustomization", tree{"flux/a.yaml": documents(tenant, bound(little))}, []gitops.Verdict{gitops.Denied}},
		{"a tenant bound elsewhere", tree{"flux/a.yaml": tenant, "tenants/a.yaml": bound(all)}, nil},
		{"clusters that differ", tree{"flux/a.yaml": tenant, "north/a.yaml": bound(all), "south/a.yaml": bound(little)}, []gitops.Verdict{gitops.Unknown}},
		{"the same unit takes precedence", tree{"flux/a.yaml": documents(tenant, bound(little)), "south/a.yaml": bound(all)}, []gitops.Verdict{gitops.Denied}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.files["apps/a.yaml"] = documents(extension("", ""), role("", ""))
			r := read(t, c.files)
			var got []gitops.Verdict
			for _, answer := range r.NotAllowed(r.units["apps"], wanted) {
				got = append(got, answer.Verdict)
				if answer.Why == "" || answer.Object.Name != wanted.Name {
					t.Errorf("got %+v", answer)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
