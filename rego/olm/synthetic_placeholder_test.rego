package salint.rules.olm.synthetic_placeholder_test

import data.salint.rules.olm.synthetic_placeholder as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.anywhere as testing.anywhere
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

harbor := testing.cluster_extension("harbor", testing.installed_as("olm.synthetic-user"))

account := testing.service_account("harbor-system", "olm.synthetic-user")

gate(on) := [{"gates": {"SyntheticPermissions": on}}]

release(name) := testing.for_release(testing.alone("required", harbor), name)

release_with_account(name) := testing.for_release(
	testing.judge("required", {"a.yaml": [harbor], "b.yaml": [account]}, "a.yaml#0/"),
	name,
)

test_gate_on_is_as_intended if {
	count(report(testing.with_signs(release("olm-1.8"), gate(true)))) == 0
}

test_unknown_gate if {
	some finding in report(release("olm-1.8"))
	finding.severity == "note"
	contains(finding.message, "but the state of the gate SyntheticPermissions is unknown. It is off by default")
	finding.fix == null
}

test_gate_off_has_another_rule if {
	count(report(testing.with_signs(release("olm-1.8"), gate(false)))) == 0
}

test_later_releases_require_an_account if {
	every name in ["olm-1.9", "olm-1.10"] {
		some finding in report(testing.with_signs(release(name), gate(true)))
		finding.severity == "error"
		contains(finding.message, "This name means the synthetic identity. The installation fails:")
		count(report(testing.with_signs(release_with_account(name), gate(true)))) == 0
	}
}

test_later_release_with_unknown_gate_has_one_finding if {
	count(report(release("olm-1.10"))) == 1
	some finding in report(release_with_account("olm-1.10"))
	finding.severity == "note"
}

test_release_without_the_placeholder if {
	some finding in report(testing.without_placeholder(release("ocp-4.20")))
	finding.severity == "error"
	contains(finding.message, "ocp-4.20 treats this as the name of a ServiceAccount in namespace harbor-system, and no manifest creates it")
	count(report(testing.without_placeholder(release_with_account("ocp-4.20")))) == 0
}

test_runtime_that_ignores_accounts if {
	world := testing.with_runtime(release("olm-1.7"), {"account": false, "placeholder": false})
	count(report(world)) == 0
}

test_synthetic if {
	some finding in report(testing.alone("synthetic", harbor))
	finding.severity == "warning"
	finding.path == ["spec", "serviceAccount"]
	contains(finding.message, "only an extension without the field uses the synthetic identity. Remove the field,")
	object.get(finding, "fix", "of the rule") == "of the rule"
}

test_ignored if {
	some finding in report(testing.alone("ignored", harbor))
	finding.severity == "warning"
	contains(finding.message, "in spec.serviceAccount, which has no effect under the model `ignored`: OLM acts as its own cluster-admin account. Remove the field.")
}

test_unknown_target if {
	some finding in report(testing.unknown(testing.alone("required", harbor)))
	finding.severity == "warning"
	endswith(finding.message, concat(" ", [
		"names olm.synthetic-user in spec.serviceAccount. The field is required through olm-1.10 and OpenShift 4.23,",
		"and ignored from olm-1.11 and OpenShift 5.0. Remove the field once the release of the cluster ignores it.",
	]))
}

test_removed if {
	some finding in report(testing.alone("removed", harbor))
	finding.severity == "error"
	contains(finding.message, "in spec.serviceAccount, which the model `removed` does not have.")
}

test_other_names if {
	every name in ["harbor-installer", "olm.synthetic-users", "${ACCOUNT}"] {
		count(report(testing.alone("ignored", testing.cluster_extension("harbor", testing.installed_as(name))))) == 0
	}
}
