# METADATA
# title: Role with all verbs
# description: The wildcard also grants verbs with more power than the resource, such as escalate and impersonate.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#wildcard-verbs
# custom:
#   severity: warning
#   kinds: [Role.rbac.authorization.k8s.io, ClusterRole.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.bakery.wildcard_verbs

import data.salint.lib

report contains finding if {
	not input.resource.metadata.name in data.bakery.wildcard_roles
	some i, rule in input.resource.rules
	some j, verb in rule.verbs
	verb == "*"
	finding := lib.finding(["rules", i, "verbs", j], "The rule grants all verbs. List the verbs that are needed.")
}
