package salint.rules.token.secret_without_account_test

import data.salint.rules.token.secret_without_account as rule
import data.salint.testing

secret(annotations) := {
	"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "token", "namespace": "ci", "annotations": annotations},
	"type": "kubernetes.io/service-account-token",
}

named(account) := secret({"kubernetes.io/service-account.name": account})

world(resource) := testing.judge("ignored", {"a.yaml": [resource, testing.service_account("ci", "robot")]}, "a.yaml#0/")

report(given) := found if {
	found := rule.report with input as given
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.bringers as []
}

test_no_annotation if {
	some finding in report(world(secret({})))
	finding.path == ["metadata", "annotations"]
}

test_annotation_of_a_kustomization if count(report(testing.transformed(world(secret({}))))) == 0

test_missing_account if {
	some finding in report(world(named("robott")))
	finding.path == ["metadata", "annotations", "kubernetes.io/service-account.name"]
	contains(finding.message, "which is not defined in the repository (its namespace has robot)")
}

test_existing_account if count(report(world(named("robot")))) == 0

test_placeholder if count(report(world(named("${ROBOT}")))) == 0

test_other_secrets if {
	every annotations in [{}, {"kubernetes.io/service-account.name": "robott"}] {
		count(report(world(object.union(secret(annotations), {"type": "Opaque"})))) == 0
	}
}
