# METADATA
# title: A binding refers to a role that does not exist
# description: |
#   The API server takes a binding whose role does not exist, and it grants nothing, until somebody creates a role of
#   that name: then it grants whatever that role has. Whoever may create the role decides what the subjects of the
#   binding may do.
#
#   Roles come from elsewhere, too: from Kubernetes and OpenShift, from operators and charts. The rule knows
#   `cluster-admin`, `admin`, `edit`, `view` and what is called `system:…`, the Roles that Kubernetes and kubeadm keep
#   in `kube-system` and `kube-public`, the roles that OpenShift has by default, and those that OLM makes for operators
#   (`…-admin`, `…-edit`, `…-view` of a version, `olm…`). It leaves kustomizations alone that fetch or could not be
#   read as a whole, Roles of a namespace into which a chart or a Subscription installs, ClusterRoles where one is
#   installed out of the same folder as the binding, or one below it, and names that are filled in later.
#
#   A ClusterRoleBinding to a Role is refused whether the Role exists or not: see `rbac/subject-invalid`.
#
#   What is left is a note; a warning where the role would be expected beside others: where the manifests that are
#   applied together create other Roles in the namespace, where the file with the binding creates a ClusterRole that
#   nothing refers to, or where there is a role of the name of the other kind. Of several bindings to one missing role,
#   those that `salint` wrote in the place of others are left out as long as one of the others is there.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding
#     description: Bindings and their roles
# custom:
#   severity: note
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   skip_unless: [role-missing]
#   reads: [opaque_installers]
#   reads_all: [ClusterRole.rbac.authorization.k8s.io, Role.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.rbac.role_not_found

import data.salint.lib
import data.salint.lib.accounts
import data.salint.lib.rbac

report contains finding if {
	role := input.resource.roleRef
	is_string(role.name)
	role.kind in {"Role", "ClusterRole"}
	not refused(role)
	not exists(role)
	not rbac.provided(role, namespace)
	not lib.role_placeholder(role.name)
	not lib.placeholder(namespace)
	accounts.whole
	not brought(role)
	not written_for_another(role)
	finding := graded(lib.finding(["roleRef", "name"], message(role)), role)
}

namespace := lib.namespace(input.resource)

# refused tells of a binding that is another rule's: the API server takes no ClusterRoleBinding to a Role.
refused(role) if {
	role.kind == "Role"
	input.resource.kind == "ClusterRoleBinding"
}

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

# written_for_another tells of a binding that salint wrote that the one in whose place it grants is reported as well.
written_for_another(role) if {
	input.resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"
	some kind in ["ClusterRoleBinding", "RoleBinding"]
	some other in salint.find({"kind": kind, "group": rbac.group})
	other.resource.roleRef == role
	lib.namespace(other.resource) == namespace
	not other.resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"
}

named(role) := salint.anywhere({"kind": role.kind, "group": rbac.group, "name": role.name})

graded(finding, role) := lib.with_severity(finding, "warning") if expected(role)

graded(finding, role) := finding if not expected(role)

expected(role) if other_kind(role)

expected(role) if {
	role.kind == "Role"
	not lib.open_namespace(namespace)
	some found in salint.find({"kind": "Role", "group": rbac.group, "namespace": namespace})
	lib.namespace(found.resource) == namespace
}

expected(role) if {
	role.kind == "ClusterRole"
	file := lib.file(salint.ref(input.resource))
	some found in salint.find({"kind": "ClusterRole", "group": rbac.group})
	lib.file(found.ref) == file
	not used(found)
}

# used tells that something refers to a ClusterRole: a binding, or another that it is put into.
used(found) if count(salint.bindings_to(found.ref)) > 0

used(found) if {
	some value in found.resource.metadata.labels
	value == "true" # as aggregated roles select their parts
}

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

message(role) := sprintf(
	concat(" ", [
		"%s grants %s, which no manifest of the repository creates%s.",
		"It grants nothing, until somebody creates a role of that name: then it grants whatever that has.",
	]),
	[lib.sentence(lib.called(input.resource)), lib.titled(role.kind, where(role), role.name), hint(role)],
)

where(role) := namespace if role.kind == "Role"

where(role) := "" if role.kind == "ClusterRole"

hint(role) := sprintf(" (there is a %s of that name)", [others[role.kind]]) if other_kind(role)

hint(role) := sprintf(" (Kubernetes has it in namespace %s)", [home]) if {
	role.kind == "Role"
	home := rbac.provided_roles[role.name]
	not other_kind(role)
}

hint(role) := "" if {
	not other_kind(role)
	not rbac.provided_roles[role.name]
}

others := {"Role": "ClusterRole", "ClusterRole": "Role"}
