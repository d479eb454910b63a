package main

# One rule for conftest, so that it does what salint does with its least rule.
deny contains message if {
	input.kind == "ClusterExtension"
	input.spec.serviceAccount
	message := sprintf("%s: the service account is ignored", [input.metadata.name])
}
