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
