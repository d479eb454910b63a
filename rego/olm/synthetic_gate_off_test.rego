package salint.rules.olm.synthetic_gate_off_test

import data.salint.rules.olm.synthetic_gate_off as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
		with salint.bindings_of as testing.bindings_of
}

signal(gates) := {
	"ref": "gates.yaml#0/", "path": ["spec", "featureSet"], "kind": "featureset", "gates": gates,
	"description": "FeatureGate has the default feature set",
}

off := [signal({"SyntheticPermissions": false})]

harbor := testing.alone("synthetic", testing.cluster_extension("harbor", {}))

placeholder := testing.alone("required", testing.cluster_extension("harbor", testing.installed_as("olm.synthetic-user")))

test_off_under_synthetic if {
	some finding in report(testing.with_signs(harbor, off))
	finding.path == ["metadata", "name"]
	contains(finding.message, "but these are off: FeatureGate has the default feature set. The extension is not installed.")
	finding.related == [{
		"ref": "gates.yaml#0/", "path": ["spec", "featureSet"],
		"message": "FeatureGate has the default feature set",
	}]
}

test_off_for_the_placeholder if {
	some finding in report(testing.with_signs(placeholder, off))
	finding.path == ["spec", "serviceAccount"]
	contains(finding.message, "Turn the gate SyntheticPermissions on")
	count(report(testing.without_placeholder(testing.with_signs(placeholder, off)))) == 0
}

# Without the gate, this is an ordinary account, whose binding counts.
test_off_for_a_bound_account if {
	found := rule.report with input as testing.with_signs(placeholder, off)
		with salint.extension as testing.extension
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
		with salint.bindings_of as [{"via": ""}]
	count(found) == 0
}

test_on_unknown_or_contradictory if {
	every signals in [
		[],
		[signal({})],
		[signal({"BoxcutterRuntime": false})],
		[signal({"SyntheticPermissions": true})],
		[signal({"SyntheticPermissions": true}), signal({"SyntheticPermissions": false})],
	] {
		count(report(testing.with_signs(harbor, signals))) == 0
		count(report(testing.with_signs(placeholder, signals))) == 0
	}
}

test_extension_with_an_account if {
	named := testing.alone("synthetic", testing.cluster_extension("harbor", testing.installed_as("harbor-installer")))
	count(report(testing.with_signs(named, off))) == 0
}

test_other_models if {
	every model in {"required", "ignored", "removed"} {
		world := testing.alone(model, testing.cluster_extension("harbor", {}))
		count(report(testing.with_signs(world, off))) == 0
	}
}
