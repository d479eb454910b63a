# METADATA
# title: cluster-admin without an end date
# description: An exception without an end stays for ever.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#admin-until
# custom:
#   severity: error
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.bakery.admin_until

import data.salint.lib

annotation := "bakery.example/admin-until"

report contains finding if {
	input.resource.roleRef.name == "cluster-admin"
	not is_current
	message := "The binding grants cluster-admin, and its exception has no date or is over. %s"
	remedy := sprintf("Set the annotation %s to a day, or bind a smaller role.", [annotation])
	finding := lib.finding(["roleRef", "name"], sprintf(message, [remedy]))
}

# is_current holds until the end of the day that the annotation names.
is_current if {
	day := input.resource.metadata.annotations[annotation]
	salint.seconds(input.now) <= salint.seconds(sprintf("%sT23:59:59Z", [day]))
}
