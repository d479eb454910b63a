package salint.rules.pod.static_pod_account_test

import data.salint.rules.pod.static_pod_account as rule

report(spec, annotations) := found if {
	found := rule.report with input as {"resource": {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "agent", "namespace": "kube-system", "annotations": annotations},
		"spec": object.union({"containers": []}, spec),
	}}
}

static := {"kubernetes.io/config.source": "file"}

test_account if {
	some finding in report({"serviceAccountName": "agent"}, static)
	finding.path == ["spec", "serviceAccountName"]
	startswith(finding.message, "Static Pod kube-system/agent names ServiceAccount agent. The kubelet refuses")
}

test_projected_token if {
	some finding in report({"volumes": [{"name": "t", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]}, static)
	finding.path == ["spec", "volumes", 0, "projected", "sources", 0]
}

test_none if {
	count(report({}, static)) == 0
	count(report({"serviceAccountName": "agent"}, {})) == 0
}
