# METADATA
# title: A Grafana token never expires
# description: |
#   A token without `expires` is valid until it is deleted, so a leaked copy gives access to Grafana permanently. With a
#   date, grafana-operator replaces the token whenever the date changes, so that its renewal is a change in Git.
#
#   The first date of a token replaces it as well: the operator deletes the token, creates it again, and writes it into
#   the Secret. Everything that uses the old token must then read the new one. `expires: null` is not a date, because
#   the API server drops it.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: note
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix:
#     name: set-token-expiry
#     kind: unsafe
#     description: Set `expires` to the time of the run plus `grafana.tokenLifetime` of the configuration (90 days by default).
package salint.rules.grafana.token_never_expires

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.helpers.grafana.token_expiry
import data.salint.lib

# A patch that could not be built can add the date.
report contains finding if {
	helpers.as_written
	some entry in grafana.tokens(input.resource)
	object.get(entry.token, "expires", null) == null
	finding := lib.finding(["spec", "tokens", entry.index], sprintf(
		"%s never expires. A leaked copy is valid until the token is deleted. Set expires: %s.",
		[token_expiry.called(entry), token_expiry.renewed],
	))
}
