package gitops_test

import (
	"testing"

	"github.com/salint/salint/internal/assemble/gitops"
)

func TestImpersonationOfFlux(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, metadata, spec, want string }{
		{"no account", "namespace: shop", "", "none"},
		{"an account", "namespace: shop", "serviceAccountName: deployer", "shop/deployer at spec.serviceAccountName"},
		{"an unknown namespace", "", "serviceAccountName: deployer", "none"},
		{"a variable", "namespace: shop", "serviceAccountName: '${account}'", "none"},
		{"a variable namespace", "namespace: '${tenant}'", "serviceAccountName: deployer", "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range []string{"kustomize.toolkit.fluxcd.io/v1, kind: Kustomization", "helm.toolkit.fluxcd.io/v2, kind: HelmRelease"} {
				files := tree{"a.yaml": "{apiVersion: " + kind + ", metadata: {name: a, " + c.metadata + "}, spec: {" + c.spec + "}}"}
				result := gitops.Read(objectsOf(files), gitops.Options{Tree: files})
				if got := impersonation(result, result.Applications[0]); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			}
		})
	}
}

// impersonation describes the account as which an application is applied, and the field that names it.
func impersonation(result *gitops.Result, a *gitops.Application) string {
	found, ok := result.Impersonation(a)
	switch {
	case !ok:
		return "none"
	case found.Account.Name == "":
		return "no entry at " + found.Location.Path.String()
	}
	return found.Account.Namespace + "/" + found.Account.Name + " at " + found.Location.Path.String()
}

const enabled = "application.sync.impersonation.enabled: 'true'"

func TestImpersonationOfArgoCD(t *testing.T) {
	t.Parallel()
	const (
		own   = "server: https://kubernetes.default.svc, "
		shop  = "{" + own + "namespace: shop, defaultServiceAccount: deployer}"
		first = "spec.destinationServiceAccounts[0].defaultServiceAccount"
		unset = "no entry at spec.destinationServiceAccounts"
	)
	for _, c := range []struct{ name, settings, destination, accounts, want string }{
		{"disabled", "", own + "namespace: shop", shop, "none"},
		{"the first that matches", enabled, own + "namespace: shop", shop + ", {server: '*', namespace: '*', defaultServiceAccount: other}", "shop/deployer at " + first},
		{"the own cluster by its name", enabled, "name: in-cluster, namespace: shop", shop, "shop/deployer at " + first},
		{"another cluster by its name", enabled, "name: north, namespace: shop", shop, "none"},
		{"any cluster", enabled, "name: north, namespace: shop", "{server: '*', namespace: 'sho*', defaultServiceAccount: deployer}", "shop/deployer at " + first},
		{"another namespace", enabled, own + "namespace: web", shop, unset},
		{"another cluster", enabled, "server: https://north, namespace: shop", shop, unset},
		{"no entries", enabled, own + "namespace: shop", "", unset},
		{"no entries are needed", enabled + ", application.sync.impersonation.enforced: 'false'", own + "namespace: shop", "", "none"},
		{"entries of global projects", enabled + ", globalProjects: '[]'", own + "namespace: shop", "", "none"},
		{"a namespace of the account", enabled, own + "namespace: shop", "{server: '*', namespace: '*', defaultServiceAccount: 'tenants:deployer'}", "tenants/deployer at " + first},
		{"no destination namespace", enabled, own, "{server: '*', namespace: '*', defaultServiceAccount: deployer}", "argocd/deployer at " + first},
		{"a name that no account has", enabled, own + "namespace: shop", "{server: '*', namespace: '*', defaultServiceAccount: 'deploy*'}", "none"},
		{"a variable", enabled, own + "namespace: '${NAMESPACE}'", shop, "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := tree{
				"app.yaml":      "{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a, namespace: argocd}, spec: {project: team, destination: {" + c.destination + "}}}",
				"project.yaml":  "{apiVersion: argoproj.io/v1alpha1, kind: AppProject, metadata: {name: team, namespace: argocd}, spec: {destinationServiceAccounts: [" + c.accounts + "]}}",
				"settings.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: argocd-cm, namespace: argocd}, data: {" + c.settings + "}}",
			}
			result := gitops.Read(objectsOf(files), gitops.Options{Tree: files})
			if got := impersonation(result, result.Applications[0]); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestImpersonationOfSeveralInstances checks that nothing is known if only one of two instances of Argo CD impersonates.
func TestImpersonationOfSeveralInstances(t *testing.T) {
	t.Parallel()
	settings := func(data string) string {
		return "{apiVersion: v1, kind: ConfigMap, metadata: {name: argocd-cm, namespace: argocd}, data: {" + data + "}}"
	}
	files := tree{
		"app.yaml":     "{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a, namespace: argocd}, spec: {project: team, destination: {name: in-cluster}}}",
		"project.yaml": "{apiVersion: argoproj.io/v1alpha1, kind: AppProject, metadata: {name: team}, spec: {}}",
		"north.yaml":   settings(enabled), "south.yaml": settings(""),
	}
	result := gitops.Read(objectsOf(files), gitops.Options{Tree: files})
	if got := impersonation(result, result.Applications[0]); got != "none" {
		t.Errorf("got %s", got)
	}
}
