package salint.rules.pod.mountable_secret_test

import data.salint.rules.pod.mountable_secret as rule

account(value) := {
	"apiVersion": "v1", "kind": "ServiceAccount",
	"metadata": {"name": "web", "namespace": "shop", "annotations": {"kubernetes.io/enforce-mountable-secrets": value}},
	"secrets": [{"name": "database"}], "imagePullSecrets": [{"name": "registry"}],
}

pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}, "spec": {"containers": []}}

report(value, reference) := found if {
	found := rule.report with input as {"resource": pod}
		with salint.admission as [{"path": ["spec"], "account": "web", "accounts": ["a.yaml#0/"], "static": false}]
		with salint.find as [{"ref": "a.yaml#0/", "resource": account(value)}]
		with salint.secret_references as [object.union({"path": ["spec", "volumes", 0, "secret", "secretName"], "mount": true, "pulls": false}, reference)]
}

test_not_listed if {
	some finding in report("true", {"name": "cache"})
	contains(finding.message, "Pod shop/web names Secret cache, which secrets of ServiceAccount shop/web does not list.")
	some other in report("1", {"name": "database", "pulls": true, "path": ["spec", "imagePullSecrets", 0, "name"]})
	contains(other.message, "which imagePullSecrets of")
}

test_allowed if {
	count(report("true", {"name": "database"})) == 0
	count(report("false", {"name": "cache"})) == 0
	count(report("true", {"name": "registry", "pulls": true})) == 0
	count(report("true", {"name": "cache", "path": ["spec", "volumes", 0, "projected", "sources", 0, "secret", "name"]})) == 0
}
