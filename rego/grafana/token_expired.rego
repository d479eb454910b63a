# METADATA
# title: A Grafana token has expired
# description: |
#   Grafana rejects a token after its date. grafana-operator does not extend the lifetime of the token. Only after a
#   change of `expires` does it delete the token, create a new one under the same name, and write it into the Secret.
#   Everything that uses the old token must then read the new one. A past date is worse in a new Grafana: Grafana
#   refuses to create the token, and those after it in the order of their names are not created either.
#
#   The date is compared with the time of the run, or with that of `--now`. Accounts with `isDisabled` are not checked,
#   because Grafana accepts none of their tokens. With `suspend` a new date takes effect after `suspend` is removed.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: error
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix:
#     name: set-token-expiry
#     kind: unsafe
#     description: Set `expires` to the time of the run plus `grafana.tokenLifetime` of the configuration (90 days by default).
package salint.rules.grafana.token_expired

import data.salint.helpers.grafana
import data.salint.helpers.grafana.token_expiry
import data.salint.lib

report contains finding if {
	not grafana.disabled(input.resource)
	some entry in grafana.expiring(input.resource)
	entry.left <= 0
	finding := lib.finding(["spec", "tokens", entry.index, "expires"], message(entry))
}

message(entry) := sprintf(
	"%s expired at %s, %s ago. Grafana rejects it, and the operator does not extend it. Set a later date: %s.",
	[
		token_expiry.called(entry), entry.token.expires,
		grafana.in_days(0 - entry.left), token_expiry.renewed,
	],
)
