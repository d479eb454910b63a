package salint.rules.bakery.definition_writers_test

import data.salint.rules.bakery.definition_writers

role(labels, verbs) := {
	"metadata": {"name": "oven", "labels": labels},
	"rules": [{
		"apiGroups": ["apiextensions.k8s.io"],
		"resources": ["customresourcedefinitions"],
		"verbs": verbs,
	}],
}

test_writer if {
	count(definition_writers.report) == 1 with input.resource as role({}, ["get", "patch"])
}

test_reader if {
	count(definition_writers.report) == 0 with input.resource as role({}, ["get", "list"])
}

test_aggregated if {
	labels := {"rbac.authorization.k8s.io/aggregate-to-admin": "true"}
	count(definition_writers.report) == 0 with input.resource as role(labels, ["*"])
}
