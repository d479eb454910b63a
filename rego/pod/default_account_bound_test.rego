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

to_group(role, group) := found if {
	binding := {
		"kind": "ClusterRoleBinding", "metadata": {"name": "permissive"},
		"roleRef": {"kind": "ClusterRole", "name": role}, "subjects": [{"kind": "Group", "name": group}],
	}
	found := rule.report with input as {"resource": binding}
}

test_cluster_admin_for_groups_of_accounts if {
	every group, words in {
		"system:serviceaccounts": "every account of the cluster, those",
		"system:serviceaccounts:shop": "every account of namespace shop",
		"system:authenticated": "everybody who can log in",
		"system:unauthenticated": "without logging in",
	} {
		some finding in to_group("cluster-admin", group)
		finding.path == ["subjects", 0, "name"]
		contains(finding.message, words)
	}
}

test_other_groups_and_roles if {
	every group in ["system:masters", "admins", "system:serviceaccounts:", "system:serviceaccount:shop"] {
		count(to_group("cluster-admin", group)) == 0
	}
	every role in ["view", "system:image-puller", "admin"] {
		count(to_group(role, "system:serviceaccounts")) == 0
	}
}
