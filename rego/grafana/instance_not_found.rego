# METADATA
# title: GrafanaServiceAccount names a Grafana that is not in its namespace
# description: |
#   grafana-operator looks for the Grafana that `spec.instanceName` names in the namespace of the account, and nowhere else.
#   Without it the account is not created, no token either, and a pod that waits for the Secret does not start. The name is
#   immutable: once applied, the account must be deleted and created again.
#
#   A `namePrefix` or `nameSuffix` of a kustomization renames a Grafana, and not the `instanceName` of its accounts, for
#   kustomize does not know that the one refers to the other. Either a patch sets `instanceName`, or the file of a
#   `configurations:` entry says so once for all:
#
#       nameReference:
#         - group: grafana.integreatly.org
#           kind: Grafana
#           fieldSpecs:
#             - {group: grafana.integreatly.org, kind: GrafanaServiceAccount, path: spec/instanceName}
#
#   Judged where the repository holds a Grafana of that name, or another one of that namespace: otherwise it may be defined
#   elsewhere. Where manifests leave the namespace open, those of one kustomization share it, and of plain files nobody knows. A Grafana counts anywhere in the repository, if it is in the same namespace, or one of the two namespaces is
#   only known when it is applied. Names that are filled in later are not judged.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: warning
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   reads: [GrafanaServiceAccount.grafana.integreatly.org, Grafana.grafana.integreatly.org]
#   scope: unit
#   fix: none
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
	others := object.get(there, lib.namespace(account.resource), {})
	about := lib.at(lib.finding(["spec", "instanceName"], message(account.resource, instance, found, others)), account.ref)
	finding := pointing(about, found, others)
}

# namespaces are those of all Grafanas of the repository, by name, each with the refs of the Grafanas in it.
namespaces[name][namespace] contains entry.ref if {
	some entry in salint.anywhere(grafana.instance_query)
	name := lib.name(entry.resource)
	namespace := lib.namespace(entry.resource)
}

# there are the same by namespace and name, as far as the namespace is known.
there[namespace][name] := refs if {
	some name, in_namespaces in namespaces
	some namespace, refs in in_namespaces
	not grafana.open_namespace(namespace)
}

# known tells that the repository says which Grafanas there are: it holds the one, or another one of that namespace.
known(_, found) if count(found) > 0

known(account, {}) if there[lib.namespace(account.resource)]

known(account, {}) if {
	input.unit.kind != "plain"
	some other in array.slice(salint.find(grafana.instance_query), 0, 50)
	grafana.beside(account, other)
}

# nameless are Grafanas that may turn out to have any name.
nameless contains name if {
	some name, _ in namespaces
	lib.templated(name)
}

message(account, instance, found, others) := sprintf(
	"There is no Grafana %s in the namespace of %s%s.%s The operator looks nowhere else, and creates neither the account nor its tokens.",
	[instance, lib.called(account), elsewhere(found), here(instance, sort(object.keys(others)))],
)

elsewhere(found) := "" if {
	count(found) == 0
} else := sprintf(", but one in %s", [lib.listed(sort({sprintf("namespace %s", [namespace]) |
	some namespace, _ in found
}))])

# here says which Grafanas the namespace has, and whether a kustomization may have renamed one.
here(instance, names) := "" if {
	count(names) == 0
} else := sprintf(
	" In that namespace there is Grafana %s: kustomize renames a Grafana and not the instanceName that refers to it.",
	[lib.listed(names)],
) if {
	renamed(instance, names)
} else := sprintf(" In that namespace there is Grafana %s.", [lib.listed(names)])

renamed(instance, names) if {
	input.unit.kind != "plain"
	some name in names
	contains(name, instance)
}

pointing(finding, found, others) := lib.related(
	finding, first(found), ["metadata", "namespace"],
	"the Grafana of that name is in another namespace",
) if {
	count(found) > 0
} else := lib.related(finding, first(others), ["metadata", "name"], "a Grafana in the namespace") if {
	count(others) > 0
} else := finding

# first is the least ref of all.
first(refs_by_key) := min({ref | some refs in refs_by_key; some ref in refs})
