package salint.rules.custom.owner_label_test

import data.salint.rules.custom.owner_label

account(labels) := {
	"apiVersion": "v1",
	"kind": "ServiceAccount",
	"metadata": {"name": "deployer", "namespace": "shop", "labels": labels},
}

test_without_the_label if {
	found := owner_label.report with input.resource as account({}) with input.parameters.label as "owner"
	count(found) == 1
}

test_with_the_label if {
	found := owner_label.report with input.resource as account({"team": "web"}) with input.parameters.label as "team"
	count(found) == 0
}
