package salint.rules.pod.invalid_field_test

import data.salint.rules.pod.invalid_field as rule

pod(fields) := {
	"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"},
	"spec": object.union({"containers": []}, fields),
}

report(resource) := found if {
	found := rule.report with input as {"resource": resource}
}

test_text if {
	some finding in report(pod({"automountServiceAccountToken": "False"}))
	finding.path == ["spec", "automountServiceAccountToken"]
	endswith(finding.message, `to "False", which is not a boolean, so the API server rejects it. Write false.`)
	some other in report({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web"}, "automountServiceAccountToken": 0})
	other.path == ["automountServiceAccountToken"]
	endswith(other.message, "Write true or false, without quotes.")
}

test_name if {
	some finding in report(pod({"serviceAccountName": 7}))
	finding.path == ["spec", "serviceAccountName"]
}

test_right if {
	every fields in [{}, {"automountServiceAccountToken": false}, {"automountServiceAccountToken": null}, {"automountServiceAccountToken": "${MOUNT}"}, {"serviceAccountName": "7"}] {
		count(report(pod(fields))) == 0
	}
}
