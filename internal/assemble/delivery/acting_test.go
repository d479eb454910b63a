package delivery_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/kube/objects"
)

func account(namespace, name string) string {
	return "{apiVersion: v1, kind: ServiceAccount, metadata: {name: " + name + ", namespace: " + namespace + "}}"
}

// tenant is a Kustomization of the namespace shop that is applied as an account.
func tenant(spec string) string {
	return strings.Replace(stage("shop", "./apps, serviceAccountName: deployer"+spec), "namespace: flux-system}, spec", "namespace: shop}, spec", 1)
}

func boundTo(name string) string {
	return "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: b}, " +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: harbor}, " +
		"subjects: [{kind: ServiceAccount, name: " + name + ", namespace: shop}]}"
}

func names(units []*objects.Unit) string {
	var all []string
	for _, unit := range units {
		all = append(all, unit.Name)
	}
	return strings.Join(all, " ")
}

func TestActings(t *testing.T) {
	t.Parallel()
	foreign := strings.Replace(stage("more", "./more"), "flux-system}, path", "elsewhere}, path", 1)
	for _, c := range []struct {
		name            string
		files           tree
		want            bool
		siblings        []string
		brought         bool
		near, elsewhere string
	}{
		{name: "no account", files: tree{"flux/a.yaml": stage("shop", "./apps")}},
		{name: "suspended", files: tree{"flux/a.yaml": tenant(", suspend: true")}},
		{name: "another cluster", files: tree{"flux/a.yaml": tenant(", kubeConfig: {secretRef: {name: north}}")}},
		{name: "nothing else", files: tree{"flux/a.yaml": tenant("")}, want: true},
		{name: "beside it", files: tree{"flux/a.yaml": documents(tenant(""), account("shop", "other"), account("web", "more"))}, want: true, siblings: []string{"other"}},
		{name: "itself", files: tree{"flux/a.yaml": documents(tenant(""), account("shop", "deployer"), account("shop", "default"))}, want: true, near: "flux"},
		{
			name:  "in an application beside it",
			files: tree{"flux/a.yaml": documents(tenant(""), stage("tenants", "./tenants")), "tenants/a.yaml": documents(account("shop", "other"), boundTo("deployer")), "roles/a.yaml": role("", "")},
			want:  true, siblings: []string{"other"}, near: "apps tenants",
		},
		{
			name:  "in the parent of its parent",
			files: tree{"clusters/a.yaml": documents(stage("flux", "./flux"), account("shop", "other")), "flux/a.yaml": tenant(""), "south/a.yaml": boundTo("deployer")},
			want:  true, siblings: []string{"other"}, near: "apps", elsewhere: "south",
		},
		{
			name:  "on another cluster",
			files: tree{"flux/a.yaml": tenant(""), "north/a.yaml": stage("tenants", "./tenants"), "tenants/a.yaml": account("shop", "other")},
			want:  true,
		},
		{
			name:  "a source in another repository",
			files: tree{"flux/a.yaml": documents(tenant(""), account("shop", "other"), foreign)},
			want:  true, siblings: []string{"other"}, brought: true,
		},
		{
			name:  "a source of another tenant",
			files: tree{"flux/a.yaml": documents(tenant(""), account("shop", "other"), strings.Replace(foreign, "./more", "./more, serviceAccountName: x", 1))},
			want:  true, siblings: []string{"other"},
		},
		{
			name: "a chart",
			files: tree{"flux/a.yaml": documents(tenant(""), account("shop", "other"),
				"{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: a, namespace: shop}, spec: {chart: {spec: {chart: a, sourceRef: {kind: HelmRepository, name: a}}}}}")},
			want: true, siblings: []string{"other"}, brought: true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.files["apps/a.yaml"] = role("", "")
			r := read(t, c.files)
			found := r.Actings(r.find(t, "flux", "Kustomization"))
			if got := len(found) > 0; got != c.want {
				t.Fatalf("found %v", found)
			}
			if !c.want {
				return
			}
			around := r.Neighbors(found[0])
			near, elsewhere := r.Granting(found[0])
			if diff := cmp.Diff(c.siblings, around.Accounts); diff != "" || (len(around.Installers) > 0) != c.brought {
				t.Errorf("brought by %d objects; siblings -want +got:\n%s", len(around.Installers), diff)
			}
			if names(near) != c.near || names(elsewhere) != c.elsewhere || names(found[0].Units) != "apps" || names(r.ActingUnits()) != "apps" {
				t.Errorf("near %q, elsewhere %q, units %q", names(near), names(elsewhere), names(found[0].Units))
			}
		})
	}
	if found := (*delivery.Delivery)(nil).Actings(nil); found != nil {
		t.Errorf("without applications: %v", found)
	}
}
