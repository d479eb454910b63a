# METADATA
# title: Somebody who is no administrator may write extensions
# description: |
#   Where the service account of extensions is ignored or gone, OLM installs everything as its own cluster-admin account.
#   Whoever may create, update or patch ClusterExtensions, ClusterObjectSets or ClusterCatalogs has it install what they
#   like, and is cluster-admin in effect. Where accounts count it is no small thing either: the writer chooses the account
#   that OLM acts as, in whatever namespace.
#
#   Delegation takes two things together: RBAC that opens the API, and a ValidatingAdmissionPolicy that limits package,
#   catalog, namespace or version, with a ValidatingAdmissionPolicyBinding whose `validationActions` has `Deny`. One that
#   only warns, such as the policy that ships with operator-controller v1.11, limits nobody. The policy must match the
#   resource and the operation: one for ClusterExtensions leaves ClusterObjectSets open. Whom its conditions exempt, and
#   whether its expressions are good, is not judged.
#
#   Judged are ClusterRoleBindings, for these resources are cluster-scoped. Administrators are left aside: subjects that
#   are cluster-admin in effect, by this binding or another, and the groups `system:masters` and `system:cluster-admins`.
#   So are OLM's own accounts.
# related_resources:
#   - ref: https://operator-framework.github.io/operator-controller/howto/how-to-protect-olmv1-api-access/
#     description: Protecting OLMv1 API access
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
#     description: Validating admission policies
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io]
#   context:
#     - ClusterRole.rbac.authorization.k8s.io
#     - ValidatingAdmissionPolicy.admissionregistration.k8s.io
#     - ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io
#   seeds:
#     ClusterRole.rbac.authorization.k8s.io: [clusterextensions, clusterobjectsets, clustercatalogs, olm.operatorframework.io, '"*"', "'*'"]
#   scope: object
#   fix: none
#   examples:
#     - target: olm-1.11
#       bad: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRole
#         metadata:
#           name: extension-editor
#         rules:
#           - apiGroups: [olm.operatorframework.io]
#             resources: [clusterextensions]
#             verbs: [get, list, create, update]
#         ---
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRoleBinding
#         metadata:
#           name: extension-editors
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: ClusterRole
#           name: extension-editor
#         subjects:
#           - apiGroup: rbac.authorization.k8s.io
#             kind: Group
#             name: developers
#     - target: olm-1.11
#       good: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRole
#         metadata:
#           name: extension-editor
#         rules:
#           - apiGroups: [olm.operatorframework.io]
#             resources: [clusterextensions]
#             verbs: [get, list, create, update]
#         ---
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRoleBinding
#         metadata:
#           name: extension-editors
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: ClusterRole
#           name: extension-editor
#         subjects:
#           - apiGroup: rbac.authorization.k8s.io
#             kind: Group
#             name: developers
#         ---
#         apiVersion: admissionregistration.k8s.io/v1
#         kind: ValidatingAdmissionPolicy
#         metadata:
#           name: developers-install-harbor-only
#         spec:
#           matchConstraints:
#             resourceRules:
#               - apiGroups: [olm.operatorframework.io]
#                 apiVersions: [v1]
#                 operations: [CREATE, UPDATE]
#                 resources: [clusterextensions]
#           matchConditions:
#             - name: developers
#               expression: request.userInfo.groups.exists(g, g == "developers")
#           validations:
#             - expression: object.spec.source.catalog.packageName == "harbor-operator"
#         ---
#         apiVersion: admissionregistration.k8s.io/v1
#         kind: ValidatingAdmissionPolicyBinding
#         metadata:
#           name: developers-install-harbor-only
#         spec:
#           policyName: developers-install-harbor-only
#           validationActions: [Deny]
package salint.rules.olm.extension_write_access

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	count(opened) > 0
	not rbac.is_cluster_admin(input.resource)
	count(writers) > 0
	open := opened - closed
	count(open) > 0
	finding := explained(lib.judged(["roleRef"], message(open)))
}

