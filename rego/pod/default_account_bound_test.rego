package salint.rules.pod.default_account_bound_test

import data.salint.rules.pod.default_account_bound as rule

report(kind, subject) := found if {
	binding := {
		"kind": kind, "metadata": {"name": "web", "namespace": "shop"},
		"roleRef": {"kind": "ClusterRole", "name": "edit"}, "subjects": [subject],
	}
	found := rule.report with input as {"resource": binding}
}

test_default if {
	every subject in [
		{"kind": "ServiceAccount", "name": "default"}, {"kind": "ServiceAccount", "name": "default", "namespace": "shop"},
		{"kind": "User", "name": "system:serviceaccount:shop:default"},
	] {
		some finding in report("RoleBinding", subject)
		finding.path == ["subjects", 0, "name"]
		contains(finding.message, "grants ClusterRole edit to the account `default` of namespace shop")
	}
}

test_others if {
	every subject in [
		{"kind": "ServiceAccount", "name": "web"}, {"kind": "User", "name": "default"}, {"kind": "Group", "name": "default"},
		{"kind": "User", "name": "system:serviceaccount:default:web"},
	] {
		count(report("RoleBinding", subject)) == 0
	}
}

test_namespace_that_is_filled_in if {
	some finding in report("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "default", "namespace": {"ns": null}})
	contains(finding.message, "the account `default` of its namespace")
}

test_what_only_looks_like_the_account if {
	every subject in [
		{"kind": "Group", "name": "default", "namespace": "shop"}, {"kind": "User", "name": "default", "namespace": "shop"},
		{"kind": "ServiceAccount", "name": "web", "namespace": "shop"}, {"kind": "ServiceAccount", "name": "web"},
		{"kind": "Group", "name": "system:serviceaccount:shop:default"},
		{"kind": "User", "name": "team:serviceaccount:shop:default"}, {"kind": "User", "name": "system:node:shop:default"},
		{"kind": "User", "name": "system:serviceaccount:shop:default:more"},
	] {
		count(report("RoleBinding", subject)) == 0
	}
}
