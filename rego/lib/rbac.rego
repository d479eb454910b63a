# Bindings, their subjects, and the permissions that their roles grant.
package salint.helpers.rbac

import data.salint.helpers

group := "rbac.authorization.k8s.io"

# everything is the permission of an effective cluster-admin: these verbs on every object. The wildcard has more verbs, but
# these are enough to gain them: anyone who can create pods in any namespace can run them as any account.
everything := {
	"apiGroups": ["*"],
	"resources": ["*"],
	"verbs": ["create", "delete", "get", "list", "patch", "update", "watch"],
}

# role_called returns the name of the role of a binding in messages.
role_called(binding) := helpers.titled(binding.roleRef.kind, "", binding.roleRef.name)

# roles lists the ref of the role that input.resource, a binding, refers to: none if it is not in the repository, several if it is
# unknown which of them is meant. The API server rejects a ClusterRoleBinding to a Role.
roles(binding) := salint.lookup_refs({"group": group, "kind": "ClusterRole", "name": binding.roleRef.name}) if {
	binding.roleRef.kind == "ClusterRole"
}

roles(binding) := salint.lookup_refs({
	"group": group,
	"kind": "Role",
	"name": binding.roleRef.name,
	"namespace": helpers.namespace(binding),
}) if {
	binding.kind == "RoleBinding"
	binding.roleRef.kind == "Role"
}

# granted lists the rules that input.resource, a binding, grants. If it is unknown which role is meant, it lists the
# rules of all.
granted(binding) := [rule |
	some ref in granting(binding)
	some rule in salint.granted_rules(ref).rules
]

# granting lists the binding and its roles.
granting(binding) := {salint.ref(binding)} | {ref | some ref in roles(binding)}

# grants_everything is true if a role is cluster-admin, by name or effectively. The rules of the role named
# cluster-admin need not be in the repository.
grants_everything("cluster-admin", _)

grants_everything(role_name, role_ref) if {
	role_name != "cluster-admin"
	role_ref != ""
	salint.covers(on_everything(role_ref), everything)
}

# on_everything lists the rules of a role, or of the role of a binding, that can allow a verb on everything. No other rule can.
on_everything(ref) := salint.granted_about(ref, "*", ["*"])

# is_cluster_admin is true if input.resource, a ClusterRoleBinding, makes its subjects cluster-admin.
is_cluster_admin(binding) if {
	binding.roleRef.kind == "ClusterRole"
	grants_everything(binding.roleRef.name, "")
}

is_cluster_admin(binding) if {
	some ref in roles(binding)
	grants_everything(binding.roleRef.name, ref)
}

# Roles of the repository can be aggregated to a role that every cluster has, such as view.
is_cluster_admin(binding) if {
	count(roles(binding)) == 0
	grants_everything(binding.roleRef.name, salint.ref(binding))
}

# together_admin lists those of the given bindings that together make their subject effectively cluster-admin, although none
# of them does so alone. It is empty if they do not.
together_admin(bindings) := parts if {
	enough_for_admin(bindings)
	granted := [{"binding": binding, "rules": rules} |
		some binding in bindings
		rules := granted_everywhere(binding)
	]
	every grant in granted { not salint.covers(grant.rules, everything) }
	parts := [grant.binding |
		some grant in granted
		allows_some_verb_on_everything(grant.rules)
	]
} else := []

# enough_for_admin is true if bindings, one or several of them combined, make their subject effectively cluster-admin.
enough_for_admin(bindings) if {
	salint.covers([rule | some binding in bindings; some rule in granted_everywhere(binding)], everything)
}

allows_some_verb_on_everything(rules) if {
	some verb in everything.verbs
	salint.covers(rules, object.union(everything, {"verbs": [verb]}))
}

# granted_everywhere lists those rules of a ClusterRoleBinding whose subjects are certain that can allow a verb on everything.
granted_everywhere(binding) := on_everything(binding.ref) if {
	binding.scope == ""
	not binding.uncertain
	count(binding.ties) == 0
}

# has is true if a list of a policy rule contains one of the values, or the wildcard.
has(list, _) if "*" in list

has(list, values) if {
	some value in list
	value in values
}

# admin_groups lists the groups of administrators of Kubernetes and OpenShift.
admin_groups := {"system:masters", "system:cluster-admins"}

# groups_of_account lists the groups of every account of a namespace.
groups_of_account(namespace) := {
	"system:authenticated",
	"system:serviceaccounts",
	concat(":", ["system:serviceaccounts", namespace]),
}

# groups_around lists the groups that contain all members of a group.
groups_around(name) := array.concat(around_accounts(name), ["system:authenticated"]) if {
	not name in {"system:authenticated", "system:unauthenticated"}
} else := []

default around_accounts(_) := []

around_accounts(name) := ["system:serviceaccounts"] if startswith(name, "system:serviceaccounts:")
