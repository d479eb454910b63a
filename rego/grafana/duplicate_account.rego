# METADATA
# title: Two resources are for one service account of one Grafana
# description: |
#   In Grafana a service account has the name `spec.name`, else that of the resource. Of two resources for one name in one
#   Grafana, the second one cannot create its account, for grafana-operator adopts none that is there, and fails for good.
#   Which of the two is second depends on the order of applying.
#
#   Every party is reported. Put the tokens into one resource, or give the accounts names of their own; a live account cannot
#   be renamed. Copies of one object, such as those for several clusters, are not taken for two.
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

import data.salint.lib
import data.salint.lib.grafana

report contains finding if {
	some key, group in accounts
	count(group) > 1
	some account in group
	rivals := sort({other | some other in candidates(key, account.ref); grafana.rival(account, other)})
	count(rivals) > 0
	found := lib.at(lib.finding(path(account.resource), message(account.resource, rivals, key)), account.ref)
	finding := lib.related(found, rivals[0].ref, [], "the other resource for this account")
}

# accounts are the resources by namespace, Grafana, and the name in it.
accounts[[lib.namespace(account.resource), instance, name]] contains account if {
	some account in salint.find(grafana.account_query)
	instance := grafana.text(account.resource.spec.instanceName)
	name := grafana.account_name(account.resource)
}

# beside are the same by their folder as well.
beside[array.concat(key, [lib.folder(lib.file(account.ref))])] contains account if {
	some key, group in accounts
	some account in group
}

# firsts are the first of each; the keys of the two differ in length.
firsts[key] := grafana.first(group) if some key, group in accounts

firsts[key] := grafana.first(group) if some key, group in beside

candidates(key, ref) := array.concat(
	object.get(firsts, [key], []),
	object.get(firsts, [array.concat(key, [lib.folder(lib.file(ref))])], []),
)

path(account) := ["spec", "name"] if {
	object.get(account.spec, "name", null) != null
} else := ["metadata", "name"]

message(account, rivals, [_, instance, name]) := sprintf(
	concat(" ", [
		"%s is for the account %s of Grafana %s, and so is %s.",
		"The operator adopts no account that is there, so all but one fail: keep one, with the tokens of all.",
	]),
	[lib.called(account), name, instance, lib.listed([lib.called(rival.resource) | some rival in rivals])],
)
