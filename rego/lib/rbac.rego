# Bindings, their subjects, and what the roles behind them amount to.
package salint.lib.rbac

import data.salint.lib

group := "rbac.authorization.k8s.io"

# everything is what makes a cluster-admin in effect: all that can be done to every object. The wildcard has these verbs and
# more; without the others the rest can be had, for who may create pods anywhere may run them as any account.
everything := {
	"apiGroups": ["*"],
	"resources": ["*"],
	"verbs": ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
}

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
		"namespace": text_or_later(written, "namespace"),
		"apiGroup": text_or_later(written, "apiGroup"),
	}
]

# text_or_later is a field that is a text, and "" where it is not there. What is no text, as {{ x }} without quotes is
# none, will be one once it is filled in.
text_or_later(written, key) := "" if {
	object.get(written, key, null) == null
} else := written[key] if {
	is_string(written[key])
} else := "{{ }}"

# subject_called is how messages call a subject.
subject_called(subject) := lib.titled(subject.kind, subject.namespace, subject.name) if {
	subject.kind == "ServiceAccount"
} else := lib.titled(subject.kind, "", subject.name)

# role_called is how messages call the role of a binding.
role_called(binding) := lib.titled(binding.roleRef.kind, "", binding.roleRef.name)

# roles are the role that input.resource, a binding, refers to; none when the repository does not hold it, several when
# it cannot be said which of them is meant. A ClusterRoleBinding to a Role is refused by the API server.
roles(binding) := salint.lookup({"group": group, "kind": "ClusterRole", "name": binding.roleRef.name}) if {
	binding.roleRef.kind == "ClusterRole"
}

roles(binding) := salint.lookup({
	"group": group,
	"kind": "Role",
	"name": binding.roleRef.name,
	"namespace": lib.namespace(binding),
}) if {
	binding.kind == "RoleBinding"
	binding.roleRef.kind == "Role"
}

# granted are the rules that input.resource, a binding, grants. Where it cannot be said which role is meant, those of all.
granted(binding) := [rule |
	refs := {salint.ref(binding)} | {role.ref | some role in roles(binding)}
	some ref in refs
	some rule in salint.granted_rules(ref).rules
]

# grants_everything tells that a role is cluster-admin by name or in effect. Its rules need not be in the repository
# when it is Kubernetes' own.
grants_everything("cluster-admin", _)

grants_everything(role_name, role_ref) if {
	role_name != "cluster-admin"
	role_ref != ""
	salint.covers(salint.granted_rules(role_ref).rules, everything)
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

# together_admin are those of the bindings given that make a cluster-admin in effect between them, although none of them
# does alone; none when they do not.
together_admin(bindings) := parts if {
	granted := [{"binding": binding, "rules": rules} |
		some binding in bindings
		rules := granted_everywhere(binding)
	]
	every grant in granted { not salint.covers(grant.rules, everything) }
	parts := [grant.binding |
		some grant in granted
		allows_some_verb_on_everything(grant.rules)
	]
	salint.covers([rule | some grant in granted; some rule in grant.rules], everything)
} else := []

allows_some_verb_on_everything(rules) if {
	some verb in everything.verbs
	salint.covers(rules, object.union(everything, {"verbs": [verb]}))
}

# granted_everywhere are the rules of a ClusterRoleBinding of which it is certain whom it reaches.
granted_everywhere(binding) := salint.granted_rules(binding.ref).rules if {
	binding.scope == ""
	not binding.uncertain
	count(binding.ties) == 0
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
