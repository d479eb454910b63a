# METADATA
# title: GrafanaServiceAccount names a Grafana that is not in its namespace
# description: |
#   grafana-operator looks for the Grafana that `spec.instanceName` names in the namespace of the account, and nowhere else.
#   Without it the account is not created, no token either, and a pod that waits for the Secret does not start. The name is
#   immutable: once applied, the account must be deleted and created again.
#
#   Judged where the repository holds a Grafana of that name, or another one of that namespace: otherwise it may be defined
#   elsewhere. A Grafana counts anywhere in the repository, if it is in the same namespace, or one of the two namespaces is
#   only known when it is applied. Names that are filled in later are not judged.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: warning
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   context: [GrafanaServiceAccount.grafana.integreatly.org, Grafana.grafana.integreatly.org]
#   scope: unit
#   fix: none
#   examples:
#     - bad: |
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: Grafana
#         metadata:
#           name: grafana
#           namespace: grafana
#         spec:
#           config:
#             log:
#               mode: console
#         ---
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: GrafanaServiceAccount
#         metadata:
#           name: exporter
#           namespace: monitoring
#         spec:
#           instanceName: grafana
#           role: Viewer
#           tokens:
#             - name: scrape
#               secretName: grafana-scrape
#               expires: 2026-04-30T00:00:00Z
#     - good: |
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: Grafana
#         metadata:
#           name: grafana
#           namespace: monitoring
#         spec:
#           config:
#             log:
#               mode: console
#         ---
#         apiVersion: grafana.integreatly.org/v1beta1
#         kind: GrafanaServiceAccount
#         metadata:
#           name: exporter
#           namespace: monitoring
#         spec:
#           instanceName: grafana
#           role: Viewer
#           tokens:
#             - name: scrape
#               secretName: grafana-scrape
#               expires: 2026-04-30T00:00:00Z
package salint.rules.grafana.instance_not_found

import data.salint.lib
import data.salint.lib.grafana

report contains finding if {
	lib.as_written
	count(namespaces) > 0
	count(nameless) == 0
	some account in salint.find(grafana.account_query)
	instance := grafana.text(account.resource.spec.instanceName)
	found := object.get(namespaces, instance, {})
	every namespace, _ in found { not grafana.may_be_namespace(namespace, lib.namespace(account.resource)) }
	known(account, found)
	about := lib.at(lib.finding(["spec", "instanceName"], message(account.resource, instance, found)), account.ref)
	finding := pointing(about, found)
}

# namespaces are those of all Grafanas of the repository, by name, each with the refs of the Grafanas in it.
namespaces[name][namespace] contains entry.ref if {
	some entry in salint.anywhere(grafana.instance_query)
	name := lib.name(entry.resource)
	namespace := lib.namespace(entry.resource)
}

# known tells that the repository says which Grafanas there are: it holds the one, or another one of that namespace.
known(_, found) if count(found) > 0

known(account, {}) if lib.namespace(account.resource) in filled

known(account, {}) if {
	some other in array.slice(salint.find(grafana.instance_query), 0, 50)
	grafana.beside(account, other)
}

# filled are the namespaces that are known to have a Grafana.
filled contains namespace if {
	some _, in_namespaces in namespaces
	some namespace, _ in in_namespaces
	not grafana.open_namespace(namespace)
}

# nameless are Grafanas that may turn out to have any name.
nameless contains name if {
	some name, _ in namespaces
	lib.templated(name)
}

message(account, instance, found) := sprintf(
	concat(" ", [
		"There is no Grafana %s in the namespace of %s%s.",
		"The operator looks nowhere else, and creates neither the account nor its tokens.",
	]),
	[instance, lib.called(account), nearby(found)],
)

nearby(found) := "" if count(found) == 0

nearby(found) := sprintf(", but one in %s", [lib.listed(sort({sprintf("namespace %s", [namespace]) |
	some namespace, _ in found
}))]) if {
	count(found) > 0
}

pointing(finding, found) := finding if count(found) == 0

pointing(finding, found) := lib.related(
	finding, min({ref | some refs in found; some ref in refs}), ["metadata", "namespace"],
	"the Grafana of that name is in another namespace",
) if {
	count(found) > 0
}
