# METADATA
# title: A Grafana token has expired
# description: |
#   Grafana lets nobody in with a token whose date has passed. grafana-operator leaves such a token as it is: it does not
#   extend the lifetime, and only a change of `expires` has it delete the token, create a new one under the same name and put
#   that into the Secret. Applied to a new Grafana, a date that has passed is worse: Grafana refuses to create the token, and
#   those after it in the order of their names are not created either.
#
#   Judged at the time of the run, or the one that `--now` names. Accounts with `isDisabled` are left aside, for Grafana
#   lets nobody in as them anyway. With `suspend` a new date takes effect when `suspend` is gone.
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
#     description: >-
#       Set `expires` to the time of the run and `grafana.tokenLifetime` of the configuration (90 days). The operator deletes
#       the token, creates it again and puts the new one into its Secret: whatever holds the old one must read it anew.
package salint.rules.grafana.token_expired

import data.salint.lib
import data.salint.lib.grafana

report contains finding if {
	not grafana.disabled(input.resource)
	some entry in grafana.expiring(input.resource)
	entry.left <= 0
	finding := lib.finding(["spec", "tokens", entry.index, "expires"], message(entry))
}

message(entry) := sprintf(
	concat(" ", [
		"The %s of %s expired at %s, %s ago.",
		"Grafana refuses it, and the operator does not extend it: set a later date.",
		"The operator then deletes the token, creates it again and updates its Secret.",
	]),
	[
		grafana.token_called(entry), lib.called(input.resource), entry.token.expires,
		grafana.in_days(0 - entry.left),
	],
)
