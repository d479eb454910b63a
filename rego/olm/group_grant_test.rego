package salint.rules.olm.group_grant_test

import data.salint.rules.olm.group_grant as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.lookup as testing.find
		with salint.lookup_refs as testing.find_refs
		with salint.ref as testing.ref
		with salint.granted_rules as testing.granted_rules
		with salint.granted_about as testing.granted_about
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

group := testing.group("olm:clusterextensions")

admin := testing.cluster_role_binding("extensions", "cluster-admin", [testing.group("ops"), group])

granting(rule_of_role) := testing.judge(
	"synthetic",
	{"a.yaml": [
		testing.cluster_role_binding("extensions", "extensions", [group]),
		testing.cluster_role("extensions", [object.union({"resourceNames": []}, rule_of_role)]),
	]},
	"a.yaml#0/",
)

test_cluster_admin_for_all if {
	some finding in report(testing.alone("synthetic", admin))
	finding.path == ["subjects", 1]
	startswith(finding.message, "ClusterRoleBinding extensions grants ClusterRole cluster-admin to Group olm:clusterextensions. Every present and future extension")
	contains(finding.message, "without a service account gets full control of the cluster.")
}

test_models if {
	count(report(testing.alone("required", admin))) == 1
	count(report(testing.without_placeholder(testing.alone("required", admin)))) == 0
	count(report(testing.with_signs(testing.alone("required", admin), [{"gates": {"SyntheticPermissions": false}}]))) == 0
	count(report(testing.alone("ignored", admin))) == 0
	count(report(testing.alone("removed", admin))) == 0
}

test_broad_roles if {
	expected := {
		"full control": {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
		"access to every resource": {"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list"]},
		"gets permissions that lead": {
			"apiGroups": ["rbac.authorization.k8s.io"],
			"resources": ["clusterroles"], "verbs": ["escalate"],
		},
		"permissions that lead to cluster-admin": {"apiGroups": [""], "resources": ["users"], "verbs": ["impersonate"]},
		"permissions that lead": {"apiGroups": [""], "resources": ["serviceaccounts/token"], "verbs": ["create"]},
		"lead to cluster-admin": {"apiGroups": [""], "resources": ["users"], "verbs": ["*"]},
		"that lead to cluster-admin": {
			"apiGroups": ["rbac.authorization.k8s.io"],
			"resources": ["clusterroles"], "resourceNames": ["one", "cluster-admin"], "verbs": ["bind"],
		},
		"every Secret of the cluster": {"apiGroups": [""], "resources": ["secrets"], "verbs": ["*"]},
	}
	every access, rule_of_role in expected {
		some finding in report(granting(rule_of_role))
		contains(finding.message, access)
	}
}

test_roles_for_every_installation if {
	every rule_of_role in [
		{"apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"], "verbs": ["*"]},
		{"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "verbs": ["create", "get"]},
		{"apiGroups": ["apps"], "resources": ["*"], "verbs": ["*"]},
		{"apiGroups": [""], "resources": ["secrets"], "resourceNames": ["one"], "verbs": ["get"]},
		{"apiGroups": [""], "resources": ["secrets"], "verbs": ["delete"]},
		{"apiGroups": [""], "resources": ["users"], "resourceNames": ["one"], "verbs": ["impersonate"]},
		{"apiGroups": [""], "resources": ["serviceaccounts/token"], "resourceNames": ["one"], "verbs": ["create"]},
	] {
		count(report(granting(rule_of_role))) == 0
	}
}

test_roles_of_kubernetes if {
	some finding in report(testing.alone("synthetic", testing.cluster_role_binding("x", "edit", [group])))
	contains(finding.message, "every Secret and token")
	count(report(testing.alone("synthetic", testing.cluster_role_binding("x", "view", [group])))) == 0
}

test_other_subjects if {
	subjects := [testing.user("olm:clusterextensions"), testing.group("ops"), testing.user("olm:clusterextension:harbor")]
	count(report(testing.alone("synthetic", testing.cluster_role_binding("x", "cluster-admin", subjects)))) == 0
}
