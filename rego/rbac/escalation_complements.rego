# What some powers need in addition to have an effect.
package salint.lib.rbac.escalation_complements

import data.salint.lib.rbac
import data.salint.lib.rbac.escalation_holders
import data.salint.lib.rbac.escalation_powers

# needs are the permissions without which a power has no effect, by its verb. Any of the verbs on any of the resources is sufficient.
needs := {
	"escalate": {
		"text": `"update" on roles`, "verbs": {"create", "update", "patch"},
		"group": rbac.group, "resources": ["roles", "clusterroles"],
	},
	"bind": {
		"text": `"create" on bindings`, "verbs": {"create", "update", "patch"},
		"group": rbac.group, "resources": ["rolebindings", "clusterrolebindings"],
	},
	# The API server takes groups only together with a user (kube-apiserver, WithImpersonation).
	"impersonate": {
		"text": `"impersonate" on users or serviceaccounts`, "verbs": {"impersonate"},
		"group": "", "resources": ["users", "serviceaccounts"],
	},
}

# complete holds for a power that has an effect: it needs no other permission, or the repository grants one to the holder of a view.
complete(_, power, _) if not needs[power.verb]

complete(rule, power, _) if {
	power.verb == "impersonate"
	some resource in rule.resources
	resource != "groups"
}

complete(_, power, _) if grants(salint.ref(input.resource), needs[power.verb])

complete(_, power, view) if {
	some holder in view.holders
	some binding in salint.bindings_of(holder.subject)
	meets(binding, view)
	grants(binding.ref, needs[power.verb])
}

# The roles into which a role is aggregated are not necessarily read.
complete(_, _, view) if {
	count(view.holders) == 0
	count(escalation_holders.aggregates) > 0
}

# meets holds for a binding that applies where the holder has the power.
meets(_, view) if not view.namespaced

meets(binding, view) if binding.scope in {"", "?", view.scope}

meets(_, view) if view.scope == "?"

grants(ref, need) if {
	some granted in salint.granted_about(ref, need.group, need.resources)
	some verb in granted.verbs
	verb in (need.verbs | {"*"})
}

# missing lists for a message what powers need.
missing(powers) := concat(" or ", [needs[power.verb].text | some power in powers])

# granted lists powers without effect for a message. Of the verb impersonate, only that on groups is one.
granted(powers) := escalation_powers.granted([named |
	some power in powers
	named := object.union(power, {"on": object.get({"impersonate": " on groups"}, power.verb, power.on)})
])
