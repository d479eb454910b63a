package salint.rules.olm.service_account_deprecated_test

import data.salint.rules.olm.service_account_deprecated as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
}

harbor := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

test_required_has_no_finding if {
	count(report(testing.alone("required", harbor))) == 0
}

test_synthetic_warns_and_names_the_user if {
	some finding in report(testing.alone("synthetic", harbor))
	finding.severity == "warning"
	finding.path == ["spec", "serviceAccount"]
	contains(finding.message, "ServiceAccount harbor-system/harbor-installer")
	contains(finding.message, "Without it, OLM impersonates User olm:clusterextension:harbor.")
}

test_ignored_warns_and_names_the_release if {
	some finding in report(testing.for_release(testing.alone("ignored", harbor), "olm-1.11"))
	finding.severity == "warning"
	contains(finding.message, "which has no effect on olm-1.11: OLM acts as its own cluster-admin account. Remove the field.")
}

test_removed_is_an_error if {
	some finding in report(testing.alone("removed", harbor))
	finding.severity == "error"
	contains(finding.message, "spec.serviceAccount, which the model `removed` does not have. kubectl and")
}

test_templated_name if {
	templated := testing.cluster_extension("harbor", testing.installed_as("${ACCOUNT}"))
	some finding in report(testing.alone("ignored", templated))
	contains(finding.message, "names ServiceAccount harbor-system/${ACCOUNT} in spec.serviceAccount")
}

test_unknown_target if {
	some finding in report(testing.unknown(testing.alone("synthetic", harbor)))
	finding.severity == "warning"
	endswith(finding.message, concat(" ", [
		"in spec.serviceAccount, which is required through olm-1.10 and OpenShift 4.23, and ignored from olm-1.11 and OpenShift 5.0.",
		"Remove the field once the release of the cluster ignores it.",
	]))
}

test_renamed_extension_has_another_user if {
	some finding in report(testing.transformed(testing.alone("synthetic", harbor)))
	contains(finding.message, "olm:clusterextension:<its name as applied>")
}

test_other_rules_have_the_other_states if {
	every spec in [{}, {"serviceAccount": null}, {"serviceAccount": {}}, {"serviceAccount": "x"}, testing.installed_as("")] {
		count(report(testing.alone("ignored", testing.cluster_extension("harbor", spec)))) == 0
	}
}

test_placeholder_has_another_rule if {
	placeholder := testing.cluster_extension("harbor", testing.installed_as("olm.synthetic-user"))
	count(report(testing.alone("ignored", placeholder))) == 0
}
