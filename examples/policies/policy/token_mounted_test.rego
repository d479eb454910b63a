package salint.rules.bakery.token_mounted_test

import data.salint.rules.bakery.token_mounted

mock_pods(resource) := [{"path": ["spec"], "spec": resource.spec}]

test_mounted if {
	count(token_mounted.report) == 1 with input.resource as {"spec": {"containers": []}} with salint.pods as mock_pods
}

test_not_mounted if {
	count(token_mounted.report) == 0 with input.resource as {"spec": {"automountServiceAccountToken": false}}
		with salint.pods as mock_pods
}

test_labelled if {
	labels := {"bakery.example/uses-api": "true"}
	count(token_mounted.report) == 0 with input.resource as {"metadata": {"labels": labels}, "spec": {}}
		with salint.pods as mock_pods
}
