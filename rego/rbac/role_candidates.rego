# The roles that input.resource, a binding, can refer to, and the installers that can create one.
package salint.helpers.rbac.role_candidates

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.rbac

namespace := helpers.namespace(input.resource)

exists(role) if {
	role.kind == "ClusterRole"
	count(named(role)) > 0
}

exists(role) if {
	role.kind == "Role"
	some found in named(role)
	accounts.unknown_or(helpers.namespace(found.resource), namespace)
}

exists(role) if {
	role.kind == "Role"
	helpers.open_namespace(namespace)
	count(named(role)) > 0
}

# A role with a placeholder as its name can be the one.
exists(role) if {
	count(salint.placeholders({"kind": role.kind, "group": rbac.group})) > 0
}

# installed reports whether an operator or a chart can create the role: a Role if it installs into the namespace, a ClusterRole
# if it is in the folder of the binding or below it.
installed(role) if {
	role.kind == "Role"
	count(installers(namespace)) > 0
	not other_kind(role)
}

installed(role) if {
	role.kind == "ClusterRole"
	folder := helpers.folder(helpers.file(salint.ref(input.resource)))
	some ref in installers("*")
	helpers.below(helpers.file(ref), folder)
	not other_kind(role)
}

# The operators that create accounts for an object also create Roles for it, with the same beginning.
installed(role) if {
	role.kind == "Role"
	accounts.made_role(role.name, namespace)
}

installed(role) if {
	role.kind == "ClusterRole"
	accounts.made_cluster_role(role.name)
}

# installers are the charts and Subscriptions for a namespace. The roles of an extension's bundle are named after its version, so
# no manifest references them.
installers(where_to) := {ref |
	some ref in salint.bringers(where_to)
	not ref in salint.refs_anywhere({"kind": "ClusterExtension", "group": "olm.operatorframework.io"})
}

named(role) := salint.anywhere({"kind": role.kind, "group": rbac.group, "name": role.name})

# other_kind reports whether a role of that name exists in the other kind, which the binding could refer to.
other_kind(role) if {
	role.kind == "Role"
	count(salint.find({"kind": "ClusterRole", "group": rbac.group, "name": role.name})) > 0
}

other_kind(role) if {
	role.kind == "ClusterRole"
	input.resource.kind == "RoleBinding"
	some found in salint.find({"kind": "Role", "group": rbac.group, "name": role.name})
	accounts.unknown_or(helpers.namespace(found.resource), namespace)
}
