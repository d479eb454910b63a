package salint.rules.gitops.account_not_found_test

import data.salint.rules.gitops.account_not_found as rule
import data.salint.testing

kustomization := {
	"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
	"metadata": {"name": "shop", "namespace": "shop"}, "spec": {"serviceAccountName": "depolyer"},
}

project := {"apiVersion": "argoproj.io/v1alpha1", "kind": "AppProject", "metadata": {"name": "shop", "namespace": "argocd"}, "spec": {}}

acting(changes) := object.union(
	{
		"path": ["spec", "serviceAccountName"], "tool": "Flux Kustomization", "title": "Kustomization shop/shop",
		"application": {"ref": "a.yaml#0/", "path": []}, "namespace": "shop", "name": "depolyer",
		"siblings": ["deployer"], "brought": false,
	},
	changes,
)

report(resource, changes, others) := found if {
	files := {"a.yaml": array.concat([resource], others)}
	found := rule.report with input as testing.judge("ignored", files, "a.yaml#0/")
		with salint.acting_accounts as [acting(changes)]
		with salint.anywhere as testing.anywhere
		with salint.ref as testing.ref
}

test_missing if {
	some finding in report(kustomization, {}, [])
	finding.path == ["spec", "serviceAccountName"]
	contains(finding.message, "Kustomization shop/shop is applied as ServiceAccount shop/depolyer, which is not defined in the repository (its namespace has deployer).")
	not finding.related
}

test_consequence if {
	every tool, text in {"Flux HelmRelease": "never uninstalled", "Argo CD": "no binding allows", "Flux Kustomization": "never deleted"} {
		some finding in report(kustomization, {"tool": tool}, [])
		contains(finding.message, text)
	}
}

test_of_a_project if {
	some finding in report(project, {"tool": "Argo CD", "title": "Application argocd/shop", "application": {"ref": "b.yaml#0/", "path": []}}, [])
	finding.related == [{"ref": "b.yaml#0/", "path": ["spec", "destination"], "message": "Application argocd/shop is applied as this account"}]
}

test_may_exist if {
	count(report(kustomization, {"siblings": []}, [])) == 0
	count(report(kustomization, {"brought": true}, [])) == 0
	count(report(kustomization, {"name": "default"}, [])) == 0
	count(report(kustomization, {"namespace": "kube-system"}, [])) == 0
	count(report(kustomization, {}, [testing.service_account("shop", "depolyer")])) == 0
	count(report(kustomization, {}, [testing.service_account("", "depolyer")])) == 0
	count(report(kustomization, {}, [testing.service_account("shop", "${NAME}")])) == 0
	count(report(kustomization, {}, [testing.service_account("web", "depolyer")])) == 1
}

unset := {
	"namespace": "", "name": "", "tool": "Argo CD", "title": "Application argocd/shop", "siblings": [],
	"application": {"ref": "b.yaml#0/", "path": []}, "path": ["spec", "destinationServiceAccounts"],
}

test_unset if {
	some finding in report(project, unset, [])
	contains(finding.message, "AppProject argocd/shop sets no account for the destination of Application argocd/shop.")
	finding.path == ["spec", "destinationServiceAccounts"]
}
