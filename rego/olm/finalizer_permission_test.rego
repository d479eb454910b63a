package salint.rules.olm.finalizer_permission_test

import data.salint.rules.olm.finalizer_permission as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.bindings_of as testing.bindings_of
		with salint.effective_rules as testing.effective_rules
		with salint.covers as testing.covers
		with salint.bundle as testing.bundle
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

named := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

synthetic := testing.cluster_extension("harbor", {})

account := testing.account_subject("harbor-system", "harbor-installer")

finalizers(resource, names) := {
	"apiGroups": ["olm.operatorframework.io"], "resources": [resource],
	"resourceNames": names, "verbs": ["update"],
}

crds := {"apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"], "verbs": ["create"]}

world(model, extension, subject, rules) := testing.judge(
	model,
	{"a.yaml": [
		extension,
		testing.cluster_role_binding("harbor", "installer", [subject]),
		testing.cluster_role("installer", rules),
	]},
	"a.yaml#0/",
)

test_account_without_the_permission if {
	some finding in report(world("required", named, account, [crds]))
	finding.path == ["spec", "serviceAccount"]
	startswith(finding.message, concat(" ", [
		"ServiceAccount harbor-system/harbor-installer, which installs ClusterExtension harbor,",
		"cannot update clusterextensions/finalizers. On OpenShift,",
	]))
	finding.related[0].ref == "a.yaml#1/"
}

test_account_with_it if {
	every rule_of_role in [
		finalizers("clusterextensions/finalizers", ["harbor"]),
		finalizers("clusterextensions/finalizers", []),
		{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
	] {
		count(report(world("required", named, account, [rule_of_role]))) == 0
	}
	count(report(world("required", named, account, [finalizers("clusterextensions/finalizers", ["other"])]))) == 1
}

test_synthetic_user if {
	user := testing.user("olm:clusterextension:harbor")
	some finding in report(world("synthetic", synthetic, user, [crds]))
	finding.path == ["metadata", "name"]
	contains(finding.message, "User olm:clusterextension:harbor, which installs")
}

test_targets_without_identities if {
	every model in {"ignored", "removed"} {
		count(report(world(model, named, account, [crds]))) == 0
	}
}

test_boxcutter_needs_another_resource if {
	boxcutter := {"account": true, "placeholder": false, "finalizers": "clusterobjectsets"}
	with_extension_only := world("required", named, account, [finalizers("clusterextensions/finalizers", [])])
	some finding in report(testing.with_runtime(with_extension_only, boxcutter))
	contains(finding.message, "cannot update clusterobjectsets/finalizers")
	with_both := world("required", named, account, [finalizers("clusterobjectsets/finalizers", [])])
	count(report(testing.with_runtime(with_both, boxcutter))) == 0
	needs_none := testing.with_runtime(with_extension_only, {"account": true, "finalizers": ""})
	count(report(needs_none)) == 0
}

test_grants_outside_of_the_repository if {
	unknown := {"a.yaml": [named, testing.cluster_role_binding("harbor", "elsewhere", [account])]}
	count(report(testing.judge("required", unknown, "a.yaml#0/"))) == 0
	count(report(testing.alone("required", named))) == 0
}

test_unknown_names if {
	templated := testing.cluster_extension("${NAME}", testing.installed_as("harbor-installer"))
	count(report(world("required", templated, account, [crds]))) == 0
	count(report(testing.transformed(world("required", named, account, [crds])))) == 0
}

test_known_bundle if {
	count(report(testing.with_bundle(world("required", named, account, [crds]), {}))) == 0
}

test_openshift_enforces_it if {
	openshift := json.patch(world("required", named, account, [crds]), [{"op": "replace", "path": "/target/name", "value": "ocp-4.20"}])
	some finding in report(openshift)
	finding.severity == "warning"
	contains(finding.message, ". On OpenShift, the installation fails.")
	some elsewhere in report(world("required", named, account, [crds]))
	elsewhere.severity == "note"
}
