package salint.rules.pod.pull_secret_ignored_test

import data.salint.rules.pod.pull_secret_ignored as rule

account := {
	"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web", "namespace": "shop"},
	"imagePullSecrets": [{"name": "registry"}],
}

report(own, by) := found if {
	found := rule.report with input as {"resource": {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"},
		"spec": {"containers": [], "imagePullSecrets": [{"name": name} | some name in own]},
	}}
		with salint.admission as [{
			"path": ["spec"], "account": "web", "accounts": ["a.yaml#0/"], "static": false,
			"pull_secrets": own, "pull_secrets_by": by,
		}]
		with salint.find as [{"ref": "a.yaml#0/", "resource": account}]
}

test_not_added if {
	some finding in report(["mirror"], "pod")
	finding.path == ["spec", "imagePullSecrets"]
	contains(finding.message, "so registry of ServiceAccount shop/web is not added. Add it to the pod")
}

test_used if {
	count(report(["mirror", "registry"], "pod")) == 0
	count(report(["registry"], "account")) == 0
}
