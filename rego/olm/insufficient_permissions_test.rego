package salint.rules.olm.insufficient_permissions_test

import data.salint.rules.olm.insufficient_permissions as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.bindings_of as testing.bindings_of
		with salint.effective_rules as testing.effective_rules
		with salint.covers as testing.covers
		with salint.bundle as testing.bundle
		with salint.preflight as testing.preflight
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

named := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

synthetic := testing.cluster_extension("harbor", {})

account := testing.account_subject("harbor-system", "harbor-installer")

pods := {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}

world(model, extension, subject, preflight) := testing.with_bundle(
	testing.judge(
		model,
		{"a.yaml": [
			extension,
			testing.cluster_role_binding("harbor", "installer", [subject]),
			testing.cluster_role("installer", [pods]),
		]},
		"a.yaml#0/",
	),
	{"preflight": preflight},
)

lacking := {"missing": [testing.scope("", ["get pods", "list nodes"]), testing.scope("harbor-system", ["create secrets"])]}

test_account_that_lacks_permissions if {
	some finding in report(world("required", named, account, lacking))
	finding.path == ["spec", "serviceAccount"]
	finding.message == concat(" ", [
		"ServiceAccount harbor-system/harbor-installer, which installs ClusterExtension harbor,",
		"lacks permissions that its bundle harbor.v1.2.0 (bundles/harbor) needs. The installation fails.",
		"Grant them (`salint preflight` lists the reasons): get pods in the whole cluster;",
		"list nodes in the whole cluster; create secrets in namespace harbor-system.",
	])
	not "severity" in object.keys(finding)
	not "unfixable" in object.keys(finding)
	finding.related == [
		{"ref": "a.yaml#1/", "path": ["roleRef"], "message": "ServiceAccount harbor-system/harbor-installer is bound here"},
		{"file": "bundles/harbor/manifests/csv.yaml", "line": 1, "message": "the bundle begins here"},
	]
	count(finding.causes) == 2
}

test_long_lists_are_cut if {
	many := {"missing": [testing.scope("", ["get a", "get b", "get c", "get d", "get e"])]}
	some finding in report(world("required", named, account, many))
	contains(finding.message, "get a in the whole cluster; get b in the whole cluster; get c in the whole cluster; and 2 more.")
}

test_synthetic_user if {
	user := testing.user("olm:clusterextension:harbor")
	some finding in report(world("synthetic", synthetic, user, lacking))
	finding.path == ["metadata", "name"]
	startswith(finding.message, "User olm:clusterextension:harbor, which installs")
}

test_synthetic_user_without_any_binding if {
	count(report(world("synthetic", synthetic, account, lacking))) == 0
}

test_unknown_roles if {
	every roles in [{"unknown": [role]}, {"partial": [role]}] {
		some finding in report(world("required", named, account, object.union(lacking, roles)))
		finding.severity == "note"
		finding.unfixable == "not all rules of ClusterRole elsewhere are known, and they can contain the missing permissions"
		contains(finding.message, "might lack permissions that its bundle")
		contains(finding.message, "needs. Not all rules of its roles are in the repository. Check the permissions with")
		contains(finding.message, "`salint preflight`: get pods")
	}
}

role := {"kind": "ClusterRole", "namespace": "", "name": "elsewhere"}

test_nothing_missing if {
	count(report(world("required", named, account, {}))) == 0
}

test_no_bundle if {
	without := testing.judge("required", {"a.yaml": [named]}, "a.yaml#0/")
	count(report(without)) == 0
}

test_targets_without_identities if {
	every model in {"ignored", "removed"} {
		count(report(world(model, named, account, lacking))) == 0
	}
}

test_transformed_objects if {
	count(report(testing.transformed(world("required", named, account, lacking)))) == 0
}
