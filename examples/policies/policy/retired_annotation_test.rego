package salint.rules.bakery.retired_annotation_test

import data.salint.rules.bakery.retired_annotation

account(annotations) := {"metadata": {"name": "oven", "annotations": annotations}}

test_with_annotation if {
	count(retired_annotation.report) == 1 with input.resource as account({"bakery.example/legacy-sync": "true"})
}

test_without_annotation if {
	count(retired_annotation.report) == 0 with input.resource as account({"bakery.example/owner": "dough"})
}
