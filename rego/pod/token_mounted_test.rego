package salint.rules.pod.token_mounted_test

import data.salint.rules.pod.token_mounted as rule
import data.salint.testing

pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}, "spec": {"serviceAccountName": "web"}}

admitted := {
	"path": ["spec"], "account": "web", "accounts": ["b.yaml#0/"], "ties": [], "static": false,
	"mounted": true, "mounted_by": "default", "pull_secrets": [], "pull_secrets_by": "default",
}

report(admission, bindings) := found if {
	found := rule.report with input as testing.alone("ignored", pod)
		with salint.admission as [admission]
		with salint.bindings_of as bindings
}

test_no_binding if {
	some finding in report(admitted, [])
	finding.path == ["spec", "serviceAccountName"]
	contains(finding.message, "gets a token of ServiceAccount shop/web")
}

test_mounted_by_the_pod if {
	some finding in report(object.union(admitted, {"mounted_by": "pod"}), [])
	finding.path == ["spec", "automountServiceAccountToken"]
}

test_role_of_all_users if count(report(admitted, [{"via": "system:authenticated"}])) == 1

test_bound if count(report(admitted, [{"via": ""}])) == 0

test_not_mounted if count(report(object.union(admitted, {"mounted": false}), [])) == 0

test_static if count(report(object.union(admitted, {"static": true}), [])) == 0

test_account_without_a_manifest if count(report(object.union(admitted, {"mounted_by": "unknown", "accounts": []}), [])) == 0

test_default_without_a_manifest if {
	unnamed := {"mounted_by": "unknown", "accounts": [], "account": "default"}
	count(report(object.union(admitted, unnamed), [])) == 1
}

test_placeholder if count(report(object.union(admitted, {"account": "${ACCOUNT}"}), [])) == 0

test_unit_with_problems if {
	found := rule.report with input as object.union(testing.alone("ignored", pod), {"unit": {"problems": [{}]}})
		with salint.admission as [admitted]
		with salint.bindings_of as []
	count(found) == 0
}

# If several accounts are equally near, it is unknown which of them determines whether the token is mounted.
test_default_with_several_manifests if {
	several := {"mounted_by": "unknown", "accounts": ["a.yaml#0/", "b.yaml#0/"], "account": "default"}
	count(report(object.union(admitted, several), [])) == 0
}
