package salint.rules.olm.synthetic_subject_mistyped_test

import data.salint.rules.olm.synthetic_subject_mistyped as rule
import data.salint.testing

# The answers of salint.mistyped that the tests need.
mistyped(subject) := {
	"kind": "User", "name": "olm:clusterextension:harbor",
	"why": "the user of one extension is spelled in the singular",
} if {
	subject.name == "olm:clusterextensions:harbor"
}

mistyped(subject) := {
	"kind": "Group", "name": "olm:clusterextensions",
	"why": "the identity of all extensions is a Group, not a User",
} if {
	subject == {"kind": "User", "name": "olm:clusterextensions"}
}

mistyped(subject) := {"kind": "", "name": "", "why": "it names no extension"} if {
	subject.name == "olm:clusterextension"
}

report(model, subjects) := found if {
	binding := testing.cluster_role_binding("harbor", "installer", subjects)
	found := rule.report with input as testing.alone(model, binding)
		with salint.mistyped as mistyped
}

plural := testing.user("olm:clusterextensions:harbor")

test_plural_user if {
	some finding in report("synthetic", [testing.user("someone"), plural])
	finding.path == ["subjects", 1, "name"]
	startswith(finding.message, "ClusterRoleBinding harbor grants ClusterRole installer to User olm:clusterextensions:harbor, which matches no user. The grant has no effect.")
	contains(finding.message, "Write User olm:clusterextension:harbor (the user of one extension is spelled in the singular).")
	not finding.unfixable
}

test_models if {
	count(report("required", [plural])) == 1
	count(report("ignored", [plural])) == 0
	count(report("removed", [plural])) == 0
}

test_unknown_target if {
	some finding in report("unknown", [plural])
	finding.severity == "note"
	contains(finding.message, "The grant has no effect. Write User olm:clusterextension:harbor where extensions have identities, otherwise remove")
	user := object.union(testing.user("olm:clusterextension:harbor"), {"apiGroup": "v1"})
	count(report("unknown", [user])) == 0
}

test_group_written_as_user_points_at_the_kind if {
	some finding in report("synthetic", [testing.user("olm:clusterextensions")])
	finding.path == ["subjects", 0, "kind"]
	contains(finding.message, "Write Group olm:clusterextensions (the identity of all extensions is a Group, not a User).")
}

test_account_with_the_name_of_a_user if {
	some finding in report("synthetic", [testing.account_subject("x", "olm:clusterextensions:harbor")])
	contains(finding.message, "which matches no account.")
}

test_unknown_identity_has_no_fix if {
	some finding in report("synthetic", [testing.group("olm:clusterextension")])
	contains(finding.unfixable, "it is unknown which identity was meant")
	contains(finding.message, "Name the identity that needs the role (it names no extension).")
}

test_correct_subjects if {
	subjects := [
		testing.user("olm:clusterextension:harbor"),
		testing.group("olm:clusterextensions"),
		testing.user("admin"),
		testing.account_subject("olm", "clusterextensions"),
		object.union(testing.user("olm:clusterextension:harbor"), {"apiGroup": "rbac.authorization.k8s.io"}),
		object.union(testing.user("olm:clusterextension:harbor"), {"apiGroup": ""}),
	]
	count(report("synthetic", subjects)) == 0
}

test_wrong_api_group if {
	user := object.union(testing.user("olm:clusterextension:harbor"), {"apiGroup": "rbac.authorization.k8s.io/v1"})
	some finding in report("synthetic", [user])
	finding.path == ["subjects", 0, "apiGroup"]
	contains(finding.message, "the API server rejects the binding")
	group := object.union(testing.group("olm:clusterextensions"), {"apiGroup": "v1"})
	count(report("synthetic", [group])) == 1
}

test_wrong_api_group_of_a_mistyped_subject_is_one_finding if {
	count(report("synthetic", [object.union(plural, {"apiGroup": "v1"})])) == 1
}

test_wrong_api_group_of_other_subjects if {
	count(report("synthetic", [object.union(testing.user("admin"), {"apiGroup": "v1"})])) == 0
}

test_invalid_subjects if {
	count(report("synthetic", ["olm:clusterextensions:harbor", {"kind": "User"}, {"name": 5, "kind": "User"}, null])) == 0
}
