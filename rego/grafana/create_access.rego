# METADATA
# title: Access to the service accounts of Grafana is wider than one Grafana
# description: |
#   Whoever may create or change GrafanaServiceAccounts in a namespace takes any role, `Admin` included, in every Grafana
#   there: grafana-operator asks Kubernetes for permission and nobody else, and acts in Grafana as its administrator. The
#   namespace is the finest border there is. Reported are:
#
#   * ClusterRoleBindings that let somebody who is no administrator create, update or patch GrafanaServiceAccounts, also by an
#     aggregated role such as `edit` and by wildcards: that is every Grafana of the cluster, those to come included. Bind the
#     role by a RoleBinding in the namespaces that it is meant for. Left aside are subjects that are cluster-admin in effect,
#     the groups `system:masters` and `system:cluster-admins`, the account of grafana-operator (by its name, or as an account
#     whose role writes the status of Grafana's resources), those of `kube-system` and of installers of OLM. Wildcards are
#     judged in units that hold something of Grafana, for elsewhere they say nothing about it.
#   * Several Grafanas in one namespace that has GrafanaServiceAccounts: who may create one for the first may for the others.
#     Put each into a namespace of its own. Grafanas whose namespace is only known when they are applied are not judged.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/blob/master/docs/docs/planning/proposals/003-grafanaserviceaccount-crd.md
#     description: Security considerations of the proposal
# custom:
#   severity: warning
#   kinds:
#     - ClusterRole.rbac.authorization.k8s.io
#     - Grafana.grafana.integreatly.org
#     - GrafanaServiceAccount.grafana.integreatly.org
#   words: [grafana.integreatly.org, grafanaserviceaccounts]
#   reads: [ClusterExtension.olm.operatorframework.io, ClusterRoleBinding.rbac.authorization.k8s.io]
#   connected_to:
#     ClusterRole.rbac.authorization.k8s.io: [grafanaserviceaccounts, grafana.integreatly.org, '"*"', "'*'"]
#     Grafana.grafana.integreatly.org: []
#     GrafanaServiceAccount.grafana.integreatly.org: []
#   fix: none
package salint.rules.grafana.create_access

import data.salint.lib
import data.salint.lib.grafana
import data.salint.lib.grafana.account_writers
import data.salint.lib.rbac

# Of all objects that mention Grafana, the first one of the unit stands for the unit.
report contains finding if {
	salint.ref(input.resource) == witness
	some ref, binding in account_writers.opened
	found := lib.at(lib.finding(["roleRef"], message(binding)), ref)
	finding := pointing(found, binding.sources)
}

# pointing shows the first of the roles whose rules do it: what admin and edit may, other roles add to them.
pointing(finding, []) := finding

pointing(finding, sources) := lib.related(finding, sources[0], ["rules"], "the rules that allow it") if count(sources) > 0

report contains finding if {
	input.resource.kind == "Grafana"
	count(neighbours) > 0
	count(accounts) > 0
	finding := lib.related(
		lib.finding(["metadata", "namespace"], shared_message),
		neighbours[0].ref, ["metadata", "namespace"], "another Grafana in the namespace",
	)
}

witness := salint.find(grafana.account_query)[0].ref if {
	count(salint.find(grafana.account_query)) > 0
} else := salint.find(grafana.instance_query)[0].ref if {
	count(salint.find(grafana.instance_query)) > 0
} else := min(roles)

roles := {role.ref |
	some role in salint.find({"group": rbac.group, "kind": "ClusterRole"})
	some rule in role.resource.rules
	mentions_grafana(rule)
}

mentions_grafana(rule) if grafana.group in rule.apiGroups

mentions_grafana(rule) if "grafanaserviceaccounts" in rule.resources

message(binding) := sprintf(
	concat(" ", [
		"ClusterRoleBinding %s lets %s %s GrafanaServiceAccounts in every namespace:",
		"that is any role, Admin included, in every Grafana of the cluster.",
		"Bind %s %s by a RoleBinding in the namespaces that it is meant for.",
	]),
	[binding.name, lib.listed(binding.subjects), lib.listed(binding.verbs), binding.role.kind, binding.role.name],
)

# neighbours are the other Grafanas in the namespace.
neighbours := [other |
	namespace := lib.namespace(input.resource)
	not grafana.open_namespace(namespace)
	here := {"ref": salint.ref(input.resource), "resource": input.resource}
	found := salint.find(object.union(grafana.instance_query, {"namespace": namespace}))
	some other in array.slice(found, 0, 50)
	other.ref != here.ref
	not grafana.same_object(other.resource, input.resource)
	grafana.beside(here, other)
]

accounts := [account |
	some account in salint.find(object.union(
		grafana.account_query,
		{"namespace": lib.namespace(input.resource)},
	))
	lib.namespace(account.resource) == lib.namespace(input.resource)
]

shared_message := sprintf(
	concat(" ", [
		"%s shares its namespace with %s, and so their service accounts: who may create one for the one may for the other.",
		"Put each Grafana into a namespace of its own.",
	]),
	[lib.called(input.resource), lib.listed([lib.called(other.resource) | some other in neighbours])],
)
