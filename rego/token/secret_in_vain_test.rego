package salint.rules.token.secret_in_vain_test

import data.salint.rules.token.secret_in_vain as rule

secret(fields) := object.union(
	{
		"apiVersion": "v1", "kind": "Secret",
		"metadata": {"name": "robot-token", "namespace": "ci", "annotations": {"kubernetes.io/service-account.name": "robot"}},
	},
	fields,
)

report(fields) := found if {
	found := rule.report with input as {"resource": secret(fields), "unit": {"transforms": [], "remotes": []}}
}

test_no_type if {
	some finding in report({})
	finding.path == ["metadata", "annotations", "kubernetes.io/service-account.name"]
	startswith(finding.message, "Secret ci/robot-token gets no token: its type is Opaque, the default, and")
	count(report({"type": "Opaque"})) == 1
	count(report({"stringData": {"token": "x"}})) == 0
}

test_misspelled if {
	every type in ["kubernetes.io/serviceaccount-token", "kubernetes.io/service-accout-token", "kubernetes.io/Service-Account-Token"] {
		some finding in report({"type": type})
		finding.path == ["type"]
		contains(finding.message, sprintf("its type is %q", [type]))
	}
	count(report({"type": "kubernetes.io/service_account_token", "metadata": {"annotations": null}})) == 1
}

test_other_types if {
	every type in ["kubernetes.io/service-account-token", "kubernetes.io/dockercfg", "example.com/session"] {
		count(report({"type": type})) == 0
	}
	count(report({"metadata": {"annotations": null}})) == 0
}
