# METADATA
# title: Writer of resource definitions
# description: Who changes a definition changes what all controllers of the cluster read.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#definition-writers
# custom:
#   severity: warning
#   kinds: [ClusterRole.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.bakery.definition_writers

import data.salint.lib

reading := {"get", "list", "watch"}

report contains finding if {
	not is_aggregated
	some i, rule in input.resource.rules
	"apiextensions.k8s.io" in rule.apiGroups
	"customresourcedefinitions" in rule.resources
	verbs := {verb | some verb in rule.verbs} - reading
	count(verbs) > 0
	granted := concat(", ", verbs)
	message := sprintf("The role grants %s on all definitions. Grant reading, or aggregate the role.", [granted])
	finding := lib.finding(["rules", i, "verbs"], message)
}

# is_aggregated holds for a part of another role, which is reviewed there.
is_aggregated if {
	some label, value in input.resource.metadata.labels
	startswith(label, "rbac.authorization.k8s.io/aggregate-to-")
	value == "true"
}
