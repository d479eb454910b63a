package salint.rules.olm.cluster_admin_grant_test

import data.salint.rules.olm.cluster_admin_grant as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.lookup as testing.find
		with salint.lookup_refs as testing.find_refs
		with salint.installed_as as testing.extensions_installed_as
		with salint.ref as testing.ref
		with salint.bindings_of as testing.bindings_of
		with salint.granted_rules as testing.granted_rules
		with salint.granted_about as testing.granted_about
		with salint.bundle as testing.bundle
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

named := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

synthetic := testing.cluster_extension("harbor", {})

account := testing.account_subject("harbor-system", "harbor-installer")

bound(role, subjects) := testing.cluster_role_binding("harbor-admin", role, subjects)

world(model, extension, binding) := testing.judge(model, {"a.yaml": [binding, extension]}, "a.yaml#0/")

test_account_bound_to_cluster_admin if {
	every model in {"required", "synthetic"} {
		some finding in report(world(model, named, bound("cluster-admin", [account])))
		finding.path == ["roleRef"]
		startswith(finding.message, concat(" ", [
			"ClusterRoleBinding harbor-admin grants cluster-admin to ServiceAccount harbor-system/harbor-installer,",
			"the installer of ClusterExtension harbor. Anyone creating pods in its namespace can use it.",
		]))
		finding.related[0].ref == "a.yaml#1/"
		finding.related[0].path == ["spec", "serviceAccount"]
	}
}

test_targets_without_identities if {
	every model in {"ignored", "removed"} {
		count(report(world(model, named, bound("cluster-admin", [account])))) == 0
	}
	ignored := testing.with_runtime(world("required", named, bound("cluster-admin", [account])), {"account": false})
	count(report(ignored)) == 0
}

roles := [
	testing.cluster_role("everything", testing.everything),
	testing.cluster_role("reader", [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["get"]}]),
]

test_role_that_allows_everything if {
	files := {"a.yaml": array.concat([bound("everything", [account]), named], roles)}
	some finding in report(testing.judge("required", files, "a.yaml#0/"))
	contains(finding.message, "grants ClusterRole everything, effectively cluster-admin, to ")
}

test_smaller_or_unknown_role if {
	every role in ["reader", "elsewhere", "admin"] {
		files := {"a.yaml": array.concat([bound(role, [account]), named], roles)}
		count(report(testing.judge("required", files, "a.yaml#0/"))) == 0
	}
}

test_groups_of_the_account if {
	every group in ["system:serviceaccounts", "system:serviceaccounts:harbor-system", "system:authenticated"] {
		some finding in report(world("required", named, bound("cluster-admin", [testing.group(group)])))
		contains(finding.message, "which includes the installer of ClusterExtension harbor. Every other member of the group gets it too.")
	}
	every group in ["system:serviceaccounts:other", "admins", "olm:clusterextensions"] {
		count(report(world("required", named, bound("cluster-admin", [testing.group(group)])))) == 0
	}
}

test_synthetic_user if {
	user := testing.user("olm:clusterextension:harbor")
	some finding in report(world("synthetic", synthetic, bound("cluster-admin", [user])))
	contains(finding.message, "grants cluster-admin to User olm:clusterextension:harbor, the installer of ClusterExtension harbor.")
	count(report(world("synthetic", named, bound("cluster-admin", [user])))) == 0
	count(report(world("required", synthetic, bound("cluster-admin", [user])))) == 0
}

test_placeholder_is_the_synthetic_user if {
	user := testing.user("olm:clusterextension:harbor")
	placeholder := testing.cluster_extension("harbor", testing.installed_as("olm.synthetic-user"))
	count(report(world("required", placeholder, bound("cluster-admin", [user])))) == 1
}

test_account_without_extension if {
	other := testing.account_subject("harbor-system", "other")
	namesake := testing.account_subject("other", "harbor-installer")
	count(report(world("required", named, bound("cluster-admin", [other, namesake])))) == 0
}

test_subject_without_namespace if {
	subject := {"kind": "ServiceAccount", "name": "harbor-installer"}
	some finding in report(world("required", named, bound("cluster-admin", [subject])))
	contains(finding.message, "pods in its namespace")
}

test_one_finding_for_several_extensions if {
	other := testing.cluster_extension("harbor-2", testing.installed_as("harbor-installer"))
	files := {"a.yaml": [bound("cluster-admin", [account, testing.group("system:serviceaccounts")]), named, other]}
	found := report(testing.judge("required", files, "a.yaml#0/"))
	count(found) == 1
	some finding in found
	contains(finding.message, "ClusterExtension harbor and ClusterExtension harbor-2")
	count(finding.related) == 2
}

reading := {"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"]}

writing := {"apiGroups": ["*"], "resources": ["*"], "verbs": ["create", "update", "patch", "delete", "deletecollection"]}

test_role_that_allows_everything_by_verbs if {
	role := testing.cluster_role("all-verbs", [reading, writing])
	files := {"a.yaml": [bound("all-verbs", [account]), named, role]}
	some finding in report(testing.judge("required", files, "a.yaml#0/"))
	contains(finding.message, "grants ClusterRole all-verbs, effectively cluster-admin, to ")
}

# together returns a repository in which two bindings grant everything together; the second has the writer as its subject.
together(writer) := {"a.yaml": [
	named,
	testing.cluster_role_binding("harbor-read", "reader", [account]),
	testing.cluster_role_binding("harbor-write", "writer", [writer]),
	testing.cluster_role("reader", [reading]),
	testing.cluster_role("writer", [writing]),
]}

test_several_bindings_that_grant_everything_together if {
	found := report(testing.judge("required", together(account), "a.yaml#0/"))
	count(found) == 1
	some finding in found
	finding.ref == "a.yaml#1/"
	startswith(finding.message, concat(" ", [
		"ClusterRoleBinding harbor-read and ClusterRoleBinding harbor-write together grant effectively cluster-admin to",
		"ServiceAccount harbor-system/harbor-installer, the installer of ClusterExtension harbor.",
	]))
	[related.ref | some related in finding.related] == ["a.yaml#2/"]
}

test_several_bindings_that_do_not if {
	other := testing.account_subject("harbor-system", "other")
	count(report(testing.judge("required", together(other), "a.yaml#0/"))) == 0
}

test_one_of_several_that_is_enough if {
	files := {"a.yaml": array.concat(together(account)["a.yaml"], [
		bound("everything", [account]),
		testing.cluster_role("everything", testing.everything),
	])}
	count(report(testing.judge("required", files, "a.yaml#0/"))) == 0
	count(report(testing.judge("required", files, "a.yaml#5/"))) == 1
}

test_fix_where_the_bundle_is_known if {
	judged := world("required", named, bound("cluster-admin", [account]))
	some finding in report(testing.with_bundle(judged, {}))
	not "fix" in object.keys(finding)
	some other in report(judged)
	other.fix == null
}
