# Who holds input.resource, a role that gives more than it says, and where.
package salint.lib.rbac.escalation_holders

import data.salint.lib
import data.salint.lib.rbac

# holders are the subjects of the bindings by which the role is held.
holders := salint.bindings_to(salint.ref(input.resource))

# namespaced tells that the role is granted in namespaces alone.
namespaced if input.resource.kind == "Role"

namespaced if {
	count(holders) > 0
	every holder in holders { holder.binding.scope != "" }
}

# gaining are the holders who are not administrators without it.
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

default who := "whoever is bound to it"

who := sprintf("whoever is bound to ClusterRole %s, of which it is a part,", [lib.listed(sort(wholes))]) if {
	count(gaining) == 0
	count(wholes) > 0
} else := lib.listed(sort({text |
	some holder in gaining
	text := sprintf("%s%s", [rbac.subject_called(holder.subject), through(holder.binding)])
})) if {
	count(gaining) > 0
}

# wholes are the roles that the API server puts this one into. Their bindings need not be read.
wholes := {whole |
	some label, value in input.resource.metadata.labels
	value == "true"
	whole := trim_prefix(label, "rbac.authorization.k8s.io/aggregate-to-")
	whole != label
}

through(binding) := "" if {
	binding.role.name == lib.name(input.resource)
} else := sprintf(" (through %s)", [lib.titled(binding.role.kind, "", binding.role.name)])

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
