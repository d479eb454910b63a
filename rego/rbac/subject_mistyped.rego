# METADATA
# title: A subject of a binding looks like an account, but matches none
# description: |
#   The user of an account is `system:serviceaccount:<namespace>:<name>`, in the singular; the group of all accounts of a namespace is
#   `system:serviceaccounts:<namespace>`, and that of all accounts `system:serviceaccounts`, in the plural. Users and groups with other
#   spellings are valid subjects that match no identity: the role is not granted.
#
#   The corrected subject grants the role to identities that do not have it today, so the fix needs `--unsafe-fixes`. A subject of which it is
#   unknown what was meant, such as a user without a namespace, has no fix.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
#     description: Users and groups of accounts
# custom:
#   severity: error
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: ["system:", serviceaccount, ServiceAccounts, service-account, service_account, Serviceaccount, "system:ServiceAccount"]
#   fix:
#     name: correct-account-subject
#     kind: unsafe
#     description: Correct the subject, which grants the role to the account or accounts.
package salint.rules.rbac.subject_mistyped

import data.salint.helpers
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	some subject in rbac.subjects(input.resource)
	meant := salint.mistyped_account({"kind": subject.kind, "name": subject.name})
	about := rbac.by_role(lib.finding(place(subject, meant), message(subject, meant)), subject, [meant.kind])
	finding := corrected(about, meant)
}

# place returns the wrong field: the kind if the name is right, otherwise the name.
place(subject, meant) := ["subjects", subject.index, "kind"] if {
	meant.name == subject.name
	meant.kind != subject.kind
} else := ["subjects", subject.index, "name"]

message(subject, meant) := sprintf(
	"%s grants %s to %s, which matches no identity. The grant has no effect. %s.",
	[
		helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource), rbac.subject_called(subject),
		remedy(meant),
	],
)

remedy(meant) := sprintf("Write %s %s", [meant.kind, meant.name]) if {
	meant.name != ""
} else := "Name the account: system:serviceaccount:<namespace>:<name>"

corrected(finding, meant) := finding if {
	meant.name != ""
} else := lib.without_fix(finding, "it is unknown which account was meant")
