# METADATA
# title: A role is granted to the default account of a namespace
# description: |
#   Every pod that names no account runs as `default`, and by default gets a token of it. What is bound to `default`
#   is what every such pod of the namespace may do: those that somebody will deploy next year, and one that somebody
#   breaks into, included. Give the program that needs the role an account of its own, and bind that.
#
#   The groups of all accounts, and those of everybody, hold that account with all others. A role for them may be meant,
#   as for pulling images; `cluster-admin` never is for whoever comes along.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/
#     description: Good practices for RBAC
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [default, "system:serviceaccounts", "system:authenticated", "system:unauthenticated"]
#   fix: none
package salint.rules.pod.default_account_bound

import data.salint.lib
import data.salint.lib.rbac

report contains finding if {
	some subject in rbac.subjects(input.resource)
	namespace := namespace_of_default(subject)
	finding := lib.finding(["subjects", subject.index, "name"], message(namespace))
}

report contains finding if {
	input.resource.roleRef.kind == "ClusterRole"
	input.resource.roleRef.name == "cluster-admin"
	some subject in rbac.subjects(input.resource)
	subject.kind == "Group"
	finding := lib.finding(["subjects", subject.index, "name"], sprintf(
		"%s grants ClusterRole cluster-admin to Group %s: %s. Bind the account of the program that needs it, and no more than it needs.",
		[lib.sentence(lib.called(input.resource)), subject.name, members(subject.name)],
	))
}

# members says who is in a group that holds accounts of which nobody knows.
members("system:serviceaccounts") := "every account of the cluster, those that pods get which name none included"

members("system:authenticated") := "everybody who can log in, every account of the cluster included"

members("system:unauthenticated") := "everybody who can reach the API server, without logging in"

members(group) := sprintf("every account of namespace %s, the one of pods that name none included", [namespace]) if {
	namespace := trim_prefix(group, "system:serviceaccounts:")
	not namespace in {"", group}
}

# namespace_of_default is the namespace whose default account a subject is; "" where it is not known.
namespace_of_default(subject) := subject.namespace if {
	subject.kind == "ServiceAccount"
	subject.name == "default"
	subject.namespace != ""
}

namespace_of_default(subject) := lib.namespace(input.resource) if {
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
		"%s grants %s to the account `default` of %s, as which every pod runs there that names no account.",
		"Create an account for the program that needs the role, and bind that one.",
	]),
	[lib.sentence(lib.called(input.resource)), rbac.role_called(input.resource), where(namespace)],
)

where(namespace) := sprintf("namespace %s", [namespace]) if {
	not namespace in {"", "{{ }}"}
} else := "its namespace"
