# Permissions from which others follow, and which rules give them.
package salint.lib.rbac.escalation_powers

import data.salint.lib
import data.salint.lib.rbac
import data.salint.lib.rbac.escalation_holders

# all are verbs with the resources on which they mean something, in a namespace and in the whole cluster: any one of
# these. A wildcard among the verbs counts where the resource is named.
all := [
	{
		"verb": "escalate", "wildcard": true, "groups": {rbac.group}, "resources": {"roles"}, "cluster": {"clusterroles"},
		"gives": "write into a role what nobody granted them (escalate)",
		"to": "write anything into %s (escalate)",
	},
	{
		"verb": "bind", "wildcard": true, "groups": {rbac.group}, "resources": {"roles", "clusterroles"}, "cluster": set(),
		"gives": "give any role to themselves (bind)",
		"to": "give themselves %s (bind)",
	},
	{
		"verb": "impersonate", "wildcard": false, "groups": {"", "authentication.k8s.io"},
		"resources": {"serviceaccounts"}, "cluster": {"users", "groups", "uids"},
		"gives": "act as somebody else (impersonate)",
		"to": "act as %s (impersonate)",
	},
	{
		"verb": "create", "wildcard": true, "groups": {""}, "resources": {"serviceaccounts/token"}, "cluster": set(),
		"gives": "get tokens of all accounts (create serviceaccounts/token)",
		"to": "get tokens of %s (create serviceaccounts/token)",
	},
]

# holds tells that a rule has a power, and that it means something where the role is granted.
holds(rule, power) if {
	rbac.has(rule.apiGroups, power.groups)
	some resource in rule.resources
	resource in power.resources
	verb_of(rule, power)
}

holds(rule, power) if {
	not escalation_holders.namespaced
	rbac.has(rule.apiGroups, power.groups)
	some resource in rule.resources
	cluster_scoped(power, resource)
	verb_of(rule, power)
}

# Every resource, which for tokens and for the wildcard of both is more than a role is likely to mean by it.
holds(rule, power) if {
	power.verb != "create"
	power.verb in rule.verbs
	"*" in rule.resources
	rbac.has(rule.apiGroups, power.groups)
}

holds(rule, power) if {
	"*" in rule.verbs
	"*" in rule.resources
	rbac.group in power.groups
	rbac.group in rule.apiGroups
}

cluster_scoped(power, resource) if resource in power.cluster

cluster_scoped(power, resource) if {
	power.verb == "impersonate"
	startswith(resource, "userextras/")
}

verb_of(rule, power) if power.verb in rule.verbs

verb_of(rule, power) if {
	power.wildcard
	"*" in rule.verbs
}

limited(rule, power) if {
	count(rule.resourceNames) > 0
	every name in rule.resourceNames { not opens_all(power, name) }
}

opens_all(power, name) if {
	power.verb in {"escalate", "bind"}
	name in {"cluster-admin", "admin"}
}

opens_all(power, name) if {
	power.verb == "escalate"
	name == lib.name(input.resource)
}

opens_all(power, name) if {
	power.verb == "impersonate"
	name in {"system:masters", "system:cluster-admins", "system:admin", "kubernetes-admin"}
}

# of_accounts tells of a power that reaches accounts alone.
of_accounts(_, power) if power.verb == "create"

of_accounts(rule, power) if {
	power.verb == "impersonate"
	every resource in rule.resources { resource == "serviceaccounts" }
}

# said is what a rule lets its holders do by a power.
said(rule, power) := power.gives if {
	count(object.get(rule, "resourceNames", [])) == 0
} else := sprintf(power.to, [lib.listed(rule.resourceNames)])
