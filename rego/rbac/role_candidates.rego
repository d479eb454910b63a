# The roles that input.resource, a binding, may refer to, and what may bring one.
package salint.lib.rbac.role_candidates

import data.salint.lib
import data.salint.lib.accounts
import data.salint.lib.rbac

namespace := lib.namespace(input.resource)

exists(role) if {
	role.kind == "ClusterRole"
	count(named(role)) > 0
}

exists(role) if {
	role.kind == "Role"
	some found in named(role)
	accounts.unknown_or(lib.namespace(found.resource), namespace)
}

exists(role) if {
	role.kind == "Role"
	lib.open_namespace(namespace)
	count(named(role)) > 0
}

# A role whose own name is filled in later may be the one.
exists(role) if {
	some found in salint.find({"kind": role.kind, "group": rbac.group})
	lib.role_placeholder(lib.name(found.resource))
}

# brought tells that an operator or a chart may bring the role: to its namespace, or for a ClusterRole from the folder of
# the binding.
brought(role) if {
	role.kind == "Role"
	count(bringing(namespace)) > 0
	not other_kind(role)
}

brought(role) if {
	role.kind == "ClusterRole"
	folder := lib.folder(lib.file(salint.ref(input.resource)))
	some ref in bringing("*")
	lib.below(lib.file(ref), folder)
	not other_kind(role)
}

# bringing are the charts and the operators of Subscriptions for a namespace. The roles that an extension's bundle brings are
# called after its version, and no manifest refers to them.
bringing(where_to) := {ref | some ref in salint.bringers(where_to)} - {extension.ref |
	some extension in salint.find({"kind": "ClusterExtension", "group": "olm.operatorframework.io"})
}

named(role) := salint.anywhere({"kind": role.kind, "group": rbac.group, "name": role.name})

# other_kind tells that there is a role of that name of the other kind, where the binding could refer to it.
other_kind(role) if {
	role.kind == "Role"
	count(salint.find({"kind": "ClusterRole", "group": rbac.group, "name": role.name})) > 0
}

other_kind(role) if {
	role.kind == "ClusterRole"
	input.resource.kind == "RoleBinding"
	some found in salint.find({"kind": "Role", "group": rbac.group, "name": role.name})
	accounts.unknown_or(lib.namespace(found.resource), namespace)
}
