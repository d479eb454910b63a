# What the holders of input.resource, a role that allows its holders to gain further permissions, can reach.
package salint.helpers.rbac.escalation_reach

import data.salint.helpers.rbac.escalation_holders
import data.salint.helpers.rbac.escalation_powers

unlimited_by_name(rule, powers, view) if {
	some power in powers
	not escalation_powers.limited(rule, power, view)
}

# reach names what the holders can reach.
reach(rule, powers, view) := "names" if {
	not unlimited_by_name(rule, powers, view)
} else := "account" if {
	every power in powers { power.accounts }
}

reach(rule, powers, view) := {true: "namespace", false: "cluster"}[view.namespaced] if {
	unlimited_by_name(rule, powers, view)
	some power in powers
	not power.accounts
}

gain(rule, powers, view) := "become cluster-admin" if {
	reach(rule, powers, view) == "cluster"
} else := sprintf("%s%s", [gains[reach(rule, powers, view)], escalation_holders.where(view)])

gains := {
	"names": "gain further permissions",
	"account": "act as the most privileged account",
	"namespace": "gain all permissions",
}

# scope is where the holders have the powers, unless the gain contains it.
scope(rule, powers, view) := place(view) if {
	reach(rule, powers, view) == "cluster"
} else := ""

place(view) := sprintf("%s,", [escalation_holders.where(view)]) if {
	escalation_holders.where(view) != ""
} else := ""
