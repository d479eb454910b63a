# Bindings, their subjects, and what the roles behind them amount to.
package salint.lib.rbac

import data.salint.lib

group := "rbac.authorization.k8s.io"

# everything is the rule that cluster-admin has, besides URLs. A role that covers it is cluster-admin in effect.
everything := {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}

# subjects are the subjects of a binding that can be read, each with its index. An account without a namespace in a
# RoleBinding is rejected by the API server; so is one in a ClusterRoleBinding.
subjects(binding) := [subject |
	some i, written in binding.subjects
	is_string(written.kind)
	is_string(written.name)
	subject := {
		"index": i,
		"kind": written.kind,
		"name": written.name,
		"namespace": object.get(written, "namespace", ""),
		"apiGroup": object.get(written, "apiGroup", ""),
	}
]

# subject_called is how messages call a subject.
subject_called(subject) := lib.titled(subject.kind, subject.namespace, subject.name) if subject.kind == "ServiceAccount"

subject_called(subject) := lib.titled(subject.kind, "", subject.name) if subject.kind != "ServiceAccount"

# role_called is how messages call the role of a binding.
role_called(binding) := lib.titled(binding.roleRef.kind, "", binding.roleRef.name)

# roles are the role that input.resource, a binding, refers to; none when the repository does not hold it, several when
# it cannot be said which of them is meant.
roles(binding) := salint.lookup({"group": group, "kind": "ClusterRole", "name": binding.roleRef.name}) if {
	binding.roleRef.kind == "ClusterRole"
}

roles(binding) := salint.lookup({
	"group": group,
	"kind": "Role",
	"name": binding.roleRef.name,
	"namespace": lib.namespace(binding),
}) if {
	binding.roleRef.kind == "Role"
}

# grants_everything tells that a role is cluster-admin by name or in effect. Its rules need not be in the repository
# when it is Kubernetes' own.
grants_everything("cluster-admin", _)

grants_everything(role_name, role_ref) if {
	role_name != "cluster-admin"
	role_ref != ""
	salint.covers(salint.role_rules(role_ref), everything)
}

# is_cluster_admin tells that input.resource, a ClusterRoleBinding, makes its subjects cluster-admin.
is_cluster_admin(binding) if {
	binding.roleRef.kind == "ClusterRole"
	grants_everything(binding.roleRef.name, "")
}

is_cluster_admin(binding) if {
	some role in roles(binding)
	grants_everything(binding.roleRef.name, role.ref)
}

# has tells that a list of a policy rule has one of the values, or the wildcard.
has(list, _) if "*" in list

has(list, values) if {
	some value in list
	value in values
}

# admin_groups are the groups that Kubernetes and OpenShift give to administrators.
admin_groups := {"system:masters", "system:cluster-admins"}

# groups_of_account are the groups that every account of a namespace is in.
groups_of_account(namespace) := {
	"system:authenticated",
	"system:serviceaccounts",
	concat(":", ["system:serviceaccounts", namespace]),
}
