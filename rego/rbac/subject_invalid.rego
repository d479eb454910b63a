# METADATA
# title: The API server refuses a binding
# description: |
#   * A ServiceAccount in a ClusterRoleBinding needs a namespace. In a RoleBinding the API server takes the binding's
#     own.
#   * The `apiGroup` of a User or Group is `rbac.authorization.k8s.io`, that of a ServiceAccount is empty. A missing
#     one is right: it is filled in.
#   * A subject has a name, and one of the kinds ServiceAccount, User and Group, spelt like that. The name of an account
#     is one that an account can have, not its user name.
#   * The `roleRef` names a ClusterRole, or in a RoleBinding a Role, and its `apiGroup` has no version.
#
#   For one such mistake the whole binding is refused, and nobody whom it names is granted anything. A binding that is
#   on the cluster already, from before the mistake, stays as it was.
#
#   The fix completes all subjects of the binding: the namespace where the repository has one account of the name, and
#   the `apiGroup`. The binding is taken from then on, and grants its role to everybody in it who did not have it
#   before, so the fix needs `--unsafe-fixes`. It is safe where all of them are granted the same by other bindings, so
#   that [nobody gains anything](workloads.md#subjects). Other mistakes have no fix: what was meant is not known.
#
#   What is filled in before it is applied, or looks like it (names in capitals, in brackets, `replace-me`), is not
#   judged. Nor is what a kustomization completes that could not be built.
#
#   Subjects that were meant for synthetic identities are reported by `olm/synthetic-subject-mistyped`.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
#     description: Subjects of bindings
# custom:
#   severity: error
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   reads: [ServiceAccount]
#   skip_unless: [binding-invalid]
#   fix:
#     name: complete-subject
#     kind: unsafe
#     description: Complete the subjects of the binding, which wakes its grant; safe where nobody gains by that.
package salint.rules.rbac.subject_invalid

import data.salint.lib
import data.salint.lib.olm
import data.salint.lib.rbac

report contains finding if {
	lib.name(input.resource) != "" # one without a name is filled in before it is applied
	some refusal in salint.refusals(input.resource)
	not of_another_rule(refusal)
	not completed_later(refusal)
	finding := fixable(lib.finding(refusal.path, message(refusal.why)))
}

# fixable leaves the fix to namespaces and groups of subjects, which it completes.
fixable(finding) := finding if {
	is_completed(finding.path)
} else := lib.without_fix(finding, "what was meant is not known: correct it by hand")

# is_completed tells of a subject that lacks a namespace, or of its apiGroup.
is_completed(path) if {
	path[0] == "subjects"
	count(path) == 2
	input.resource.subjects[path[1]].kind == "ServiceAccount"
	is_string(input.resource.subjects[path[1]].name)
}

is_completed(path) if {
	path[0] == "subjects"
	path[2] == "apiGroup"
}

# completed_later tells of what whoever applies the binding may change: a kustomization that could not be built, or one that
# adds the namespace, as it must do for the account itself.
completed_later(refusal) if {
	not lib.as_written
	not refusal.path[2] == "apiGroup"
}

completed_later(refusal) if {
	input.unit.kind != "plain"
	count(refusal.path) == 2
	is_completed(refusal.path)
	some account in salint.find({"kind": "ServiceAccount", "group": "", "name": input.resource.subjects[refusal.path[1]].name})
	lib.namespace(account.resource) == ""
}

# of_another_rule tells of subjects meant for synthetic identities, where those count.
of_another_rule(refusal) if {
	lib.identities_count
	refusal.path[0] == "subjects"
	subject := input.resource.subjects[refusal.path[1]]
	meant_for_identity({"kind": subject.kind, "name": subject.name})
}

meant_for_identity(subject) if {
	subject.kind in {"User", "Group"}
	is_string(subject.name)
	startswith(subject.name, olm.user_prefix)
}

meant_for_identity(subject) if {
	subject.kind in {"User", "Group"}
	subject.name == olm.identities_group
}

meant_for_identity(subject) if salint.mistyped(subject)

message(why) := sprintf("The API server refuses %s: %s. %s.", [lib.called(input.resource), why, consequence])

consequence := sprintf("Nobody whom it names is granted %s", [rbac.role_called(input.resource)]) if {
	input.resource.roleRef.kind in {"ClusterRole", "Role"}
	is_string(input.resource.roleRef.name)
	input.resource.roleRef.name != ""
} else := "Nobody whom it names is granted anything"
