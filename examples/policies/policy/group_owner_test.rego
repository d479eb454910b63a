package salint.rules.bakery.group_owner_test

import data.salint.rules.bakery.group_owner

binding(annotations, group) := {
	"metadata": {"name": "bakers", "annotations": annotations},
	"subjects": [{"kind": "Group", "name": group}],
}

test_without_owner if {
	count(group_owner.report) == 1 with input.resource as binding({}, "bakers")
		with data.bakery.teams as ["dough"]
}

test_unknown_team if {
	count(group_owner.report) == 1 with input.resource as binding({"bakery.example/owner": "no-team"}, "bakers")
		with data.bakery.teams as ["dough"]
}

test_with_owner if {
	count(group_owner.report) == 0 with input.resource as binding({"bakery.example/owner": "dough"}, "bakers")
		with data.bakery.teams as ["dough"]
}

test_group_of_kubernetes if {
	count(group_owner.report) == 0 with input.resource as binding({}, "system:nodes")
		with data.bakery.teams as ["dough"]
}
