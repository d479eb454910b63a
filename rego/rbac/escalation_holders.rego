# The holders of input.resource, a role that allows its holders to gain further permissions, and where they hold it.
package salint.helpers.rbac.escalation_holders

import data.salint.helpers
import data.salint.helpers.rbac
import data.salint.lib

# holders are the subjects of the bindings that grant the role, each with its binding.
holders := salint.bindings_to(salint.ref(input.resource))

# views are the cases that have a finding each: one for every holder that is not an administrator without the role, or one for a
# role that nothing binds. Scopes are not merged: a holder that gains the role in a namespace is not said to act in the cluster.
views := [view |
	some i, holder in gaining
	not listed_before(i, holder)
	view := {"holders": [holder], "scope": holder.binding.scope, "namespaced": holder.binding.scope != ""}
] if {
	count(gaining) > 0
} else := [{"holders": [], "scope": own_scope, "namespaced": input.resource.kind == "Role"}] if {
	count(holders) == 0
} else := []

# listed_before holds for a subject that its binding lists twice.
listed_before(i, holder) if {
	some j, earlier in gaining
	j < i
	earlier.binding.ref == holder.binding.ref
	earlier.subject == holder.subject
}

# gaining are the holders that are not administrators without the role.
gaining := [holder | some holder in holders; not administrator(holder.subject)]

administrator(subject) if {
	subject.kind == "Group"
	subject.name in rbac.admin_groups
}

administrator(subject) if {
	some binding in salint.admin_bindings(subject)
	binding.role_ref != salint.ref(input.resource)
}

# who is how the message names the holders of a view.
who(view) := sprintf("%s%s", [rbac.subject_called(holder.subject), through(holder.binding)]) if {
	some holder in view.holders
} else := sprintf("the holders of ClusterRole %s, into which it is aggregated,", [helpers.listed(sort(aggregates))]) if {
	count(aggregates) > 0
} else := "its holders"

# aggregates are the roles that the API server aggregates this role into. Their bindings are not necessarily read.
aggregates := {aggregate |
	some label, value in input.resource.metadata.labels
	value == "true"
	aggregate := trim_prefix(label, "rbac.authorization.k8s.io/aggregate-to-")
	aggregate != label
}

through(binding) := "" if {
	binding.role.name == helpers.name(input.resource)
} else := sprintf(" (through %s)", [helpers.titled(binding.role.kind, "", binding.role.name)])

# where is the scope of a view in the message; "" if it is unknown.
where(view) := " in the whole cluster" if {
	count(view.holders) > 0
	view.scope == ""
} else := sprintf(" in namespace %s", [view.scope]) if {
	not view.scope in {"", "?"}
} else := sprintf(" in namespace %s", [own_scope]) if {
	own_scope != ""
} else := ""

default own_scope := ""

own_scope := helpers.namespace(input.resource) if input.resource.kind == "Role"

# placed puts a finding about a view where its holder is bound. The extent of the powers is part of the fingerprint, like the powers: a
# baseline does not hide that they reach further.
placed(finding, view, i, powers, extent) := lib.held_by(
	lib.related(
		lib.at(object.union(finding, {"path": ["subjects", holder.binding.subject_index]}), holder.binding.ref),
		salint.ref(input.resource), ["rules", i], sprintf("%s grants it", [helpers.called(input.resource)]),
	),
	array.concat(
		[holder.subject.kind, ["subjects", holder.binding.subject_index, "namespace"], ["subjects", holder.binding.subject_index, "name"]],
		array.concat([{"ref": salint.ref(input.resource), "path": ["metadata", "name"]}], array.concat([power.verb | some power in powers], extent)),
	),
) if {
	some holder in view.holders
} else := finding

# of_itself reports whether a rule grants tokens only of the account that holds the role.
of_itself(rule, power, view) if {
	power.verb == "create"
	count(rule.resourceNames) > 0
	some holder in view.holders
	holder.subject.kind == "ServiceAccount"
	holder.binding.scope == holder.subject.namespace
	rule.resourceNames == [holder.subject.name]
}
