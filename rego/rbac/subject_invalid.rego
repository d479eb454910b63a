# METADATA
# title: The API server refuses a binding for one of its subjects
# description: |
#   * A ServiceAccount in a ClusterRoleBinding needs a namespace. In a RoleBinding the API server takes the binding's
#     own.
#   * The `apiGroup` of a User or Group is `rbac.authorization.k8s.io`, that of a ServiceAccount is empty. A missing
#     one is right: it is filled in.
#
#   For one such subject the whole binding is refused, and nobody whom it names is granted anything. A binding that is
#   on the cluster already, from before the mistake, stays as it was.
#
#   The fix completes all subjects of the binding: the namespace where the repository has one account of the name, and
#   the `apiGroup`. The binding is taken from then on, and grants its role to everybody in it who did not have it
#   before, so the fix needs `--unsafe-fixes`. It is safe where all of them are granted the same by other bindings, so
#   that [nobody gains anything](workloads.md#subjects).
#
#   Subjects that were meant for synthetic identities are reported by `olm/synthetic-subject-mistyped`.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
#     description: Subjects of bindings
# custom:
#   severity: error
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   context: [ServiceAccount]
#   when: [subject-odd]
#   scope: object
#   fix:
#     name: complete-subject
#     kind: unsafe
#     description: Complete the subjects of the binding, which wakes its grant; safe where nobody gains by that.
#   examples:
#     - bad: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRoleBinding
#         metadata:
#           name: metrics
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: ClusterRole
#           name: view
#         subjects:
#           - kind: ServiceAccount
#             name: metrics
#     - good: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: ClusterRoleBinding
#         metadata:
#           name: metrics
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: ClusterRole
#           name: view
#         subjects:
#           - kind: ServiceAccount
#             name: metrics
#             namespace: monitoring
#     - why: The API server fills in what is missing here
#       good: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: RoleBinding
#         metadata:
#           name: metrics
#           namespace: monitoring
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: Role
#           name: metrics
#         subjects:
#           - kind: ServiceAccount
#             name: metrics
#           - kind: User
#             name: jane
package salint.rules.rbac.subject_invalid

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	input.resource.kind == "ClusterRoleBinding"
	some subject in rbac.subjects(input.resource)
	subject.kind == "ServiceAccount"
	subject.namespace in {"", null}
	not filled_in(subject)
	finding := lib.finding(["subjects", subject.index], refused(sprintf(
		"ServiceAccount %s has no namespace, which it needs in a ClusterRoleBinding",
		[subject.name],
	)))
}

report contains finding if {
	some subject in rbac.subjects(input.resource)
	wrong := wrong_group(subject)
	not synthetic(subject)
	finding := lib.finding(["subjects", subject.index, "apiGroup"], refused(wrong))
}

# filled_in tells that whoever applies the binding may add the namespace, as he must do for the account itself.
filled_in(subject) if {
	input.unit.kind != "plain"
	some account in salint.find({"kind": "ServiceAccount", "group": "", "name": subject.name})
	lib.namespace(account.resource) == ""
}

filled_in(_) if not lib.as_written

wrong_group(subject) := sprintf("ServiceAccount %s has the apiGroup %q, and accounts are in the empty one", [subject.name, subject.apiGroup]) if {
	subject.kind == "ServiceAccount"
	is_string(subject.apiGroup)
	subject.apiGroup != ""
	not lib.templated(subject.apiGroup)
}

wrong_group(subject) := sprintf("%s has the apiGroup %q in place of %s", [rbac.subject_called(subject), subject.apiGroup, rbac.group]) if {
	subject.kind in {"User", "Group"}
	is_string(subject.apiGroup)
	not subject.apiGroup in {"", rbac.group}
	not lib.templated(subject.apiGroup)
}

# synthetic subjects are another rule's, where they count.
synthetic(subject) if {
	lib.identities_count
	startswith(subject.name, olm.user_prefix)
}

synthetic(subject) if {
	lib.identities_count
	subject.name == olm.identities_group
}

refused(why) := sprintf("The API server refuses %s: %s. Nobody whom it names is granted %s.", [
	lib.called(input.resource), why, rbac.role_called(input.resource),
])
