package salint.rules.bakery.account_labels_test

import data.salint.rules.bakery.account_labels

account(labels) := {"metadata": {"name": "oven", "labels": labels}}

test_none if {
	count(account_labels.report) == 2 with input.resource as account({})
		with input.parameters as {"labels": ["team", "product"], "hint": "Ask."}
}

test_one if {
	count(account_labels.report) == 1 with input.resource as account({"team": "dough"})
		with input.parameters as {"labels": ["team", "product"], "hint": "Ask."}
}

test_all if {
	count(account_labels.report) == 0 with input.resource as account({"team": "dough", "product": "bread"})
		with input.parameters as {"labels": ["team", "product"], "hint": "Ask."}
}
