# METADATA
# title: A binding grants a role to an account that does not exist
# description: |
#   The API server accepts a binding to a ServiceAccount that does not exist. The account has the role as soon as it is
#   created. Anyone who can create accounts and pods in the namespace can gain the role.
#
#   Only accounts are looked up, including those that are written as a User `system:serviceaccount:<namespace>:<name>`,
#   because users and groups are not objects. An account counts as missing under the conditions of
#   `pod/service-account-not-found`, and the accounts of OLM v1 count as existing. If the deployment unit creates no
#   other account in the namespace, the account can come from another source, and the finding is a note.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects
#     description: Subjects of bindings
# custom:
#   severity: note
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [ServiceAccount, "system:serviceaccount"]
#   skip_unless: [subject-account-missing]
#   reads: [opaque_installers, account_creators]
#   reads_all: [ServiceAccount]
#   fix: none
package salint.rules.rbac.subject_not_found

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.rbac
import data.salint.helpers.rbac.missing
import data.salint.lib

report contains finding if {
	some subject in rbac.subjects(input.resource)
	account := account_of(subject)
	accounts.unseen(account.name, account.namespace)
	about := rbac.by_role(lib.finding(["subjects", subject.index, "name"], message(account)), subject, [])
	finding := graded(about, account)
}

account_of(subject) := {"name": subject.name, "namespace": subject.namespace} if {
	subject.kind == "ServiceAccount"
	subject.namespace != ""
}

account_of(subject) := {"name": subject.name, "namespace": helpers.namespace(input.resource)} if {
	subject.kind == "ServiceAccount"
	subject.namespace == ""
	input.resource.kind == "RoleBinding"
}

account_of(subject) := {"name": parts[3], "namespace": parts[2]} if {
	subject.kind == "User"
	parts := split(subject.name, ":")
	count(parts) == 4
	parts[0] == "system"
	parts[1] == "serviceaccount"
}

graded(finding, account) := lib.with_severity(finding, "warning") if {
	count(accounts.siblings(account.namespace)) > 0
} else := finding

message(account) := sprintf(
	concat(" ", [
		"%s grants %s to %s.",
		"An account created with this name has the role. Create the account, or correct the subject.",
	]),
	[
		helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource),
		missing.account(account.name, account.namespace),
	],
)
