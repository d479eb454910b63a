package salint.rules.rbac.subject_mistyped_test

import data.salint.rules.rbac.subject_mistyped as rule

report(kind, name) := found if {
	binding := {
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "crew", "namespace": "harbor"},
		"roleRef": {"kind": "ClusterRole", "name": "edit"}, "subjects": [{"kind": kind, "name": name}],
	}
	found := rule.report with input as {"resource": binding}
}

test_group if {
	some finding in report("Group", "system:serviceaccount:harbor")
	finding.path == ["subjects", 0, "name"]
	contains(finding.message, "RoleBinding harbor/crew grants ClusterRole edit to Group system:serviceaccount:harbor, which matches no identity.")
	contains(finding.message, "Write Group system:serviceaccounts:harbor.")
	count(report("Group", "system:serviceaccounts:harbor")) == 0
	count(report("Group", "system:authenticated")) == 0
}

test_user if {
	some finding in report("User", "system:serviceaccount:mate")
	contains(finding.message, "Name the account: system:serviceaccount:<namespace>:<name>.")
	count(report("User", "system:serviceaccounts:harbor:mate")) == 1
	count(report("User", "system:serviceaccount:harbor:mate")) == 0
	count(report("ServiceAccount", "mate")) == 0
}

# The name is right, and the kind is not.
test_kind if {
	some finding in report("Group", "system:serviceaccount:harbor:mate")
	finding.path == ["subjects", 0, "kind"]
}
