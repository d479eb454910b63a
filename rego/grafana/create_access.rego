# METADATA
# title: Access to Grafana service accounts is not limited to one Grafana
# description: |
#   Anyone who can create or change GrafanaServiceAccounts in a namespace can use any role, including `Admin`, in every
#   Grafana there: grafana-operator relies on the permissions of Kubernetes alone, and acts in Grafana as its
#   administrator. The namespace is the smallest possible scope. This rule reports:
#
#   * Subjects of ClusterRoleBindings that can create, update, or patch GrafanaServiceAccounts without being
#     administrators, also through an aggregated role such as `edit`, and through wildcards: one finding for each. They
#     have access to every Grafana of the cluster, including later ones. Bind the role with a RoleBinding in the namespaces where it is needed. The rule
#     does not report subjects that are effectively cluster-admin, the groups `system:masters` and
#     `system:cluster-admins`, the account of grafana-operator (by its name, or as an account whose role writes the
#     status of Grafana's resources), the accounts of `kube-system`, and those of installers of OLM. Wildcards are
#     checked in units that contain a resource of Grafana, because they are not related to Grafana in other units.
#   * Several Grafanas in one namespace that has GrafanaServiceAccounts. Anyone who can create an account for one of
#     them can create accounts for the others. Put each Grafana into a separate namespace. A Grafana whose namespace is
#     unknown until it is applied is not checked.
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

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.helpers.grafana.account_writers
import data.salint.helpers.rbac
import data.salint.lib

# Of all objects that reference Grafana, the first one of the unit represents the unit.
report contains finding if {
	salint.ref(input.resource) == witness
	some holder in account_writers.holders
	subject := {"kind": holder.subject.kind, "index": holder.binding.subject_index}
	about := lib.at(lib.finding(["subjects", subject.index], message(holder)), holder.binding.ref)
	placed := rbac.by_role(about, subject, holder.verbs)
	finding := pointing(placed, holder.sources)
}

# pointing relates the first of the roles whose rules allow it: other roles add permissions to admin and edit.
pointing(finding, []) := finding

pointing(finding, sources) := lib.related(finding, sources[0], ["rules"], "the rules that allow it") if count(sources) > 0

report contains finding if {
	input.resource.kind == "Grafana"
	count(neighbors) > 0
	count(accounts) > 0
	finding := lib.related(
		lib.finding(["metadata", "namespace"], shared_message),
		neighbors[0].ref, ["metadata", "namespace"], "another Grafana in the namespace",
	)
}

witness := salint.find(grafana.account_query)[0].ref if {
	count(salint.find(grafana.account_query)) > 0
} else := salint.find(grafana.instance_query)[0].ref if {
	count(salint.find(grafana.instance_query)) > 0
} else := min({salint.find(object.union(role_query, {"in_rules": name}))[0].ref |
	some name in {grafana.group, "grafanaserviceaccounts"}
})

role_query := {"group": rbac.group, "kind": "ClusterRole"}

message(holder) := sprintf(
	concat(" ", [
		"ClusterRoleBinding %s allows %s to %s GrafanaServiceAccounts in every namespace, and to gain any role in every Grafana.",
		"Bind %s %s with a RoleBinding in the namespaces where it is needed.",
	]),
	[
		holder.binding.name, rbac.subject_called(holder.subject), helpers.listed(holder.verbs),
		holder.binding.role.kind, holder.binding.role.name,
	],
)

# neighbors are the other Grafanas in the namespace.
neighbors := [other |
	namespace := helpers.namespace(input.resource)
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
		{"namespace": helpers.namespace(input.resource)},
	))
	helpers.namespace(account.resource) == helpers.namespace(input.resource)
]

shared_message := sprintf(
	concat(" ", [
		"%s shares its namespace with %s.",
		"Anyone who can create service accounts for one Grafana there can create them for all.",
		"Put each Grafana into a separate namespace.",
	]),
	[helpers.called(input.resource), helpers.listed([helpers.called(other.resource) | some other in neighbors])],
)
