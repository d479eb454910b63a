package salint.rules.olm.excess_permissions_test

import data.salint.rules.olm.excess_permissions as rule
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

world(model, extension, subject, rules, preflight) := testing.with_bundle(
	testing.judge(
		model,
		{"a.yaml": [
			extension,
			testing.cluster_role_binding("harbor", "installer", [subject]),
			testing.cluster_role("installer", rules),
		]},
		"a.yaml#0/",
	),
	{"preflight": preflight},
)

excess := {"unneeded": [testing.scope("", ["get nodes"]), testing.scope("other", ["every verb on secrets"])]}

test_account_with_too_many_permissions if {
	some finding in report(world("required", named, account, [pods], excess))
	finding.path == ["spec", "serviceAccount"]
	contains(finding.message, concat(" ", [
		"has more permissions than its bundle harbor.v1.2.0 (bundles/harbor) needs, or in more places or to more objects.",
		"Narrow its roles, because a later version can use what is not needed.",
		"Not needed: get nodes in the whole cluster; every verb on secrets in namespace other.",
	]))
	[related.message | some related in finding.related] == [
		"ServiceAccount harbor-system/harbor-installer is bound here",
		"the bundle begins here",
	]
}

test_synthetic_user if {
	user := testing.user("olm:clusterextension:harbor")
	some finding in report(world("synthetic", synthetic, user, [pods], excess))
	finding.path == ["metadata", "name"]
}

test_cluster_admin_has_another_rule if {
	count(report(world("required", named, account, testing.everything, excess))) == 0
}

test_not_reported if {
	count(report(world("required", named, account, [pods], {}))) == 0
	count(report(world("ignored", named, account, [pods], excess))) == 0
	count(report(testing.transformed(world("required", named, account, [pods], excess)))) == 0
	count(report(testing.alone("required", named))) == 0
}
