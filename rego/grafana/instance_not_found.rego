# METADATA
# title: A GrafanaServiceAccount references a Grafana that is not in its namespace
# description: |
#   grafana-operator looks up the Grafana in `spec.instanceName` in the namespace of the account only. If it is missing,
#   neither the account nor a token is created, and a pod that waits for the Secret does not start. The name is
#   immutable: to correct an applied account, delete it and create it again.
#
#   A `namePrefix` or `nameSuffix` of a kustomization renames a Grafana, but not the `instanceName` of its accounts,
#   because kustomize does not recognize the reference. Set `instanceName` with a patch, or declare the reference once
#   in the file of a `configurations:` entry:
#
#       nameReference:
#         - group: grafana.integreatly.org
#           kind: Grafana
#           fieldSpecs:
#             - {group: grafana.integreatly.org, kind: GrafanaServiceAccount, path: spec/instanceName}
#
#   This rule checks accounts if the repository contains a Grafana of that name, or another one in that namespace.
#   Otherwise the Grafana can be defined in another repository. If manifests set no namespace, objects of one
#   kustomization share it, and it is unknown for plain files. A Grafana anywhere in the repository counts if it is in
#   the same namespace, or if one of the two namespaces is unknown until the objects are applied. Placeholders are not
#   checked.
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

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.lib

report contains finding if {
	helpers.whole
	count(namespaces) > 0
	count(nameless) == 0
	some account in salint.find(grafana.account_query)
	instance := grafana.text(account.resource.spec.instanceName)
	found := object.get(namespaces, instance, {})
	every namespace, _ in found { not grafana.may_be_namespace(namespace, helpers.namespace(account.resource)) }
	known(account, found)
	others := object.get(instances, helpers.namespace(account.resource), {})
	about := lib.at(missing(account.resource, instance, found, others), account.ref)
	finding := pointing(about, found, others)
}

# namespaces are those of all Grafanas of the repository by name, each with the refs of its Grafanas.
namespaces[name][namespace] contains entry.ref if {
	some entry in salint.anywhere(grafana.instance_query)
	name := helpers.name(entry.resource)
	namespace := helpers.namespace(entry.resource)
}

# instances are the same by namespace and name, if the namespace is known.
instances[namespace][name] := refs if {
	some name, in_namespaces in namespaces
	some namespace, refs in in_namespaces
	not grafana.open_namespace(namespace)
}

# known reports whether the repository defines the Grafanas of the account: it contains one of that name, or another one in the
# namespace.
known(_, found) if count(found) > 0

known(account, {}) if instances[helpers.namespace(account.resource)]

known(account, {}) if {
	input.unit.kind != "plain"
	some other in array.slice(salint.find(grafana.instance_query), 0, 50)
	grafana.beside(account, other)
}

# nameless are Grafanas with a placeholder as their name, which can be any name.
nameless contains name if {
	some name, _ in namespaces
	helpers.templated(name)
}

missing(account, instance, found, others) := lib.case(
	lib.finding(["spec", "instanceName"], message(account, instance, found, others)),
	problem_of(instance, sort(object.keys(others))),
)

message(account, instance, found, others) := sprintf(
	concat(" ", [
		"%s references Grafana %s, which is not defined in its namespace%s.",
		"The operator looks only there, and creates no account. %s",
	]),
	[helpers.called(account), instance, hint(found, names), remedy[problem_of(instance, names)]],
) if {
	names := sort(object.keys(others))
}

# hint names the namespaces of Grafanas of that name, and the Grafanas of the namespace.
hint(found, names) := sprintf(" (%s)", [concat("; ", parts)]) if {
	parts := array.concat(
		[sprintf("defined in namespace %s", [helpers.listed(sort(object.keys(found)))]) | count(found) > 0],
		[sprintf("Grafanas there: %s", [helpers.listed(names)]) | count(names) > 0],
	)
	count(parts) > 0
} else := ""

remedy := {
	"renamed": "Patch spec.instanceName: kustomize renames only the Grafana.",
	"missing": "Correct spec.instanceName, or the namespace.",
}

problem_of(instance, names) := "renamed" if {
	renamed(instance, names)
} else := "missing"

# renamed reports whether the kustomization that applies the account can have renamed the Grafana, which it applies as well.
renamed(instance, names) if {
	input.unit.kind != "plain"
	some name in names
	contains(name, instance)
	count(salint.find(object.union(grafana.instance_query, {"name": name}))) > 0
}

pointing(finding, found, others) := lib.related(
	finding, first(found), ["metadata", "namespace"],
	"a Grafana of this name in another namespace",
) if {
	count(found) > 0
} else := lib.related(finding, first(others), ["metadata", "name"], "a Grafana in the namespace") if {
	count(others) > 0
} else := finding

# first is the first of all refs in their order.
first(refs_by_key) := min({ref | some refs in refs_by_key; some ref in refs})
