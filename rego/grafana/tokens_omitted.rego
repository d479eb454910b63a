# METADATA
# title: A GrafanaServiceAccount lists no tokens
# description: |
#   `spec.tokens` is the complete list: grafana-operator deletes every token of the account that is not in it. Without
#   the list, the operator deletes all tokens each time it reconciles the account, including those that were created
#   manually in Grafana.
#
#   `tokens: null` is not a list, because the API server drops it. If the account needs no tokens, set `tokens: []`,
#   which this rule does not report. With `suspend` the operator deletes nothing, so such accounts are not checked.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: note
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.tokens_omitted

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.lib

# A patch that could not be built can add tokens.
report contains finding if {
	helpers.as_written
	is_object(input.resource.spec)
	object.get(input.resource.spec, "tokens", null) == null
	not grafana.suspended(input.resource)
	finding := lib.finding(["spec"], sprintf(
		concat(" ", [
			"%s lists no tokens.",
			"The operator deletes every token of the account, including those that were created manually in Grafana.",
			"List the required tokens, or set `tokens: []`.",
		]),
		[helpers.sentence(helpers.called(input.resource))],
	))
}
