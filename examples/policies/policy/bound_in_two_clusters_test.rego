package salint.rules.bakery.bound_in_two_clusters_test

import data.salint.rules.bakery.bound_in_two_clusters

binding := {"subjects": [{"kind": "ServiceAccount", "namespace": "dough", "name": "oven"}]}

mock_ref(_) := "east.yaml#0/"

mock_one(_) := [{"ref": "east.yaml#0/", "resource": binding}]

mock_two(_) := [{"ref": "east.yaml#0/", "resource": binding}, {"ref": "west.yaml#0/", "resource": binding}]

test_one if {
	count(bound_in_two_clusters.report) == 0 with input.resource as binding
		with salint.ref as mock_ref
		with salint.anywhere as mock_one
}

test_two if {
	count(bound_in_two_clusters.report) == 1 with input.resource as binding
		with salint.ref as mock_ref
		with salint.anywhere as mock_two
}
