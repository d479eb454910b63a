# What some powers need in addition to have an effect.
package salint.helpers.rbac.escalation_complements

import data.salint.helpers.rbac.escalation_holders
import data.salint.helpers.rbac.escalation_powers

# complete holds for a power that has an effect: it needs no other permission, or the repository grants one to the holder of a view.
complete(power, _) if count(power.needs) == 0

complete(power, _) if {
	some need in power.needs
	grants(salint.ref(input.resource), need)
}

complete(power, view) if {
	some need in power.needs
	some holder in view.holders
	some binding in salint.bindings_of(holder.subject)
	meets(binding, view)
	grants(binding.ref, need)
}

# The roles into which a role is aggregated are not necessarily read.
complete(_, view) if {
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
	verb in array.concat(need.verbs, ["*"])
}

# missing lists for a message what powers need.
missing(powers) := concat(" or ", [need.text | some power in powers; some need in power.needs])

# granted lists powers without effect for a message. Of the verb impersonate, only that on groups is one.
granted(powers) := escalation_powers.granted([named |
	some power in powers
	named := object.union(power, {"on": object.get({"impersonate": " on groups"}, power.verb, power.on)})
])
