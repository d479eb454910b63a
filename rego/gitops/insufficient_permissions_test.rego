package salint.rules.gitops.insufficient_permissions_test

import data.salint.rules.gitops.insufficient_permissions as rule
import data.salint.testing

kustomization := {
	"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
	"metadata": {"name": "shop", "namespace": "shop"}, "spec": {"serviceAccountName": "deployer"},
}

lacks := [{
	"namespace": "shop", "texts": ["create services"],
	"rules": [{"apiGroups": [""], "resources": ["services"], "verbs": ["create"], "resourceNames": [], "nonResourceURLs": []}],
}]

answer(changes) := object.union(
	{
		"path": ["spec", "serviceAccountName"], "tool": "Flux Kustomization", "title": "Kustomization shop/shop",
		"application": {"ref": "a.yaml#0/", "path": []}, "namespace": "shop", "name": "deployer",
		"missing": lacks, "summary": lacks, "unknown": [], "uncertain": false,
	},
	changes,
)

report(changes) := found if {
	found := rule.report with input as testing.judge("ignored", {"a.yaml": [kustomization]}, "a.yaml#0/")
		with salint.apply_preflight as [answer(changes)]
		with salint.bindings_of as [{"ref": "b.yaml#0/", "via": ""}, {"ref": "b.yaml#1/", "via": "system:authenticated"}]
		with salint.ref as testing.ref
}

test_lacking if {
	some finding in report({})
	finding.path == ["spec", "serviceAccountName"]
	contains(finding.message, "is applied as ServiceAccount shop/deployer, which lacks permissions for its objects. The requests are forbidden. Grant the account: create services in namespace shop.")
	finding.related == [{"ref": "b.yaml#0/", "path": ["roleRef"], "message": "ServiceAccount shop/deployer is bound here"}]
	not finding.severity
}

test_doubtful if {
	some finding in report({"unknown": [{"kind": "ClusterRole", "namespace": "", "name": "edit"}], "uncertain": true})
	finding.severity == "note"
	contains(finding.message, "might lack permissions for its objects: not all rules of ClusterRole edit and bindings that are filled in later are known.")
}

test_of_another_object if {
	some finding in report({"application": {"ref": "c.yaml#0/", "path": []}})
	finding.related[1].ref == "c.yaml#0/"
}
