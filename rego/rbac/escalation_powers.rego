# Permissions that allow their holders to gain others, and the rules that grant them.
package salint.helpers.rbac.escalation_powers

import data.salint.helpers
import data.salint.helpers.rbac

# of lists the powers that a rule grants with an effect in the scope of a view. Messages quote the verb, and add `on`.
of(rule, view) := [power | some power in salint.powers(rule, view.namespaced); meant_in(power, view)]

meant_in(power, _) if meant(power)

# Every verb on every resource of the core group includes impersonation, which is a way to become cluster-admin in the whole cluster.
meant_in(power, view) if {
	count(view.holders) > 0
	view.scope == ""
	power.verb == "impersonate"
	power.wildcard_verb
	power.wildcard_resource
	not power.wildcard_group
}

# meant holds for a power for which a rule names the resource. A role with a wildcard is unlikely to be meant for a power, unless the rule
# names its verb, and that verb is not one of many resources, or the rule is about RBAC.
meant(power) if not power.wildcard_resource

meant(power) if {
	not power.wildcard_verb
	power.verb != "create"
}

meant(power) if {
	power.group == rbac.group
	not power.wildcard_group
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

reaches_accounts(_, power) if power.accounts

reaches_accounts(rule, power) if {
	power.verb == "impersonate"
	rbac.has(rule.resources, {"serviceaccounts"})
}

opens_all(power, name) if name in power.opens

opens_all(power, name) if {
	power.verb == "escalate"
	name == helpers.name(input.resource)
}

# given_before reports whether an earlier rule of input.resource grants the same as rule i without resourceNames, and not only on accounts
# if this one grants more.
given_before(i, power, view) if {
	some rule in array.slice(input.resource.rules, 0, i)
	count(object.get(rule, "resourceNames", [])) == 0
	some earlier in of(rule, view)
	earlier.verb == power.verb
	not only_of_accounts(earlier, power)
}

only_of_accounts(earlier, power) if {
	earlier.accounts
	not power.accounts
}

# granted lists the powers for a message, as in `"escalate" and "bind" on roles`.
granted(powers) := helpers.listed([text |
	some i, power in powers
	every earlier in array.slice(powers, 0, i) { earlier.on != power.on }
	verbs := [sprintf("%q", [other.verb]) | some other in powers; other.on == power.on]
	text := sprintf("%s%s", [helpers.listed(verbs), power.on])
])

# names are the resourceNames of a rule for a message.
names(rule) := "without resourceNames" if {
	count(object.get(rule, "resourceNames", [])) == 0
} else := sprintf("with resourceNames %s", [helpers.listed(rule.resourceNames)])
