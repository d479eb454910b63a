package salint.rules.rbac.subject_invalid_test

import data.salint.rules.rbac.subject_invalid as rule
import data.salint.testing

group := "rbac.authorization.k8s.io"

world(kind, subject) := testing.alone("synthetic", {
	"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": {"name": "web", "namespace": "shop"},
	"roleRef": {"kind": "ClusterRole", "name": "view"}, "subjects": [subject],
})

report(given) := found if {
	found := rule.report with input as given
		with salint.find as testing.find
}

test_account_without_namespace if {
	some finding in report(world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web"}))
	finding.path == ["subjects", 0]
	count(report(world("RoleBinding", {"kind": "ServiceAccount", "name": "web"}))) == 0
}

test_namespace_of_a_kustomization if {
	given := world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web"})
	account := {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web"}}
	together := object.union(given, {"files": {"b.yaml": [account]}, "unit": {"kind": "kustomization"}})
	count(report(together)) == 0
	count(report(testing.transformed(given))) == 0
}

test_placeholder_of_the_namespace if {
	count(report(world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web", "namespace": {"ns": null}}))) == 0
	count(report(world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web", "namespace": null}))) == 1
}

test_invalid_groups if {
	every subject in [
		{"kind": "User", "name": "jane", "apiGroup": "rbac"}, {"kind": "Group", "name": "all", "apiGroup": "v1"},
		{"kind": "ServiceAccount", "name": "web", "namespace": "shop", "apiGroup": group},
	] {
		some finding in report(world("RoleBinding", subject))
		finding.path == ["subjects", 0, "apiGroup"]
	}
}

test_valid_groups if {
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

test_namespace_among_plain_files if {
	given := world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web"})
	account := {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web"}}
	count(report(object.union(given, {"files": {"b.yaml": [account]}}))) == 1
	elsewhere := {"files": {"b.yaml": [testing.service_account("shop", "web")]}, "unit": {"kind": "kustomization"}}
	count(report(object.union(given, elsewhere))) == 1
}

test_placeholders_of_groups if {
	every subject in [
		{"kind": "ServiceAccount", "name": "web", "namespace": "shop", "apiGroup": "${GROUP}"},
	] {
		count(report(world("RoleBinding", subject))) == 0
	}
}

test_synthetic_group_by_model if {
	all := {"kind": "Group", "name": "olm:clusterextensions", "apiGroup": "rbac"}
	count(report(world("RoleBinding", all))) == 0
	one := {"kind": "User", "name": "olm:clusterextension:web", "apiGroup": "rbac"}
	every subject in [all, one] {
		count(report(object.union(world("RoleBinding", subject), {"model": "ignored", "target": {"model": "ignored", "name": "olm-1.11"}}))) == 1
	}
}

binding(kind, role_ref, subjects) := testing.alone("synthetic", {
	"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": {"name": "web", "namespace": "shop"},
	"roleRef": role_ref, "subjects": subjects,
})

test_invalid_subjects if {
	every subject, path in {
		{"kind": "group", "name": "staff"}: ["subjects", 0, "kind"],
		{"kind": "serviceAccount", "name": "web", "namespace": "shop"}: ["subjects", 0, "kind"],
		{"name": "jane"}: ["subjects", 0],
		{"kind": "User", "name": ""}: ["subjects", 0, "name"],
		{"kind": "User"}: ["subjects", 0],
		{"kind": "User", "name": 7}: ["subjects", 0, "name"],
		{"kind": "ServiceAccount", "name": "shop:web", "namespace": "shop"}: ["subjects", 0, "name"],
		{"kind": "ServiceAccount", "name": "system:serviceaccount:shop:web", "namespace": "shop"}: ["subjects", 0, "name"],
	} {
		{finding.path | some finding in report(world("RoleBinding", subject))} == {path}
	}
}

test_placeholders_of_subjects if {
	every subject in [
		{"kind": "${KIND}", "name": "jane"}, {"kind": "KIND", "name": "jane"}, {"kind": "User", "name": {"name": null}},
		{"kind": "ServiceAccount", "name": "WEB_ACCOUNT", "namespace": "shop"}, {"kind": "ServiceAccount", "name": "<account>", "namespace": "shop"},
		{"kind": "ServiceAccount", "name": "system:serviceaccount:${NS}:web", "namespace": "shop"},
		{"kind": "ServiceAccount", "name": "REPLACE_me", "namespace": "shop"}, {"kind": "ServiceAccount", "name": "serviceAccountName", "namespace": "shop"},
	] {
		count(report(world("RoleBinding", subject))) == 0
	}
}

test_invalid_roles if {
	every kinds, path in {
		["RoleBinding", {"kind": "clusterrole", "name": "view"}]: ["roleRef", "kind"],
		["RoleBinding", {"kind": "ClusterRole", "name": "view", "apiGroup": "rbac.authorization.k8s.io/v1"}]: ["roleRef", "apiGroup"],
		["RoleBinding", {"kind": "ClusterRole"}]: ["roleRef"],
		["RoleBinding", {"kind": "ClusterRole", "name": ""}]: ["roleRef", "name"],
		["RoleBinding", {"name": "view"}]: ["roleRef"],
		["RoleBinding", null]: ["roleRef"],
		["ClusterRoleBinding", {"kind": "Role", "name": "reader"}]: ["roleRef", "kind"],
	} {
		{finding.path | some finding in report(binding(kinds[0], kinds[1], []))} == {path}
	}
}

test_valid_roles_and_placeholders if {
	every role in [
		{"kind": "Role", "name": "reader"}, {"kind": "ClusterRole", "name": "system:node-proxier", "apiGroup": ""}, {"kind": "KIND", "name": "${ROLE}"},
		{"kind": "ClusterRole", "name": "view", "apiGroup": "{{ group }}"}, {"kind": "ClusterRole", "name": {"role": null}}, "${ROLE_REF}",
	] {
		count(report(binding("RoleBinding", role, []))) == 0
	}
}

test_only_namespaces_and_groups_have_a_fix if {
	some finding in report(binding("ClusterRoleBinding", {"kind": "Role", "name": "reader"}, []))
	finding.unfixable
	some other in report(world("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "web"}))
	not other.unfixable
}

test_message if {
	some finding in report(binding("ClusterRoleBinding", {"kind": "Role", "name": "reader"}, []))
	startswith(finding.message, "ClusterRoleBinding shop/web is invalid: a ClusterRoleBinding can refer to a ClusterRole only")
	contains(finding.message, "so Role reader is not granted.")
}

test_mistyped_identities_are_another_rule if {
	count(report(world("RoleBinding", {"kind": "ServiceAccount", "name": "olm:clusterextension:web", "namespace": "shop"}))) == 0
}
