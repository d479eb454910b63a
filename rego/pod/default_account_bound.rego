# METADATA
# title: A role is granted to the default account of a namespace
# description: |
#   Every pod that names no account runs as `default`, and by default gets a token of it. What is bound to `default`
#   is what every such pod of the namespace may do: those that somebody will deploy next year, and one that somebody
#   breaks into, included. Give the program that needs the role an account of its own, and bind that.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/
#     description: Good practices for RBAC
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]
#   words: [default]
#   scope: object
#   fix: none
#   examples:
#     - bad: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: RoleBinding
#         metadata:
#           name: checkout
#           namespace: shop
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: ClusterRole
#           name: edit
#         subjects:
#           - kind: ServiceAccount
#             name: default
#             namespace: shop
#     - good: |
#         apiVersion: rbac.authorization.k8s.io/v1
#         kind: RoleBinding
#         metadata:
#           name: checkout
#           namespace: shop
#         roleRef:
#           apiGroup: rbac.authorization.k8s.io
#           kind: ClusterRole
#           name: edit
#         subjects:
#           - kind: ServiceAccount
#             name: checkout
#             namespace: shop
package salint.rules.pod.default_account_bound

import data.salint.lib
import data.salint.lib.rbac

report contains finding if {
	some subject in rbac.subjects(input.resource)
	namespace := namespace_of_default(subject)
	finding := lib.finding(["subjects", subject.index, "name"], message(namespace))
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

where(namespace) := sprintf("namespace %s", [namespace]) if not namespace in {"", "{{ }}"}

where(namespace) := "its namespace" if namespace in {"", "{{ }}"}
