package salint.rules.rbac.subject_invalid_test

import data.salint.rules.rbac.subject_invalid as rule
import data.salint.testing

group := "rbac.authorization.k8s.io"

world(kind, subject) := testing.alone("synthetic", {
	"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": {"name": "web", "namespace": "shop"},
	"roleRef": {"kind": "ClusterRole", "name": "view"}, "subjects": [subject],
})

report(judged) := found if {
	found := rule.report with input as judged
		with salint.find as testing.find
}

test_account_without_namespace if {
	some finding in report(world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web"}))
	finding.path == ["subjects", 0]
	count(report(world("RoleBinding", {"kind": "ServiceAccount", "name": "web"}))) == 0
}

test_whoever_applies_it_may_fill_it_in if {
	judged := world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web"})
	account := {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web"}}
	together := object.union(judged, {"files": {"b.yaml": [account]}, "unit": {"kind": "kustomization"}})
	count(report(together)) == 0
	count(report(testing.transformed(judged))) == 0
}

test_namespace_that_is_filled_in if {
	count(report(world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web", "namespace": {"ns": null}}))) == 0
	count(report(world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web", "namespace": null}))) == 1
}

test_wrong_groups if {
	every subject in [
		{"kind": "User", "name": "jane", "apiGroup": "rbac"}, {"kind": "Group", "name": "all", "apiGroup": "v1"},
		{"kind": "ServiceAccount", "name": "web", "namespace": "shop", "apiGroup": group},
	] {
		some finding in report(world("RoleBinding", subject))
		finding.path == ["subjects", 0, "apiGroup"]
	}
}

test_right_groups if {
	every subject in [
		{"kind": "User", "name": "jane", "apiGroup": group}, {"kind": "Group", "name": "all"}, {"kind": "User", "name": "jane", "apiGroup": ""},
		{"kind": "ServiceAccount", "name": "web", "namespace": "shop", "apiGroup": ""},
		{"kind": "User", "name": "jane", "apiGroup": "${GROUP}"},
	] {
		count(report(world("RoleBinding", subject))) == 0
	}
}

test_synthetic_identities_are_another_rule if {
	count(report(world("RoleBinding", {"kind": "User", "name": "olm:clusterextension:web", "apiGroup": "rbac"}))) == 0
}

test_only_accounts_need_a_namespace if {
	every kind in ["User", "Group"] {
		count(report(world("ClusterRoleBinding", {"kind": kind, "name": "web"}))) == 0
	}
}

test_nobody_fills_it_in_among_plain_files if {
	judged := world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web"})
	account := {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web"}}
	count(report(object.union(judged, {"files": {"b.yaml": [account]}}))) == 1
	elsewhere := {"files": {"b.yaml": [testing.service_account("shop", "web")]}, "unit": {"kind": "kustomization"}}
	count(report(object.union(judged, elsewhere))) == 1
}

test_groups_that_are_filled_in_or_of_another_kind if {
	every subject in [
		{"kind": "ServiceAccount", "name": "web", "namespace": "shop", "apiGroup": "${GROUP}"},
		{"kind": "Robot", "name": "web", "apiGroup": "robots"},
	] {
		count(report(world("RoleBinding", subject))) == 0
	}
}

test_synthetic_group_is_another_rule_where_it_counts if {
	all := {"kind": "Group", "name": "olm:clusterextensions", "apiGroup": "rbac"}
	one := {"kind": "User", "name": "olm:clusterextension:web", "apiGroup": "rbac"}
	count(report(world("RoleBinding", all))) == 0
	every subject in [all, one] {
		count(report(object.union(world("RoleBinding", subject), {"model": "ignored", "target": {"model": "ignored", "name": "olm-1.11"}}))) == 1
	}
}
