# METADATA
# title: A role is granted to the default account of a namespace
# description: |
#   Every pod that sets no account runs as `default`, and by default gets a token of this account. A role that is bound
#   to `default` is granted to every such pod of the namespace, including pods that are deployed later and pods that an
#   attacker takes over. Create a separate account for the program that needs the role, and bind that account.
#
#   The groups of all accounts, and those of all users, include the `default` accounts as well. This rule reports them
#   for `cluster-admin` only: another role can be intended for such a group, for example to pull images.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/
#     description: Good practices for RBAC
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [default, "system:serviceaccounts", "system:authenticated", "system:unauthenticated"]
#   fix: none
package salint.rules.pod.default_account_bound

import data.salint.helpers
import data.salint.helpers.rbac
import data.salint.lib

report contains finding if {
	some subject in rbac.subjects(input.resource)
	namespace := namespace_of_default(subject)
	finding := rbac.by_role(lib.case(lib.finding(["subjects", subject.index, "name"], message(namespace)), "account"), subject, [])
}

report contains finding if {
	input.resource.roleRef.kind == "ClusterRole"
	input.resource.roleRef.name == "cluster-admin"
	some subject in rbac.subjects(input.resource)
	subject.kind == "Group"
	finding := lib.case(
		lib.finding(["subjects", subject.index, "name"], sprintf(
			"%s grants ClusterRole cluster-admin to Group %s. %s Bind only the account of the program, with only the permissions that it needs.",
			[helpers.sentence(helpers.called(input.resource)), subject.name, members(subject.name)],
		)),
		"group",
	)
}

# members is the sentence about the members of a group that contains service accounts; undefined for other groups.
members("system:serviceaccounts") := "Every account of the cluster has this role, including each `default` account."

members("system:authenticated") := "Everyone who can log in has this role, and so does every account of the cluster."

members("system:unauthenticated") := "Everyone who can reach the API server has this role, without logging in."

members(group) := sprintf("Every account of namespace %s has this role, including `default`.", [namespace]) if {
	namespace := trim_prefix(group, "system:serviceaccounts:")
	not namespace in {"", group}
}

# namespace_of_default is the namespace whose default account a subject is; "" if it is unknown.
namespace_of_default(subject) := subject.namespace if {
	subject.kind == "ServiceAccount"
	subject.name == "default"
	subject.namespace != ""
}

namespace_of_default(subject) := helpers.namespace(input.resource) if {
	subject.kind == "ServiceAccount"
	subject.name == "default"
	subject.namespace == ""
}

namespace_of_default(subject) := parts[2] if {
	subject.kind == "User"
	parts := split(subject.name, ":")
	parts[0] == "system"
	parts[1] == "serviceaccount"
	parts[3] == "default"
	count(parts) == 4
}

message(namespace) := sprintf(
	concat(" ", [
		"%s grants %s to the account `default` of %s. Every pod there that sets no account has this role.",
		"Create a separate account for the program that needs the role, and bind that account.",
	]),
	[helpers.sentence(helpers.called(input.resource)), rbac.role_called(input.resource), where(namespace)],
)

where(namespace) := sprintf("namespace %s", [namespace]) if {
	not namespace in {"", "{{ }}"}
} else := "its namespace"
