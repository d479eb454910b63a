# METADATA
# title: A Grafana token expires within 30 days
# description: |
#   Grafana rejects a token after its date, and grafana-operator does not extend it. After a change of `expires` the
#   operator deletes the token, creates a new one under the same name, and writes it into the Secret. The old token is
#   invalid from that moment. Restart every program that read it once and kept it, such as a pod with the Secret in its
#   environment. Plan this change before the date.
#
#   The date is compared with the time of the run, or with that of `--now`. Accounts with `isDisabled` are not checked.
#   With `suspend` the token expires as well, and a new date takes effect after `suspend` is removed.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: warning
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix:
#     name: set-token-expiry
#     kind: unsafe
#     description: Set `expires` to the time of the run plus `grafana.tokenLifetime` of the configuration (90 days by default).
package salint.rules.grafana.token_expiring

import data.salint.helpers.grafana
import data.salint.helpers.grafana.token_expiry
import data.salint.lib

report contains finding if {
	not grafana.disabled(input.resource)
	some entry in grafana.expiring(input.resource)
	entry.left > 0
	entry.left <= 30 * grafana.day
	finding := lib.finding(["spec", "tokens", entry.index, "expires"], message(entry))
}

message(entry) := sprintf(
	"%s expires at %s, in %s. Grafana then rejects it, and the operator does not extend it. Set a later date: %s.",
	[
		token_expiry.called(entry), entry.token.expires,
		grafana.in_days(entry.left), token_expiry.renewed,
	],
)
