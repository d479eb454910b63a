package salint.rules.rbac.subject_not_found_test

import data.salint.rules.rbac.subject_not_found as rule
import data.salint.testing

report(subject, accounts) := found if {
	binding := {
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "web", "namespace": "shop"},
		"roleRef": {"kind": "ClusterRole", "name": "view"}, "subjects": [subject],
	}
	found := rule.report with input as testing.judge("ignored", {"a.yaml": [binding], "b.yaml": accounts}, "a.yaml#0/")
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
}

web := [testing.service_account("shop", "web")]

test_forms_of_accounts if {
	every subject in [
		{"kind": "ServiceAccount", "name": "wbe"}, {"kind": "ServiceAccount", "name": "wbe", "namespace": "shop"},
		{"kind": "User", "name": "system:serviceaccount:shop:wbe"},
	] {
		some finding in report(subject, web)
		finding.path == ["subjects", 0, "name"]
		finding.severity == "warning"
		contains(finding.message, "ServiceAccount shop/wbe, which is not defined in the repository (its namespace has web)")
	}
}

test_note_without_others if {
	some finding in report({"kind": "ServiceAccount", "name": "web"}, [])
	not finding.severity
}

test_placeholders if {
	every namespace in [{"ns": null}, "($namespace)", "NAMESPACE", "${NS}"] {
		count(report({"kind": "ServiceAccount", "name": "robot", "namespace": namespace}, web)) == 0
	}
	count(report({"kind": "ServiceAccount", "name": "<robot>"}, web)) == 0
}

test_existing_subjects if {
	every subject in [
		{"kind": "ServiceAccount", "name": "web"}, {"kind": "User", "name": "jane"}, {"kind": "Group", "name": "system:serviceaccounts"},
		{"kind": "ServiceAccount", "name": "default"}, {"kind": "ServiceAccount", "name": "a", "namespace": "kube-system"},
	] {
		count(report(subject, web)) == 0
	}
}

test_similar_subjects if {
	every name in [
		"system:serviceaccount:shop", "system:serviceaccount:shop:wbe:more", "system:node:shop:wbe", "team:serviceaccount:shop:wbe",
	] {
		count(report({"kind": "User", "name": name}, web)) == 0
	}
	count(report({"kind": "Group", "name": "system:serviceaccount:shop:wbe"}, web)) == 0
	count(report({"kind": "Group", "name": "wbe"}, web)) == 0
	count(report({"kind": "Group", "name": "wbe", "namespace": "shop"}, web)) == 0
}

test_account_without_a_namespace if {
	binding := testing.cluster_role_binding("web", "view", [{"kind": "ServiceAccount", "name": "wbe"}])
	bound := object.union(binding, {"metadata": {"namespace": "shop"}})
	found := rule.report with input as testing.judge("ignored", {"a.yaml": [bound], "b.yaml": web}, "a.yaml#0/")
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
	count(found) == 0
}

test_message_without_others if {
	some finding in report({"kind": "ServiceAccount", "name": "web"}, [])
	not contains(finding.message, "(its namespace has")
}
