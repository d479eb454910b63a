# METADATA
# title: Group binding without an owner
# description: Without an owner, it is unknown who decides whether the group still needs the permissions.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#group-owner
# custom:
#   severity: warning
#   kinds: [RoleBinding.rbac.authorization.k8s.io, ClusterRoleBinding.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.bakery.group_owner

import data.salint.lib

owner := "bakery.example/owner"

report contains finding if {
	not object.get(input.resource, ["metadata", "annotations", owner], "") in data.bakery.teams
	some i, subject in input.resource.subjects
	subject.kind == "Group"
	not startswith(subject.name, "system:")
	message := sprintf("Group %s has no owner. Set the annotation %s to one of the teams.", [subject.name, owner])
	finding := lib.finding(["subjects", i, "name"], message)
}
