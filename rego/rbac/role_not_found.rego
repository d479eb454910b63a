# METADATA
# title: A binding references a role that does not exist
# description: |
#   The API server accepts a binding whose role does not exist. It grants nothing until a role of that name is created,
#   and then grants all of its permissions. Anyone who can create the role decides what the subjects of the binding can
#   do.
#
#   Manifests are only one source of roles: Kubernetes, OpenShift, operators, and charts create others. The rule knows
#   `cluster-admin`, `admin`, `edit`, `view`, and roles called `system:…`, the Roles that Kubernetes and kubeadm create
#   in `kube-system` and `kube-public`, the default roles of OpenShift, and those that OLM creates for operators
#   (`…-admin`, `…-edit`, and `…-view` of a version, and `olm…`), and Roles whose names begin like those that an
#   operator creates for an object of the repository, such as an ArgoCD. It does not check kustomizations with remote
#   sources or that could not be read completely, Roles of a namespace into which a chart or a Subscription installs,
#   ClusterRoles if one of these is in the folder of the binding or below it, and placeholders.
#
#   The API server rejects a ClusterRoleBinding to a Role, whether the Role exists or not: see `rbac/subject-invalid`.
#
#   The finding is a note. It is a warning if the role is expected among others: if the deployment unit creates other
#   Roles in the namespace, if the file of the binding creates a ClusterRole that nothing references, or if a role of
#   that name exists in the other kind. Of several bindings to one missing role, those that `salint` wrote to replace
#   others are not reported while one of the others exists.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding
#     description: Bindings and roles
# custom:
#   severity: note
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   skip_unless: [role-missing]
#   reads: [opaque_installers, account_creators]
#   reads_all: [ClusterRole.rbac.authorization.k8s.io, Role.rbac.authorization.k8s.io]
#   fix: none
package salint.rules.rbac.role_not_found

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.rbac
import data.salint.helpers.rbac.missing
import data.salint.helpers.rbac.role_candidates as candidates
import data.salint.lib

report contains finding if {
	role := input.resource.roleRef
	is_string(role.name)
	role.kind in {"Role", "ClusterRole"}
	not rejected(role)
	not rbac.provided(role, candidates.namespace)
	not candidates.exists(role)
	not helpers.role_placeholder(role.name)
	not helpers.placeholder(candidates.namespace)
	accounts.whole
	not candidates.installed(role)
	not written_for_another(role)
	finding := graded(lib.finding(["roleRef", "name"], message(role)), role)
}

# rejected holds for a ClusterRoleBinding to a Role, which another rule reports.
rejected(role) if {
	role.kind == "Role"
	input.resource.kind == "ClusterRoleBinding"
}

# written_for_another holds for a binding that salint wrote to replace another, if that one is reported as well.
written_for_another(role) if {
	input.resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"
	some kind in ["ClusterRoleBinding", "RoleBinding"]
	some other in salint.find({"kind": kind, "group": rbac.group, "role": role.name})
	other.resource.roleRef == role
	helpers.namespace(other.resource) == candidates.namespace
	not other.resource.metadata.labels["app.kubernetes.io/managed-by"] == "salint"
}

graded(finding, role) := lib.with_severity(finding, "warning") if {
	expected(role)
} else := finding

expected(role) if candidates.other_kind(role)

expected(role) if {
	role.kind == "Role"
	not helpers.open_namespace(candidates.namespace)
	some found in salint.find({"kind": "Role", "group": rbac.group, "namespace": candidates.namespace})
	helpers.namespace(found.resource) == candidates.namespace
}

expected(role) if {
	role.kind == "ClusterRole"
	file := helpers.file(salint.ref(input.resource))
	some found in salint.find({"kind": "ClusterRole", "group": rbac.group, "file": file})
	not used(found)
}

# used reports whether a ClusterRole is referenced by a binding, or aggregated into another one.
used(found) if count(salint.bindings_to(found.ref)) > 0

used(found) if {
	some value in found.resource.metadata.labels
	value == "true" # aggregated roles select this value
}

message(role) := sprintf(
	concat(" ", [
		"%s grants %s.",
		"Anyone who can create the role decides what the binding grants.",
		"Create the role, or bind an existing one.",
	]),
	[
		helpers.sentence(helpers.called(input.resource)),
		missing.object_called(helpers.titled(role.kind, where(role), role.name), hint(role)),
	],
)

where(role) := candidates.namespace if {
	role.kind == "Role"
} else := ""

# hint is a remark on what exists instead, or "".
hint(role) := sprintf(" (a %s of that name exists)", [others[role.kind]]) if {
	candidates.other_kind(role)
} else := sprintf(" (%s creates it in %s)", [platform(home), home]) if {
	role.kind == "Role"
	home := rbac.provided_roles[role.name]
} else := ""

platform(namespace) := "OpenShift" if startswith(namespace, "openshift")

platform(namespace) := "Kubernetes" if not startswith(namespace, "openshift")

others := {"Role": "ClusterRole", "ClusterRole": "Role"}
