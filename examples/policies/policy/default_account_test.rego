package salint.rules.bakery.default_account_test

import data.salint.rules.bakery.default_account

mock_pods(resource) := [{"account": resource.account, "account_path": ["spec", "template", "spec"]}]

test_default if {
	count(default_account.report) == 1 with input.resource as {"account": "default"} with salint.pods as mock_pods
}

test_own_account if {
	count(default_account.report) == 0 with input.resource as {"account": "oven"} with salint.pods as mock_pods
}
