# METADATA
# title: GrafanaServiceAccount lists no tokens
# description: |
#   `spec.tokens` is the whole truth: grafana-operator deletes every token of the account that is not in the list. Without
#   the list that is every token there is, those made by hand in Grafana included, each time the account is reconciled.
#
#   `tokens: null` is no list, for the API server drops it. Where no tokens are wanted, `tokens: []` says so, and this note does
#   not come. With `suspend` the operator deletes nothing, and such accounts are left aside.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: note
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.tokens_omitted

import data.salint.lib
import data.salint.lib.grafana

# Where a patch that is not seen may add tokens, they may be there.
report contains finding if {
	lib.as_written
	is_object(input.resource.spec)
	object.get(input.resource.spec, "tokens", null) == null
	not grafana.suspended(input.resource)
	finding := lib.finding(["spec"], sprintf(
		concat(" ", [
			"%s lists no tokens, so the operator deletes every token of the account, also those made by hand in Grafana.",
			"List those that are wanted, or write `tokens: []`.",
		]),
		[lib.sentence(lib.called(input.resource))],
	))
}
