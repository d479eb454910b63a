package salint.rules.token.secret_mounted_test

import data.salint.rules.token.secret_mounted as rule
import data.salint.testing

secret := {
	"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/service-account-token",
	"metadata": {"name": "token", "namespace": "ci", "annotations": {"kubernetes.io/service-account.name": "robot"}},
}

report(user) := found if {
	found := rule.report with input as testing.alone("ignored", secret)
		with salint.ref as testing.ref
		with salint.secret_users as [object.union({"ref": "pod.yaml#0/", "mount": false, "pulls": false}, user)]
}

test_volume if {
	path := ["spec", "volumes", 0, "secret", "secretName"]
	some finding in report({"path": path, "mount": true})
	finding.ref == "pod.yaml#0/"
	finding.path == path
	contains(finding.message, "Secret ci/token, which requests a token of ServiceAccount robot")
	not finding.unfixable
}

test_environment_is_not_fixed if {
	some finding in report({"path": ["spec", "containers", 0, "env", 1, "valueFrom", "secretKeyRef", "name"]})
	finding.unfixable
}

test_list_of_an_account if count(report({"path": ["secrets", 0, "name"]})) == 0

test_pull_secret if count(report({"path": ["spec", "imagePullSecrets", 0, "name"], "pulls": true})) == 0

test_other_secrets if {
	mounted := {"ref": "pod.yaml#0/", "path": ["spec", "volumes", 0, "secret", "secretName"], "mount": true, "pulls": false}
	found := rule.report with input as testing.alone("ignored", object.union(secret, {"type": "Opaque"}))
		with salint.ref as testing.ref
		with salint.secret_users as [mounted]
	count(found) == 0
}

test_volume_with_other_sources_is_not_fixed if {
	path := ["spec", "volumes", 0, "projected", "sources", 1, "secret", "name"]
	some finding in report({"path": path, "mount": true})
	finding.unfixable
}

test_secret_without_an_account if {
	unnamed := json.remove(secret, ["metadata/annotations"])
	mounted := {"ref": "pod.yaml#0/", "path": ["spec", "volumes", 0, "secret", "secretName"], "mount": true, "pulls": false}
	found := rule.report with input as testing.alone("ignored", unnamed)
		with salint.ref as testing.ref
		with salint.secret_users as [mounted]
	some finding in found
	contains(finding.message, "which requests a token of an account that never expires")
}
