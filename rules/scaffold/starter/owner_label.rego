# METADATA
# title: Service account without an owner
# description: Without the label, it is unknown which team decides about the permissions of the account.
# custom:
#   severity: warning
#   kinds: [ServiceAccount]
#   fix: none
#   parameters:
#     type: object
#     properties:
#       label: {type: string, default: owner}
package salint.rules.custom.owner_label

import data.salint.lib

report contains finding if {
	label := input.parameters.label
	not object.get(input.resource, ["metadata", "labels", label], false)
	message := sprintf("The account has no label %s. Add the label to name the team that owns it.", [label])
	finding := lib.finding(["metadata", "labels"], message)
}
