# METADATA
# title: Two resources define one Grafana service account
# description: |
#   The name of a service account in Grafana is `spec.name`, and by default the name of the resource. If two resources
#   have the same name in one Grafana, the second one cannot create its account: grafana-operator does not adopt an
#   existing account, and fails permanently. Which of the two is the second depends on the order in which they are
#   applied.
#
#   Every resource is reported. Put the tokens into one resource, or use different names; an existing account cannot be
#   renamed. Copies of one object, such as those for several clusters, count as one.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: error
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   reads: [GrafanaServiceAccount.grafana.integreatly.org, Grafana.grafana.integreatly.org]
#   scope: unit
#   fix: none
package salint.rules.grafana.duplicate_account

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.lib

report contains finding if {
	some key, group in accounts
	count(group) > 1
	some account in group
	rivals := sort({other | some other in candidates(key, account.ref); grafana.rival(account, other)})
	count(rivals) > 0
	found := lib.at(lib.finding(path(account.resource), message(account.resource, rivals, key)), account.ref)
	finding := lib.related(found, rivals[0].ref, [], "the other resource for this account")
}

# accounts are the resources by namespace, Grafana, and name in Grafana.
accounts[[helpers.namespace(account.resource), instance, name]] contains account if {
	some account in salint.find(grafana.account_query)
	instance := grafana.text(account.resource.spec.instanceName)
	name := grafana.account_name(account.resource)
}

# in_folder are the same, by their folder as well.
in_folder[array.concat(key, [helpers.folder(helpers.file(account.ref))])] contains account if {
	some key, group in accounts
	some account in group
}

# firsts are the first members of each group; the keys of accounts and in_folder differ in length.
firsts[key] := grafana.first(group) if some key, group in accounts

firsts[key] := grafana.first(group) if some key, group in in_folder

candidates(key, ref) := array.concat(
	object.get(firsts, [key], []),
	object.get(firsts, [array.concat(key, [helpers.folder(helpers.file(ref))])], []),
)

path(account) := ["spec", "name"] if {
	object.get(account.spec, "name", null) != null
} else := ["metadata", "name"]

message(account, rivals, [_, instance, name]) := sprintf(
	concat(" ", [
		"%s defines account %s of Grafana %s, as does %s.",
		"Only one of them works. Keep one, with all tokens.",
	]),
	[helpers.called(account), name, instance, helpers.listed([helpers.called(rival.resource) | some rival in rivals])],
)
