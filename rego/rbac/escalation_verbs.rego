# METADATA
# title: A role by which its holder can have any other
# description: |
#   Some permissions give more than they say:
#
#   * `escalate` on roles: write into a role what one does not have,
#   * `bind` on roles: give a role to oneself or others,
#   * `impersonate`: act as another user, group or account,
#   * `create` on `serviceaccounts/token`: get a token of an account, and act as it,
#
#   and so does the verb `*` on roles. Whoever holds such a role is what he can become: think of it as
#   `cluster-admin`, and grant it as rarely. A role that names what it is for (`resourceNames`), other than the
#   administrators' roles, is a note; one that already grants everything is not reported for these in particular, and
#   neither are Kubernetes' own roles called `system:…`.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
#     description: Permissions from which others follow
# custom:
#   severity: warning
#   kinds: [ClusterRole.rbac.authorization.k8s.io, Role.rbac.authorization.k8s.io]
#   words: [escalate, bind, impersonate, serviceaccounts/token, roles]
#   scope: object
#   fix: none
#   examples:
#     - bad: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRole
#         metadata:
#           name: tenant-manager
#         rules:
#           - apiGroups: [rbac.authorization.k8s.io]
#             resources: [roles, rolebindings]
#             verbs: [create, update, escalate, bind]
#     - good: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRole
#         metadata:
#           name: tenant-manager
#         rules:
#           - apiGroups: [rbac.authorization.k8s.io]
#             resources: [roles, rolebindings]
#             verbs: [create, update]
package salint.rules.rbac.escalation_verbs

import data.salint.lib
import data.salint.lib.rbac

report contains finding if {
	not startswith(lib.name(input.resource), "system:")
	some i, rule in input.resource.rules
	not everything(rule)
	powers := [power | some power in all_powers; holds(rule, power)]
	count(powers) > 0
	finding := graded(lib.finding(["rules", i], message(powers)), rule)
}

everything(rule) if {
	"*" in rule.apiGroups
	"*" in rule.resources
	"*" in rule.verbs
}

# all_powers are verbs with the resources on which they mean something: any one of these. The last is what they give.
all_powers := [
	{
		"verb": "escalate", "wildcard": true, "groups": {rbac.group}, "resources": {"roles", "clusterroles"},
		"gives": "write into a role what he does not have (escalate)",
	},
	{
		"verb": "bind", "wildcard": true, "groups": {rbac.group}, "resources": {"roles", "clusterroles"},
		"gives": "give a role to himself (bind)",
	},
	{
		"verb": "impersonate", "wildcard": false, "groups": {"", "authentication.k8s.io"},
		"resources": {"users", "groups", "serviceaccounts", "uids"},
		"gives": "act as somebody else (impersonate)",
	},
	{
		"verb": "create", "wildcard": true, "groups": {""}, "resources": {"serviceaccounts/token"},
		"gives": "get tokens of accounts (create serviceaccounts/token)",
	},
]

# holds tells that a rule names a power: the verb, or the wildcard on a resource that is named.
holds(rule, power) if {
	power.verb in rule.verbs
	rbac.has(rule.apiGroups, power.groups)
	on(rule, power)
}

holds(rule, power) if {
	"*" in rule.verbs
	power.wildcard
	rbac.has(rule.apiGroups, power.groups)
	some resource in rule.resources
	resource in power.resources
}

on(rule, power) if {
	some resource in rule.resources
	resource in power.resources
}

on(rule, power) if {
	"*" in rule.resources
	power.verb != "create"
}

on(rule, power) if {
	power.verb == "impersonate"
	some resource in rule.resources
	startswith(resource, "userextras/")
}

graded(finding, rule) := lib.with_severity(finding, "note") if limited(rule)

graded(finding, rule) := finding if not limited(rule)

limited(rule) if {
	count(rule.resourceNames) > 0
	every name in rule.resourceNames { not name in {"cluster-admin", "admin", "system:masters", "system:admin"} }
}

message(powers) := sprintf(
	"Whoever holds %s can %s: with that he can have more than the role says. Leave it out, or name by resourceNames what it is for.",
	[lib.called(input.resource), lib.listed([power.gives | some power in powers])],
)
