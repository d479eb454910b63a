# METADATA
# title: Cloud identity of another team
# description: The pods of the account get the permissions of the cloud role, also if it was made for another one.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#cloud-identity
# custom:
#   severity: error
#   kinds: [ServiceAccount]
#   words: [eks.amazonaws.com/role-arn]
#   parameters:
#     type: object
#     properties:
#       pattern:
#         description: a regular expression, in which NAMESPACE stands for the namespace of the account
#         type: string
#         default: ^arn:aws:iam::[0-9]{12}:role/NAMESPACE-[a-z-]+$
#   fix: none
package salint.rules.bakery.cloud_identity

import data.salint.lib

annotation := "eks.amazonaws.com/role-arn"

report contains finding if {
	identity := input.resource.metadata.annotations[annotation]
	allowed := replace(input.parameters.pattern, "NAMESPACE", input.resource.metadata.namespace)
	not regex.match(allowed, identity)
	message := sprintf("The cloud identity is not one of namespace %s. Use a role that matches %s.", [
		input.resource.metadata.namespace,
		allowed,
	])
	finding := lib.finding(["metadata", "annotations", annotation], message)
}
