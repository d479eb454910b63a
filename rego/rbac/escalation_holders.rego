# The holders of input.resource, a role that allows its holders to gain further permissions, and where they hold it.
package salint.lib.rbac.escalation_holders

import data.salint.lib
import data.salint.lib.rbac

# holders are the subjects of the bindings that grant the role, each with its binding.
holders := salint.bindings_to(salint.ref(input.resource))

# namespaced reports whether the role is granted only in namespaces.
namespaced if input.resource.kind == "Role"

namespaced if {
	count(holders) > 0
	every holder in holders { holder.binding.scope != "" }
}

# gaining are the holders that are not administrators without the role.
gaining := [holder | some holder in holders; not administrator(holder.subject)]

administrator(subject) if {
	subject.kind == "Group"
	subject.name in rbac.admin_groups
}

administrator(subject) if {
	some binding in salint.bindings_of(subject)
	binding.kind == "ClusterRoleBinding"
	binding.role_ref != salint.ref(input.resource)
	rbac.grants_everything(binding.role.name, binding.role_ref)
}

# who is how the message names the holders.
default who := "its holders"

who := sprintf("the holders of ClusterRole %s, into which it is aggregated,", [lib.listed(sort(aggregates))]) if {
	count(gaining) == 0
	count(aggregates) > 0
} else := lib.listed(sort({text |
	some holder in gaining
	text := sprintf("%s%s", [rbac.subject_called(holder.subject), through(holder.binding)])
})) if {
	count(gaining) > 0
}

# aggregates are the roles that the API server aggregates this role into. Their bindings are not necessarily read.
aggregates := {aggregate |
	some label, value in input.resource.metadata.labels
	value == "true"
	aggregate := trim_prefix(label, "rbac.authorization.k8s.io/aggregate-to-")
	aggregate != label
}

through(binding) := "" if {
	binding.role.name == lib.name(input.resource)
} else := sprintf(" (through %s)", [lib.titled(binding.role.kind, "", binding.role.name)])

# where is the scope of the role in the message; "" if it is unknown.
default where := ""

where := " in the whole cluster" if {
	some holder in gaining
	holder.binding.scope == ""
} else := sprintf(" in namespace %s", [lib.listed(namespaces)]) if {
	count(namespaces) > 0
}

namespaces := sort({holder.binding.scope | some holder in gaining; holder.binding.scope != "?"} | own_namespace)

default own_namespace := set()

own_namespace := {lib.namespace(input.resource)} if {
	input.resource.kind == "Role"
	lib.namespace(input.resource) != ""
}
