package salint.rules.olm.layout_outdated_test

import data.salint.rules.olm.layout_outdated as rule
import data.salint.testing

report(resource) := found if {
	found := rule.report with input as testing.alone("required", resource)
		with salint.extension as testing.extension
}

harbor := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

old(spec, layout, releases) := {
	"apiVersion": "olm.operatorframework.io/v1alpha1",
	"kind": "ClusterExtension",
	"metadata": {"name": "harbor"},
	"spec": spec,
	"layout": layout,
	"releases": releases,
}

test_current_layout if {
	count(report(harbor)) == 0
	count(report(object.union(harbor, {"apiVersion": "olm.operatorframework.io/v2"}))) == 0
}

test_v1alpha1_lists_moved_fields if {
	some finding in report(old({"packageName": "harbor-operator", "installNamespace": "harbor"}, "v0.12", "v0.12 to v0.13"))
	finding.path == ["apiVersion"]
	finding.message == concat(" ", [
		"ClusterExtension harbor has the layout of operator-controller v0.12 to v0.13.",
		"From v1.0 on, no release serves v1alpha1, so it cannot be applied.",
		"Write olm.operatorframework.io/v1: spec.installNamespace becomes spec.namespace",
		"and spec.packageName becomes spec.source.catalog.packageName.",
	])
}

test_v1alpha1_with_the_fields_of_v1 if {
	some finding in report(old({"namespace": "harbor"}, "v0.18", "v0.18"))
	endswith(finding.message, "Write olm.operatorframework.io/v1.")
}

test_mixed_layouts if {
	mixed := object.union(harbor, {
		"spec": {"packageName": "harbor-operator"},
		"misplaced": [{"path": ["spec", "packageName"], "releases": "v0.9 to v0.13"}],
	})
	some finding in report(mixed)
	finding.path == ["spec", "packageName"]
	finding.message == concat(" ", [
		"ClusterExtension harbor mixes layouts: spec.packageName belongs to operator-controller v0.9 to v0.13.",
		"kubectl and server-side apply reject the manifest; other clients drop these fields.",
		"Use the fields of v1: spec.packageName becomes spec.source.catalog.packageName.",
	])
}

test_older_and_mixed_is_one_finding if {
	mixed := object.union(
		old({"packageName": "x", "source": {}}, "v0.14", "v0.14"),
		{"misplaced": [{"path": ["spec", "packageName"], "releases": "v0.9 to v0.13"}]},
	)
	count(report(mixed)) == 1
}

test_kind_of_v010 if {
	found := rule.report with input as testing.alone("required", {
		"apiVersion": "olm.operatorframework.io/v1alpha1",
		"kind": "Extension",
		"metadata": {"name": "harbor", "namespace": "harbor-system"},
	})
		with salint.extension as {"kind": "Extension", "name": "harbor", "releases": "v0.10", "mixed": false}
	some finding in found
	finding.path == ["kind"]
	contains(finding.message, "Extension harbor-system/harbor is of the kind Extension, which only operator-controller v0.10 serves.")
}
