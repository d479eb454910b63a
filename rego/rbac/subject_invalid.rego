# METADATA
# title: The API server rejects a binding
# description: |
#   * A ServiceAccount in a ClusterRoleBinding needs a namespace. In a RoleBinding the API server uses the namespace of
#     the binding.
#   * The `apiGroup` of a User or Group is `rbac.authorization.k8s.io`, that of a ServiceAccount is empty. A missing one
#     is valid: the API server sets it.
#   * A subject has a name, and one of the kinds ServiceAccount, User, and Group, in this spelling. The name of an
#     account is one that an account can have, not its user name.
#   * The `roleRef` names a ClusterRole, or in a RoleBinding a Role, and its `apiGroup` has no version.
#
#   For one such mistake the API server rejects the whole binding, and none of its subjects is granted the role. A
#   binding that is already on the cluster remains unchanged.
#
#   The fix completes all subjects of the binding: the namespace if the repository has one account of the name, and the
#   `apiGroup`. The API server then accepts the binding, which grants its role to all subjects that did not have it
#   before, so the fix needs `--unsafe-fixes`. It is safe if other bindings grant the same to all of them, so that [no
#   subject gains anything](workloads.md#subjects). Other mistakes have no fix, because the intended value is unknown.
#
#   Placeholders (templates, names in capitals or brackets, and `replace-me`) are not checked, nor are fields that a
#   kustomization completes which could not be built.
#
#   `olm/synthetic-subject-mistyped` reports subjects that were meant for synthetic identities.
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
#     description: Complete the subjects of the binding, which activates its grant.
package salint.rules.rbac.subject_invalid

import data.salint.helpers
import data.salint.helpers.olm
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	helpers.name(input.resource) != "" # a binding without a name is a template
	some refusal in salint.refusals(input.resource)
	not of_another_rule(refusal)
	not completed_later(refusal)
	finding := fixable(lib.case(lib.finding(refusal.path, message(refusal.why)), refusal.case))
}

# fixable removes the fix from findings other than those about the namespace or apiGroup of a subject.
fixable(finding) := finding if {
	is_completed(finding.path)
} else := lib.without_fix(finding, "the intended value is unknown: correct it manually")

# is_completed reports whether the fix completes the field: the namespace that a subject lacks, or its apiGroup.
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

# completed_later holds for fields that can be set before the binding is applied: by a kustomization that could not be built, or
# by one that sets the namespace, as it must for the account itself.
completed_later(refusal) if {
	not helpers.as_written
	not refusal.path[2] == "apiGroup"
}

completed_later(refusal) if {
	input.unit.kind != "plain"
	count(refusal.path) == 2
	is_completed(refusal.path)
	some account in salint.find({"kind": "ServiceAccount", "group": "", "name": input.resource.subjects[refusal.path[1]].name})
	helpers.namespace(account.resource) == ""
}

# of_another_rule holds for subjects that are meant for synthetic identities, on targets with such identities.
of_another_rule(refusal) if {
	helpers.identities_count
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

message(why) := sprintf(
	"%s is invalid: %s. The API server rejects it%s. Correct the binding.",
	[helpers.sentence(helpers.called(input.resource)), why, loss],
)

# loss is what the binding does not grant; "" if it names no role.
loss := sprintf(", so %s is not granted", [rbac.role_called(input.resource)]) if {
	input.resource.roleRef.kind in {"ClusterRole", "Role"}
	is_string(input.resource.roleRef.name)
	input.resource.roleRef.name != ""
} else := ""
