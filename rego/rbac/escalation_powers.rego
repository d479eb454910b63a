# Permissions that allow their holders to gain others, and the rules that grant them.
package salint.lib.rbac.escalation_powers

import data.salint.lib
import data.salint.lib.rbac

# all are verbs with the resources for which they have an effect: in a namespace, and in the whole cluster in addition. Any one
# of these is sufficient. A wildcard among the verbs counts if the rule names the resource. Messages quote the verb, and add `on`.
all := [
	{
		"verb": "escalate", "wildcard": true, "groups": {rbac.group}, "resources": {"roles"}, "cluster": {"clusterroles"},
		"on": " on roles",
	},
	{
		"verb": "bind", "wildcard": true, "groups": {rbac.group}, "resources": {"roles", "clusterroles"}, "cluster": set(),
		"on": " on roles",
	},
	{
		"verb": "impersonate", "wildcard": false, "groups": {"", "authentication.k8s.io"},
		"resources": {"serviceaccounts"}, "cluster": {"users", "groups"},
		"on": "",
	},
	{
		"verb": "create", "wildcard": true, "groups": {""}, "resources": {"serviceaccounts/token", "*/token"}, "cluster": set(),
		"on": " on serviceaccounts/token",
	},
]

# holds reports whether a rule grants a power that has an effect in the scope of a view.
holds(rule, power, _) if {
	rbac.has(rule.apiGroups, power.groups)
	some resource in rule.resources
	resource in power.resources
	verb_of(rule, power)
}

holds(rule, power, view) if {
	not view.namespaced
	rbac.has(rule.apiGroups, power.groups)
	some resource in rule.resources
	resource in power.cluster
	verb_of(rule, power)
}

# A wildcard among the resources counts for a verb that the rule names. For tokens, and together with a wildcard among the verbs,
# a role is unlikely to be meant for this power.
holds(rule, power, _) if {
	power.verb != "create"
	power.verb in rule.verbs
	"*" in rule.resources
	rbac.has(rule.apiGroups, power.groups)
}

holds(rule, power, _) if {
	"*" in rule.verbs
	"*" in rule.resources
	rbac.group in power.groups
	rbac.group in rule.apiGroups
}

verb_of(rule, power) if power.verb in rule.verbs

verb_of(rule, power) if {
	power.wildcard
	"*" in rule.verbs
}

# limited reports whether a rule names what the power reaches, and none of it is an administrator or their role.
limited(rule, power, view) if {
	count(rule.resourceNames) > 0
	every name in rule.resourceNames { not opens_all(power, name) }
	every name in rule.resourceNames { not of_administrator(rule, power, view, name) }
}

# of_administrator holds for the name of a user, a group, or an account that a binding of the repository makes cluster-admin.
of_administrator(rule, power, _, name) if {
	power.verb == "impersonate"
	some kind, resource in {"User": "users", "Group": "groups"}
	rbac.has(rule.resources, {resource})
	count(salint.admin_bindings({"kind": kind, "namespace": "", "name": name})) > 0
}

of_administrator(rule, power, view, name) if {
	reaches_accounts(rule, power)
	some binding in salint.bindings_naming(name)
	some subject in binding.resource.subjects
	subject.kind == "ServiceAccount"
	subject.name == name
	view.scope in {"", subject.namespace}
	count(salint.admin_bindings({"kind": subject.kind, "namespace": subject.namespace, "name": name})) > 0
}

reaches_accounts(_, power) if power.verb == "create"

reaches_accounts(rule, power) if {
	power.verb == "impersonate"
	rbac.has(rule.resources, {"serviceaccounts"})
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

# of_accounts reports whether a power reaches only accounts.
of_accounts(_, power) if power.verb == "create"

of_accounts(rule, power) if {
	power.verb == "impersonate"
	every resource in rule.resources { resource == "serviceaccounts" }
}

# given_before reports whether an earlier rule of input.resource grants the same as rule i without resourceNames, and not only on accounts
# if this one grants more.
given_before(i, power, view) if {
	some rule in array.slice(input.resource.rules, 0, i)
	count(object.get(rule, "resourceNames", [])) == 0
	holds(rule, power, view)
	not only_of_accounts(rule, input.resource.rules[i], power)
}

only_of_accounts(earlier, rule, power) if {
	of_accounts(earlier, power)
	not of_accounts(rule, power)
}

# granted lists the powers for a message, as in `"escalate" and "bind" on roles`.
granted(powers) := lib.listed([text |
	some i, power in powers
	every earlier in array.slice(powers, 0, i) { earlier.on != power.on }
	verbs := [sprintf("%q", [other.verb]) | some other in powers; other.on == power.on]
	text := sprintf("%s%s", [lib.listed(verbs), power.on])
])

# names are the resourceNames of a rule for a message.
names(rule) := "without resourceNames" if {
	count(object.get(rule, "resourceNames", [])) == 0
} else := sprintf("with resourceNames %s", [lib.listed(rule.resourceNames)])
