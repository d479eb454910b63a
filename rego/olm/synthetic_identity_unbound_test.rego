package salint.rules.olm.synthetic_identity_unbound_test

import data.salint.rules.olm.synthetic_identity_unbound as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.bindings_of as testing.bindings_of
		with salint.anywhere as testing.anywhere
		with salint.bindings_naming as testing.bindings_naming
		with salint.bindings_misspelling as testing.bindings_misspelling
		with salint.mistyped as mistyped
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

# The answers of salint.mistyped that the tests need.
mistyped(subject) := {"kind": "User", "name": "olm:clusterextension:harbor"} if {
	subject.name == "olm:clusterextensions:harbor"
}

mistyped(subject) := {"kind": "Group", "name": "olm:clusterextensions"} if {
	subject == {"kind": "User", "name": "olm:clusterextensions"}
}

harbor := testing.cluster_extension("harbor", {})

bound_to(subject) := testing.judge(
	"synthetic",
	{"a.yaml": [harbor], "rbac.yaml": [testing.cluster_role_binding("harbor", "installer", [subject])]},
	"a.yaml#0/",
)

test_unbound_under_synthetic if {
	some finding in report(testing.alone("synthetic", harbor))
	finding.path == ["metadata", "name"]
	contains(finding.message, "ClusterExtension harbor has no service account, and nothing is bound to User olm:clusterextension:harbor")
}

test_other_models_do_not_impersonate if {
	every model in {"required", "ignored", "removed"} {
		count(report(testing.alone(model, harbor))) == 0
	}
}

test_bound_to_the_user_or_the_group if {
	count(report(bound_to(testing.user("olm:clusterextension:harbor")))) == 0
	found := rule.report with input as bound_to(testing.user("nobody"))
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.bindings_of as [{"via": "olm:clusterextensions"}]
		with salint.runtime as testing.runtime
		with salint.signs as []
	count(found) == 0
}

test_bound_to_another_subject if {
	every subject in [
		testing.user("olm:clusterextension:other"),
		testing.group("olm:clusterextension:harbor"),
		testing.account_subject("harbor-system", "harbor"),
	] {
		count(report(bound_to(subject))) == 1
	}
}

test_misspelled_subject_has_another_rule if {
	every subject in [testing.user("olm:clusterextensions:harbor"), testing.user("olm:clusterextensions")] {
		count(report(bound_to(subject))) == 0
	}
}

test_authenticated_group_does_not_count if {
	found := rule.report with input as testing.alone("synthetic", harbor)
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.bindings_of as [{"via": "system:authenticated"}]
		with salint.bindings_naming as []
		with salint.bindings_misspelling as []
		with salint.runtime as testing.runtime
		with salint.signs as []
	count(found) == 1
}

test_bound_in_another_unit if {
	bindings := {"access/all.yaml": [testing.cluster_role_binding("x", "y", [testing.group("olm:clusterextensions")])]}
	count(report(testing.elsewhere(testing.alone("synthetic", harbor), bindings))) == 0
}

test_extension_with_an_account if {
	named := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))
	count(report(testing.alone("synthetic", named))) == 0
}

test_layout_without_account if {
	count(report(testing.alone("synthetic", object.union(harbor, {"layout": "v0.9"})))) == 0
}

test_templated_name if {
	count(report(testing.alone("synthetic", testing.cluster_extension("${NAME}", {})))) == 0
}

test_transformed_name if {
	count(report(testing.transformed(testing.alone("synthetic", harbor)))) == 0
}

placeholder := testing.alone("required", testing.cluster_extension("harbor", testing.installed_as("olm.synthetic-user")))

test_placeholder_with_the_gate_unknown if {
	some finding in report(placeholder)
	contains(finding.message, "ClusterExtension harbor names the placeholder olm.synthetic-user, and nothing is bound to")
	count(report(testing.without_placeholder(placeholder))) == 0
}

test_placeholder_can_be_an_account if {
	subject := testing.account_subject("harbor-system", "olm.synthetic-user")
	world := object.union(placeholder, {"files": {"b.yaml": [testing.cluster_role_binding("harbor", "x", [subject])]}})
	count(report(world)) == 0
	count(report(testing.with_signs(world, [{"gates": {"SyntheticPermissions": true}}]))) == 1
}

test_placeholder_with_the_gate_off if {
	count(report(testing.with_signs(placeholder, [{"gates": {"SyntheticPermissions": false}}]))) == 0
}

test_unknown_target if {
	count(report(testing.unknown(testing.alone("synthetic", harbor)))) == 0
}
