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

test_namespace_with_a_placeholder if {
	some finding in report("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "default", "namespace": {"ns": null}})
	contains(finding.message, "the account `default` of its namespace")
}

test_similar_subjects if {
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
		"system:serviceaccounts": "Every account of the cluster has this role",
		"system:serviceaccounts:shop": "Every account of namespace shop has this role",
		"system:authenticated": "Everyone who can log in has this role",
		"system:unauthenticated": "Everyone who can reach the API server has this role",
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
