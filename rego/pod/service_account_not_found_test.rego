package salint.rules.pod.service_account_not_found_test

import data.salint.rules.pod.service_account_not_found as rule
import data.salint.testing

pod(metadata, spec) := {"apiVersion": "v1", "kind": "Pod", "metadata": object.union({"name": "web", "namespace": "shop"}, metadata), "spec": spec}

report(resource) := found if {
	files := {"a.yaml": [resource, testing.service_account("shop", "checkout")]}
	found := rule.report with input as testing.judge("ignored", files, "a.yaml#0/")
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
}

test_missing if {
	every field in ["serviceAccountName", "serviceAccount"] {
		some finding in report(pod({}, {field: "chekcout"}))
		finding.path == ["spec", field]
		contains(finding.message, "Pod shop/web uses ServiceAccount shop/chekcout, which is not defined in the repository (its namespace has checkout)")
	}
}

test_existing_account if count(report(pod({}, {"serviceAccountName": "checkout"}))) == 0

test_no_account if count(report(pod({}, {}))) == 0

test_static if {
	metadata := {"annotations": {"kubernetes.io/config.source": "file"}}
	count(report(pod(metadata, {"serviceAccountName": "chekcout"}))) == 0
}

test_placeholders if {
	every name in ["${ACCOUNT}", "ACCOUNT_NAME", "<account>", "@account@", "($account)"] {
		count(report(pod({}, {"serviceAccountName": name}))) == 0
	}
}

faults(name) := count(found) if {
	pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"serviceAccountName": name}}
	found := rule.report with input as testing.alone("ignored", pod) with salint.find as [] with salint.anywhere as [] with salint.bringers as []
}

test_invalid_names if {
	every name in ["system:serviceaccount:shop:web", "shop/web", "Web_1"] { faults(name) == 1 }
	every name in ["web", "WEB_ACCOUNT", "<account>", "${NAME}", "@name@"] { faults(name) == 0 }
}

test_operator_group if {
	some reads in [{"serviceAccountName": "chekcout"}]
	group := {"apiVersion": "operators.coreos.com/v1", "kind": "OperatorGroup", "metadata": {"name": "all", "namespace": "shop"}, "spec": reads}
	some finding in report_with(group, ["b.yaml#0/"])
	contains(finding.message, "OLM installs no operator")
	app := {"apiVersion": "packaging.carvel.dev/v1alpha1", "kind": "PackageInstall", "metadata": {"name": "all", "namespace": "shop"}, "spec": reads}
	count(report_with(app, ["b.yaml#0/"])) == 0
	count(report_with(app, [])) == 1
}

report_with(resource, bringers) := found if {
	subscription := {"apiVersion": "operators.coreos.com/v1alpha1", "kind": "Subscription", "metadata": {"name": "etcd", "namespace": "shop"}}
	files := {"a.yaml": [resource, testing.service_account("shop", "checkout")], "b.yaml": [subscription]}
	found := rule.report with input as testing.judge("ignored", files, "a.yaml#0/")
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as bringers
		with salint.pods as []
}
