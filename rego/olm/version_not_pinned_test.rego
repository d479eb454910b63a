package salint.rules.olm.version_not_pinned_test

import data.salint.rules.olm.version_not_pinned as rule
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

asking(version) := object.union(named, {"spec": {"source": {"catalog": {"packageName": "harbor", "version": version}}}})

files(extension, role, rules) := {"a.yaml": [
	extension,
	testing.cluster_role_binding("harbor", role, [account]),
	testing.cluster_role(role, rules),
]}

known(model, extension, rules) := testing.with_bundle(testing.judge(model, files(extension, "installer", rules), "a.yaml#0/"), {})

test_no_version if {
	some finding in report(known("required", named, [pods]))
	finding.path == ["spec", "source", "catalog", "packageName"]
	finding.message == concat(" ", [
		"ClusterExtension harbor does not set a version, but ServiceAccount harbor-system/harbor-installer",
		"has only the permissions that one bundle needs. An upgrade that needs more fails.",
		"Pin the version (1.2.0, as in bundles/harbor).",
	])
	finding.related[0].ref == "a.yaml#1/"
}

test_range if {
	some finding in report(known("required", asking("1.x"), [pods]))
	finding.path == ["spec", "source", "catalog", "version"]
	contains(finding.message, "ClusterExtension harbor accepts any version 1.x, but")
}

test_one_version if count(report(known("required", asking("1.2.0"), [pods]))) == 0

test_templated_version if count(report(known("required", asking("${VERSION}"), [pods]))) == 0

test_cluster_admin_is_not_least_privilege if count(report(known("required", named, testing.everything))) == 0

test_generated_roles_show_a_bundle if {
	every role in ["olm-clusterextension-harbor-installer-bundle", "olm-clusterextension-harbor-bundle-0123456789"] {
		some finding in report(testing.judge("required", files(named, role, [pods]), "a.yaml#0/"))
		endswith(finding.message, "Pin the version.")
	}
	count(report(testing.judge("required", files(named, "other", [pods]), "a.yaml#0/"))) == 0
}

test_no_binding if {
	count(report(testing.with_bundle(testing.alone("required", named), {}))) == 0
}

test_targets_without_identities if {
	count(report(known("ignored", named, [pods]))) == 0
}
