# METADATA
# title: Writer of Secrets in a protected namespace
# description: The holder can replace the credentials of everything that runs in the namespace.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#secret-writers
# custom:
#   severity: error
#   kinds: [RoleBinding.rbac.authorization.k8s.io]
#   reads: [rbac]
#   fix: none
package salint.rules.bakery.secret_writers

import data.salint.lib

writing := {"create", "update", "patch", "delete", "deletecollection", "*"}

report contains finding if {
	input.resource.metadata.namespace in data.bakery.protected_namespaces
	some rule in salint.granted_about(salint.ref(input.resource), "", ["secrets"])
	some verb in rule.verbs
	verb in writing
	message := sprintf(
		"%s writes Secrets in the protected namespace %s. Grant reading only, or use another namespace.",
		[input.resource.metadata.name, input.resource.metadata.namespace],
	)
	finding := lib.finding(["roleRef", "name"], message)
}
