package salint.rules.bakery.secret_writers_test

import data.salint.rules.bakery.secret_writers

binding(namespace, verbs) := {
	"metadata": {"name": "oven", "namespace": namespace},
	"roleRef": {"name": "oven"},
	"verbs": verbs,
}

# In these tests, the verbs of the role are in the binding.
mock_ref(resource) := concat(",", resource.verbs)

mock_granted(verbs, _, _) := [{"resources": ["secrets"], "verbs": split(verbs, ",")}]

test_writer if {
	count(secret_writers.report) == 1 with input.resource as binding("vault", ["get", "patch"])
		with salint.ref as mock_ref
		with salint.granted_about as mock_granted
		with data.bakery.protected_namespaces as ["vault"]
}

test_reader if {
	count(secret_writers.report) == 0 with input.resource as binding("vault", ["get"])
		with salint.ref as mock_ref
		with salint.granted_about as mock_granted
		with data.bakery.protected_namespaces as ["vault"]
}

test_other_namespace if {
	count(secret_writers.report) == 0 with input.resource as binding("dough", ["patch"])
		with salint.ref as mock_ref
		with salint.granted_about as mock_granted
		with data.bakery.protected_namespaces as ["vault"]
}
