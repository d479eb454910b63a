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
import data.salint.lib.rbac.role_candidates as candidates

report contains finding if {
	role := input.resource.roleRef
	is_string(role.name)
	role.kind in {"Role", "ClusterRole"}
	not refused(role)
	not candidates.exists(role)
	not rbac.provided(role, candidates.namespace)
	not lib.role_placeholder(role.name)
	not lib.placeholder(candidates.namespace)
	accounts.whole
	not candidates.brought(role)
	not written_for_another(role)
	finding := graded(lib.finding(["roleRef", "name"], message(role)), role)
}

# refused tells of a binding that is another rule's: the API server takes no ClusterRoleBinding to a Role.
refused(role) if {
	role.kind == "Role"
	input.resource.kind == "ClusterRoleBinding"
}

# written_for_another tells of a binding that salint wrote that the one in whose place it grants is reported as well.
written_for_another(role) if {
	input.resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"
	some kind in ["ClusterRoleBinding", "RoleBinding"]
	some other in salint.find({"kind": kind, "group": rbac.group})
	other.resource.roleRef == role
	lib.namespace(other.resource) == candidates.namespace
	not other.resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"
}

graded(finding, role) := lib.with_severity(finding, "warning") if {
	expected(role)
} else := finding

expected(role) if candidates.other_kind(role)

expected(role) if {
	role.kind == "Role"
	not lib.open_namespace(candidates.namespace)
	some found in salint.find({"kind": "Role", "group": rbac.group, "namespace": candidates.namespace})
	lib.namespace(found.resource) == candidates.namespace
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

message(role) := sprintf(
	concat(" ", [
		"%s grants %s, which no manifest of the repository creates%s.",
		"It grants nothing, until somebody creates a role of that name: then it grants whatever that has.",
	]),
	[lib.sentence(lib.called(input.resource)), lib.titled(role.kind, where(role), role.name), hint(role)],
)

where(role) := candidates.namespace if {
	role.kind == "Role"
} else := ""

hint(role) := sprintf(" (there is a %s of that name)", [others[role.kind]]) if {
	candidates.other_kind(role)
} else := sprintf(" (Kubernetes has it in namespace %s)", [home]) if {
	role.kind == "Role"
	home := rbac.provided_roles[role.name]
} else := "" if {
	not rbac.provided_roles[role.name]
}

others := {"Role": "ClusterRole", "ClusterRole": "Role"}