# explained shows the role, unless it is Kubernetes' own.
explained(finding) := finding if count(roles) == 0

explained(finding) := lib.related(
	finding,
	roles[0].ref, ["rules"], sprintf("what %s allows", [rbac.role_called(input.resource)]),
) if {
	count(roles) > 0
}

# resources are those by which OLM is told what to install.
resources := {"clusterextensions", "clusterobjectsets", "clustercatalogs"}

# operations are what admission calls the verbs. Patching is an update.
operations := {"create": "CREATE", "update": "UPDATE", "patch": "UPDATE"}

roles := rbac.roles(input.resource)

# opened are the resources and operations that the role opens.
opened contains [resource, operation] if {
	some rule in rbac.granted(input.resource)
	rbac.has(rule.apiGroups, {olm.group})
	some resource in resources
	rbac.has(rule.resources, {resource})
	some verb, operation in operations
	rbac.has(rule.verbs, {verb})
	allows(rule, verb)
}

# A rule that is limited to names opens what exists. An object that is to be created has no name yet when RBAC looks.
allows(rule, _) if count(rule.resourceNames) == 0

allows(rule, verb) if {
	count(rule.resourceNames) > 0
	verb != "create"
}

# closed are the resources and operations that a denying policy looks at. Policies are often applied apart from what they
# limit, so all of the repository counts.
closed contains [resource, operation] if {
	some entry in salint.anywhere({"group": admission, "kind": "ValidatingAdmissionPolicy"})
	policy := entry.resource
	count(policy.spec.validations) > 0
	policy.metadata.name in denied
	some rule in policy.spec.matchConstraints.resourceRules
	rbac.has(rule.apiGroups, {olm.group})
	some resource in resources
	rbac.has(rule.resources, {resource, "*/*"})
	some operation in {"CREATE", "UPDATE"}
	rbac.has(rule.operations, {operation})
}

denied contains binding.resource.spec.policyName if {
	some binding in salint.anywhere({"group": admission, "kind": "ValidatingAdmissionPolicyBinding"})
	"Deny" in binding.resource.spec.validationActions
}

admission := "admissionregistration.k8s.io"

writers := [subject |
	some subject in rbac.subjects(input.resource)
	not administrator(subject)
]

administrator(subject) if {
	subject.kind == "Group"
	subject.name in rbac.admin_groups
}

# OLM's own accounts, by the names that its manifests give them. Their namespace depends on the distribution.
administrator(subject) if {
	subject.kind == "ServiceAccount"
	subject.name in {
		"operator-controller-controller-manager",
		"catalogd-controller-manager",
		"cluster-olm-operator",
	}
}

administrator(subject) if {
	some binding in salint.bindings_of({
		"kind": subject.kind,
		"namespace": subject.namespace,
		"name": subject.name,
	})
	binding.kind == "ClusterRoleBinding"
	rbac.grants_everything(binding.role.name, binding.role_ref)
}

message(open) := sprintf(
	"%s lets %s %s. %s. Leave that to administrators, or limit it with a ValidatingAdmissionPolicy and a denying binding.",
	[
		lib.sentence(lib.called(input.resource)),
		lib.listed([rbac.subject_called(subject) | some subject in writers]),
		access_to(open),
		consequence,
	],
)

# access_to says what is open, resources with the same verbs together.
access_to(open) := lib.listed([text |
	some verbs in sort({verbs_on(open, resource) | some [resource, _] in open})
	same := sort({resource | some [resource, _] in open; verbs_on(open, resource) == verbs})
	text := sprintf("%s %s", [verbs, lib.listed(same)])
])

verbs_on(open, resource) := concat(" and ", sort({lower(operation) |
	some [opened_resource, operation] in open
	opened_resource == resource
}))

consequence := "OLM installs every extension as its own cluster-admin account, so that is cluster-admin in effect" if {
	not lib.identities_count
}

consequence := concat(" ", [
	"Whoever may do that chooses what OLM installs, and as which account, in any namespace:",
	"one that is cluster-admin will do",
]) if {
	lib.identities_count
}
