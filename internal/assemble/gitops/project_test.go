package gitops_test

import (
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/rbac"
)

// reading are the rules of a role.
var reading = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"get"}}}

var (
	clusterBinding = gitops.NewObject{Group: rbac.Group, Kind: "ClusterRoleBinding", Name: "olm-harbor", Role: &rbac.RoleRef{Kind: "ClusterRole", Name: "harbor"}}
	binding        = gitops.NewObject{Group: rbac.Group, Kind: "RoleBinding", Namespace: "harbor", Name: "olm-harbor", Role: &rbac.RoleRef{Kind: "ClusterRole", Name: "harbor"}}
	newRole        = gitops.NewObject{Group: rbac.Group, Kind: "ClusterRole", Name: "new", Rules: reading}
	elsewhere      = gitops.NewObject{Group: rbac.Group, Kind: "ClusterRoleBinding", Name: "olm-quay", Role: &rbac.RoleRef{Kind: "ClusterRole", Name: "quay"}, Rules: reading}
	account        = gitops.NewObject{Kind: "ServiceAccount", Namespace: "harbor", Name: "installer"}
)

func TestProject(t *testing.T) {
	t.Parallel()
	const everywhere = "destinations: [{server: '*', namespace: '*'}], "
	for _, c := range []struct {
		name, project, spec string
		wanted              gitops.NewObject
		want                gitops.Verdict
	}{
		{"no project", "", "", clusterBinding, gitops.Allowed},
		{"a project that is not here", "registry", "", clusterBinding, gitops.Unknown},
		{"a project that is filled in later", "${PROJECT}", "", clusterBinding, gitops.Unknown},
		{"no list of what is cluster-scoped", "team", everywhere, clusterBinding, gitops.Denied},
		{"a list of everything", "team", "clusterResourceWhitelist: [{group: '*', kind: '*'}]", clusterBinding, gitops.Allowed},
		{"a list of its kind", "team", "clusterResourceWhitelist: [{group: rbac.authorization.k8s.io, kind: ClusterRole*}]", clusterBinding, gitops.Allowed},
		{"a list of other names", "team", "clusterResourceWhitelist: [{group: '*', kind: '*', name: 'web-*'}]", clusterBinding, gitops.Denied},
		{"a list of others", "team", "clusterResourceWhitelist: [{group: '', kind: Namespace}]", clusterBinding, gitops.Denied},
		{"a list against it", "team", "clusterResourceWhitelist: [{group: '*', kind: '*'}], clusterResourceBlacklist: [{group: '*', kind: ClusterRoleBinding}]", clusterBinding, gitops.Denied},
		{"no list of what is namespaced", "team", everywhere, binding, gitops.Allowed},
		{"an empty list of what is namespaced", "team", everywhere + "namespaceResourceWhitelist: []", binding, gitops.Denied},
		{"a list against accounts", "team", everywhere + "namespaceResourceBlacklist: [{group: '', kind: ServiceAccount}]", account, gitops.Denied},
		{"another namespace", "team", "destinations: [{server: '*', namespace: web-*}]", account, gitops.Denied},
		{"another cluster", "team", "destinations: [{server: 'https://south', namespace: harbor}]", account, gitops.Denied},
		{"a cluster by its name", "team", "destinations: [{name: north, namespace: harbor}]", account, gitops.Allowed},
		{"a namespace that is excluded", "team", everywhere[:len(everywhere)-3] + ", {server: '*', namespace: '!harbor'}]", account, gitops.Denied},
		{"another namespace that is excluded", "team", everywhere[:len(everywhere)-3] + ", {server: '*', namespace: '!web'}]", account, gitops.Allowed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := tree{
				"app.yaml":     "{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a}, spec: {project: '" + c.project + "', destination: {server: 'https://north', namespace: harbor}}}",
				"project.yaml": "{apiVersion: argoproj.io/v1alpha1, kind: AppProject, metadata: {name: team}, spec: {" + c.spec + "}}",
			}
			result := gitops.Read(objectsOf(files), gitops.Options{Tree: files})
			if got := result.CanCreate(result.Applications[0], nil, c.wanted); got.Verdict != c.want || got.Why == "" {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}

const tenancy = `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: tenants}
spec: {serviceAccountName: team}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: harbor}
rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]
`

func TestTenant(t *testing.T) {
	t.Parallel()
	bound := func(kind, rules string) string {
		return "\n---\n{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: team}, rules: [" + rules + "]}" +
			"\n---\n{apiVersion: rbac.authorization.k8s.io/v1, kind: " + kind + ", metadata: {name: team, namespace: harbor}," +
			" roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: team}, subjects: [{kind: ServiceAccount, name: team, namespace: tenants}]}"
	}
	const (
		write = "{apiGroups: [rbac.authorization.k8s.io], resources: ['*'], verbs: [create, patch]}"
		bind  = write + ", {apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [bind], resourceNames: [harbor]}"
		hold  = write + ", {apiGroups: ['*'], resources: ['*'], verbs: [get]}"
		all   = "{apiGroups: ['*'], resources: ['*'], verbs: ['*']}"
	)
	for _, c := range []struct {
		name, rbac string
		wanted     gitops.NewObject
		want       gitops.Verdict
	}{
		{"nothing is bound to it", "", clusterBinding, gitops.Unknown},
		{"an administrator", bound("ClusterRoleBinding", all), clusterBinding, gitops.Allowed},
		{"without bind", bound("ClusterRoleBinding", write), clusterBinding, gitops.Denied},
		{"with bind", bound("ClusterRoleBinding", bind), clusterBinding, gitops.Allowed},
		{"with what the role allows", bound("ClusterRoleBinding", hold), clusterBinding, gitops.Allowed},
		{"a role", bound("ClusterRoleBinding", write), newRole, gitops.Denied},
		{"a role with what it allows", bound("ClusterRoleBinding", hold), newRole, gitops.Allowed},
		{"a role with escalate", bound("ClusterRoleBinding", write+", {apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [escalate]}"), newRole, gitops.Allowed},
		{"a role of another unit", bound("ClusterRoleBinding", hold), elsewhere, gitops.Allowed},
		{"an administrator of a namespace", bound("RoleBinding", all), clusterBinding, gitops.Denied},
		{"an administrator of that namespace", bound("RoleBinding", all), binding, gitops.Allowed},
		{"an account", bound("RoleBinding", "{apiGroups: [''],"+" resources: [serviceaccounts], verbs: [create, patch]}"), account, gitops.Allowed},
		{"no patch", bound("RoleBinding", "{apiGroups: [''],"+" resources: [serviceaccounts], verbs: [create]}"), account, gitops.Denied},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := tree{"a.yaml": tenancy + c.rbac}
			objs := objectsOf(files)
			result := gitops.Read(objs, gitops.Options{Tree: files})
			unit := assembly.Units(objs, nil)[0]
			if got := result.CanCreate(result.Applications[0], unit, c.wanted); got.Verdict != c.want || got.Why == "" {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}

// If syncs act as accounts of the project, the roles of the account count as well.
func TestImpersonation(t *testing.T) {
	t.Parallel()
	for destination, want := range map[string]gitops.Verdict{
		"{server: '*', namespace: harbor, defaultServiceAccount: 'tenants:team'}": gitops.Allowed,
		"{server: '*', namespace: 'h*', defaultServiceAccount: other}":            gitops.Unknown,
		"{server: '*', namespace: web, defaultServiceAccount: 'tenants:team'}":    gitops.Unknown,
	} {
		files := tree{"a.yaml": `
{apiVersion: v1, kind: ConfigMap, metadata: {name: argocd-cm}, data: {application.sync.impersonation.enabled: "true"}}
---
{apiVersion: argoproj.io/v1alpha1, kind: AppProject, metadata: {name: team}, spec: {destinations: [{server: '*', namespace: '*'}], destinationServiceAccounts: [` + destination + `]}}
---
{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a}, spec: {project: team, destination: {server: 'https://north', namespace: harbor}}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: team}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: team, namespace: tenants}]}
`}
		objs := objectsOf(files)
		result := gitops.Read(objs, gitops.Options{Tree: files})
		if got := result.CanCreate(result.Applications[0], assembly.Units(objs, nil)[0], account); got.Verdict != want {
			t.Errorf("%s: got %+v, want %s", destination, got, want)
		}
	}
}
