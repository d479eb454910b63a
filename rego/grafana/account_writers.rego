# Who may write GrafanaServiceAccounts in the whole cluster, administrators aside.
package salint.lib.grafana.account_writers

import data.salint.lib.grafana
import data.salint.lib.olm
import data.salint.lib.rbac

# opened are the bindings for the whole cluster by their refs, each with what it opens to whom.
opened[ref] := {
	"name": holders[0].binding.name,
	"role": holders[0].binding.role,
	"verbs": [verb | some verb in writing; verb in {holder.verb | some holder in holders}],
	"subjects": sort({rbac.subject_called(holder.subject) | some holder in holders}),
	"sources": sort(gives(holders[0].binding)),
} if {
	some ref in {holder.binding.ref | some holder in writers}
	holders := [holder | some holder in writers; holder.binding.ref == ref]
}

# opening are the roles whose own rules let somebody write accounts, by their refs.
opening[role.ref] := role.resource if {
	some role in salint.find({"group": rbac.group, "kind": "ClusterRole"})
	some rule in role.resource.rules
	some verb in writing
	salint.covers([rule], {"apiGroups": [grafana.group], "resources": ["grafanaserviceaccounts"], "verbs": [verb]})
}

# gives are those of them whose rules a binding grants: it binds the role itself, or one of Kubernetes' own into which the
# role is aggregated by its labels.
gives(binding) := {ref |
	some ref, role in opening
	in_effect(ref, role, binding)
}

in_effect(ref, _, binding) if ref == binding.role_ref

in_effect(_, role, binding) if {
	role.metadata.labels[sprintf("rbac.authorization.k8s.io/aggregate-to-%s", [binding.role.name])] == "true"
}

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

# The account of grafana-operator, by the names that its manifests and its chart give it.
administrator(subject) if {
	subject.kind == "ServiceAccount"
	contains(subject.name, "grafana-operator")
}

# The same by what only the operator does.
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

# Who installs operators must hold what they hold.
administrator(subject) if {
	subject.kind != "ServiceAccount"
	startswith(subject.name, "olm:")
}

administrator(subject) if {
	subject.kind == "ServiceAccount"
	some entry in salint.find(olm.extension_query)
	extension := salint.extension(entry.resource)
	extension.account.name == subject.name
	grafana.may_be_namespace(extension.namespace, subject.namespace)
}

administrator(subject) if {
	some binding in salint.bindings_of({
		"kind": subject.kind,
		"namespace": subject.namespace,
		"name": subject.name,
	})
	binding.kind == "ClusterRoleBinding"
	rbac.grants_everything(binding.role.name, binding.role_ref)
}
