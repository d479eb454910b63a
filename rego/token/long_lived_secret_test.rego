package salint.rules.token.long_lived_secret_test

import data.salint.rules.token.long_lived_secret as rule
import data.salint.testing

secret(type, annotations) := {
	"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "robot", "namespace": "ci", "annotations": annotations}, "type": type,
}

report(resource) := found if {
	found := rule.report with input as testing.alone("ignored", resource)
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
}

test_token if {
	some finding in report(secret("kubernetes.io/service-account-token", {"kubernetes.io/service-account.name": "robot"}))
	finding.path == ["type"]
	contains(finding.message, "kubectl create token robot -n ci")
	contains(finding.message, "kubectl get secret robot -n ci -L kubernetes.io/legacy-token-last-used")
	contains(finding.message, "kubectl delete secret robot -n ci.")
}

test_rejected_secret if count(report(secret("kubernetes.io/service-account-token", {}))) == 0

test_another_type if count(report(secret("Opaque", {"kubernetes.io/service-account.name": "robot"}))) == 0

test_command_in_an_unknown_namespace if {
	every namespace in ["", "release-namespace"] {
		robot := secret("kubernetes.io/service-account-token", {"kubernetes.io/service-account.name": "robot"})
		some finding in report(object.union(robot, {"metadata": {"namespace": namespace}}))
		contains(finding.message, "kubectl create token robot.")
	}
}

test_secret_that_the_controller_deletes if {
	typo := secret("kubernetes.io/service-account-token", {"kubernetes.io/service-account.name": "robto"})
	given := testing.judge("ignored", {"a.yaml": [typo, testing.service_account("ci", "robot")]}, "a.yaml#0/")
	found := rule.report with input as given
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
	count(found) == 0
}
