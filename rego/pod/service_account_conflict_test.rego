package salint.rules.pod.service_account_conflict_test

import data.salint.rules.pod.service_account_conflict as rule

report(spec) := found if {
	resource := {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"template": {"spec": spec}}}
	found := rule.report with input as {"resource": resource}
}

test_two_names if {
	some finding in report({"serviceAccountName": "web", "serviceAccount": "admin"})
	finding.path == ["spec", "template", "spec", "serviceAccount"]
	startswith(finding.message, "The pod of Deployment web sets serviceAccountName to web, and the deprecated serviceAccount to admin.")
}

test_no_contradiction if {
	every spec in [
		{"serviceAccountName": "web"}, {"serviceAccount": "web"}, {"serviceAccountName": "web", "serviceAccount": "web"},
		{"serviceAccountName": "web", "serviceAccount": ""}, {"serviceAccountName": "", "serviceAccount": "web"},
		{"serviceAccountName": "web", "serviceAccount": "${ACCOUNT}"}, {"serviceAccountName": "web", "serviceAccount": 7},
		{"serviceAccountName": "web", "serviceAccount": "<account>"}, {"serviceAccountName": "ACCOUNT", "serviceAccount": "web"},
	] {
		count(report(spec)) == 0
	}
}
