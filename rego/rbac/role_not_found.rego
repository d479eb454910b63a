# METADATA
# title: A binding refers to a role that does not exist
# description: |
#   The API server takes a binding whose role does not exist, and it grants nothing, until somebody creates a role of
#   that name: then it grants whatever that role has. Whoever may create the role decides what the subjects of the
#   binding may do.
#
#   Roles come from elsewhere, too: from Kubernetes and OpenShift, from operators and charts. The rule knows
#   `cluster-admin`, `admin`, `edit`, `view` and what is called `system:…`, the roles that OpenShift has by default,
#   and those that OLM makes for operators (`…-admin`, `…-edit`, `…-view` of a version, `olm…`), and leaves
#   kustomizations alone that fetch or could not be read as a whole. What is left is a note; a warning where the role
#   would be expected beside others: where the manifests that are applied together create other Roles in the
#   namespace, where the file with the binding creates another ClusterRole, or where there is a role of the name of
#   the other kind.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding
#     description: Bindings and their roles
# custom:
#   severity: note
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   context: [ClusterRole.rbac.authorization.k8s.io, Role.rbac.authorization.k8s.io]
#   whole: [ClusterRole.rbac.authorization.k8s.io, Role.rbac.authorization.k8s.io]
#   scope: object
#   fix: none
#   examples:
#     - bad: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: Role
#         metadata:
#           name: checkout-reader
#           namespace: shop
#         rules:
#           - apiGroups: [""]
#             resources: [configmaps]
#             verbs: [get, list, watch]
#         ---
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: RoleBinding
#         metadata:
#           name: checkout
#           namespace: shop
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: Role
#           name: checkout
#         subjects:
#           - kind: ServiceAccount
#             name: checkout
#     - good: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: Role
#         metadata:
#           name: checkout-reader
#           namespace: shop
#         rules:
#           - apiGroups: [""]
#             resources: [configmaps]
#             verbs: [get, list, watch]
#         ---
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: RoleBinding
#         metadata:
#           name: checkout
#           namespace: shop
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: Role
#           name: checkout-reader
#         subjects:
#           - kind: ServiceAccount
#             name: checkout
package salint.rules.rbac.role_not_found

import data.salint.lib
import data.salint.lib.accounts
import data.salint.lib.rbac

report contains finding if {
	role := input.resource.roleRef
	is_string(role.name)
	role.kind in {"Role", "ClusterRole"}
	not exists(role)
	not rbac.provided(role)
	not lib.templated(role.name)
	not lib.templated(namespace)
	accounts.whole
	finding := graded(lib.finding(["roleRef", "name"], message(role)), role)
}

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
	namespace == ""
	count(named(role)) > 0
}

# A role whose own name is filled in later may be the one.
exists(role) if {
	some found in salint.find({"kind": role.kind, "group": rbac.group})
	lib.templated(lib.name(found.resource))
}

named(role) := salint.anywhere({"kind": role.kind, "group": rbac.group, "name": role.name})

graded(finding, role) := lib.with_severity(finding, "warning") if expected(role)

graded(finding, role) := finding if not expected(role)

expected(role) if other_kind(role)

expected(role) if {
	role.kind == "Role"
	namespace != ""
	some found in salint.find({"kind": "Role", "group": rbac.group, "namespace": namespace})
	lib.namespace(found.resource) == namespace
}

expected(role) if {
	role.kind == "ClusterRole"
	file := lib.file(salint.ref(input.resource))
	some found in salint.find({"kind": "ClusterRole", "group": rbac.group})
	lib.file(found.ref) == file
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

hint(role) := "" if not other_kind(role)

others := {"Role": "ClusterRole", "ClusterRole": "Role"}
