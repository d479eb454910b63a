# The subjects of a ClusterRoleBinding that the rules of olm/ report if it makes them cluster-admin.
package salint.helpers.rbac.reported_identities

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.olm.reached_extensions

# of_binding holds for the subject of this binding that olm/cluster-admin-grant names. That rule has one finding for a binding,
# so the other subjects have their own.
of_binding(subject) if {
	helpers.identities_count
	reached_extensions.list[0].subject.index == subject.index
}

# of_extension holds for the identities whose bindings olm/cluster-admin-grant compares.
of_extension(subject) if {
	helpers.identities_count
	some entry in salint.installed_as([subject])
	extension := salint.extension(entry.resource)
	olm.name_known(extension)
	reached_extensions.is_identity(subject, extension)
	subject.kind != "Group"
}

# synthetic holds for synthetic identities that other rules report at the same place.
synthetic(subject) if {
	input.model in {"ignored", "removed"}
	is_synthetic(subject)
}

synthetic(subject) if {
	subject.kind == "Group"
	subject.name == olm.identities_group
	group_has_members
}

synthetic(subject) if {
	helpers.identities_may_count
	salint.mistyped({"kind": subject.kind, "name": subject.name})
}

is_synthetic(subject) if {
	subject.kind == "User"
	startswith(subject.name, olm.user_prefix)
}

is_synthetic(subject) if {
	subject.kind == "Group"
	subject.name == olm.identities_group
}

is_synthetic(subject) if salint.mistyped({"kind": subject.kind, "name": subject.name})

group_has_members if input.model == "synthetic"

group_has_members if olm.placeholder_works
