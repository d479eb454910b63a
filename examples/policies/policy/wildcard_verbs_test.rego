package salint.rules.bakery.wildcard_verbs_test

import data.salint.rules.bakery.wildcard_verbs

role(name, verbs) := {"metadata": {"name": name}, "rules": [{"resources": ["pods"], "verbs": verbs}]}

test_wildcard if {
	count(wildcard_verbs.report) == 1 with input.resource as role("oven", ["get", "*"])
		with data.bakery.wildcard_roles as ["chef"]
}

test_verbs if {
	count(wildcard_verbs.report) == 0 with input.resource as role("oven", ["get", "list"])
		with data.bakery.wildcard_roles as ["chef"]
}

test_allowed if {
	count(wildcard_verbs.report) == 0 with input.resource as role("chef", ["*"])
		with data.bakery.wildcard_roles as ["chef"]
}
