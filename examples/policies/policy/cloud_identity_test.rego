package salint.rules.bakery.cloud_identity_test

import data.salint.rules.bakery.cloud_identity

account(role) := {"metadata": {
	"name": "oven",
	"namespace": "dough",
	"annotations": {"eks.amazonaws.com/role-arn": role},
}}

test_own_role if {
	count(cloud_identity.report) == 0 with input.resource as account("dough-oven")
		with input.parameters.pattern as "^NAMESPACE-[a-z]+$"
}

test_role_of_another_namespace if {
	count(cloud_identity.report) == 1 with input.resource as account("vault-oven")
		with input.parameters.pattern as "^NAMESPACE-[a-z]+$"
}

test_longer_name if {
	count(cloud_identity.report) == 1 with input.resource as account("dough-oven2")
		with input.parameters.pattern as "^NAMESPACE-[a-z]+$"
}
