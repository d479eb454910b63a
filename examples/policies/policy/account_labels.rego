# METADATA
# title: Service account without required labels
# description: The labels say which team and which product pay for what runs as the account.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#account-labels
# custom:
#   severity: warning
#   kinds: [ServiceAccount]
#   parameters:
#     type: object
#     required: [labels]
#     properties:
#       labels: {type: array, items: {type: string}}
#       hint: {type: string, default: Ask the platform team which value it has.}
#   fix: none
package salint.rules.bakery.account_labels

import data.salint.lib

report contains finding if {
	some label in input.parameters.labels
	not object.get(input.resource, ["metadata", "labels", label], false)
	message := sprintf("The account has no label %s. %s", [label, input.parameters.hint])
	finding := lib.case(lib.finding(["metadata"], message), label)
}
