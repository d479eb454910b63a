package salint.rules.olm.bundle_refused_test

import data.salint.rules.olm.bundle_refused as rule
import data.salint.testing

report(refusals) := found if {
	found := rule.report with input as testing.with_bundle(testing.judge("required", {"a.yaml": [harbor]}, "a.yaml#0/"), {})
		with salint.extension as testing.extension
		with salint.bundle as testing.bundle
		with salint.bundle_refusals as refusals
}

harbor := testing.cluster_extension("harbor", testing.installed_as("installer"))

test_refused if {
	some finding in report([{"reason": "apiServiceDefinitions are not supported", "gate": "", "remedy": "", "installs": false}])
	finding.path == ["spec", "source", "catalog", "packageName"]
	not finding.severity
	finding.message == concat(" ", [
		"ClusterExtension harbor: OLM does not install its bundle harbor.v1.2.0: apiServiceDefinitions are not supported.",
		"Change the bundle, or use another version of it.",
	])
}

test_gate if {
	some finding in report([{"reason": "webhooks", "gate": "Webhooks", "remedy": "turn it on", "installs": false}])
	finding.severity == "warning"
	endswith(finding.message, "unless the feature gate Webhooks is on: webhooks. Turn it on.")
}

test_installed_otherwise if {
	some finding in report([{"reason": "it watches all namespaces", "gate": "Narrow", "remedy": "turn it on", "installs": true}])
	finding.severity == "warning"
	finding.message == "ClusterExtension harbor: OLM installs its bundle harbor.v1.2.0, but it watches all namespaces. Turn it on."
}

test_installed if count(report([])) == 0
