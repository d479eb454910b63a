# The subjects that can write GrafanaServiceAccounts in the whole cluster, except administrators.
package salint.helpers.grafana.account_writers

import data.salint.helpers.grafana
import data.salint.helpers.olm
import data.salint.helpers.rbac

# holders are the subjects of cluster-wide bindings, each with its binding, at the first entry that names it, the verbs that this
# allows, and the roles that contain the rules.
holders contains {
	"binding": binding,
	"subject": subject,
	"verbs": [verb | some verb in writing; verb in {writer.verb | some writer in entries}],
	"sources": sort(sources(binding)),
} if {
	some [_, subject], entries in writers_of
	first := min({writer.binding.subject_index | some writer in entries})
	binding := [writer.binding | some writer in entries; writer.binding.subject_index == first][0]
}

# writers_of are the writers by the ref of the binding and the subject. A partial rule groups them in one pass.
writers_of[[writer.binding.ref, writer.subject]] contains writer if some writer in writers

# writer_roles are the refs of the roles whose rules allow writing accounts, by the role into which they are aggregated; "" has the
# refs of all.
writer_roles[aggregate] contains role.ref if {
	some role in salint.find({"group": rbac.group, "kind": "ClusterRole"})
	writes_accounts(role.resource)
	some aggregate in ({""} | {label | some label, value in role.resource.metadata.labels; value == "true"})
}

writes_accounts(role) if {
	some rule in role.rules
	some verb in writing
	salint.covers([rule], {"apiGroups": [grafana.group], "resources": ["grafanaserviceaccounts"], "verbs": [verb]})
}

# sources are the refs of the roles whose rules a binding grants: the role that it binds, and the roles that are aggregated into
# it by their labels.
sources(binding) := ({binding.role_ref} & roles_by_aggregate[""]) | object.get(roles_by_aggregate, sprintf("rbac.authorization.k8s.io/aggregate-to-%s", [binding.role.name]), set())

# roles_by_aggregate is writer_roles as a whole: a reference with a key would search all roles for each key.
roles_by_aggregate := object.union({"": set()}, writer_roles)

writing := ["create", "update", "patch"]

writers := [{"verb": verb, "binding": holder.binding, "subject": holder.subject} |
	some verb in writing
	some holder in salint.who_can({"verb": verb, "group": grafana.group, "resource": "grafanaserviceaccounts"}).holders
	holder.binding.scope == ""
	not administrator(holder.subject)
]

administrator(subject) if {
	subject.kind == "Group"
	subject.name in rbac.admin_groups
}

administrator(subject) if {
	subject.kind == "ServiceAccount"
	subject.namespace == "kube-system"
}

# The account of grafana-operator, by its name in the manifests and the chart of grafana-operator.
administrator(subject) if {
	subject.kind == "ServiceAccount"
	contains(subject.name, "grafana-operator")
}

# The same account, by a permission that only the operator has.
administrator(subject) if {
	subject.kind == "ServiceAccount"
	some binding in salint.bindings_of({"kind": subject.kind, "namespace": subject.namespace, "name": subject.name})
	some rule in salint.granted_rules(binding.ref).rules
	grafana.group in rule.apiGroups
	some resource in rule.resources
	endswith(resource, "/status")
	some verb in rule.verbs
	verb in {"update", "patch"}
}

# Installers of operators must hold the permissions that they grant to them.
administrator(subject) if {
	subject.kind != "ServiceAccount"
	startswith(subject.name, "olm:")
}

administrator(subject) if {
	subject.kind == "ServiceAccount"
	some entry in salint.find(object.union(olm.extension_query, {"account": subject.name}))
	extension := salint.extension(entry.resource)
	extension.account.name == subject.name
	grafana.may_be_namespace(extension.namespace, subject.namespace)
}

administrator(subject) if {
	count(salint.admin_bindings({"kind": subject.kind, "namespace": subject.namespace, "name": subject.name})) > 0
}
