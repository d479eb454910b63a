# METADATA
# title: A Grafana token expires within 30 days
# description: |
#   From its date on Grafana lets nobody in with the token, and grafana-operator does not extend it. A change of `expires`
#   has the operator delete the token, create a new one under the same name and put it into the Secret. The old one is of no
#   use from then on, and whatever read it once and kept it, such as a pod with the Secret in its environment, must be started
#   again; so it is better done in time than in a hurry.
#
#   Judged at the time of the run, or the one that `--now` names. Accounts with `isDisabled` are left aside. With `suspend` the
#   token expires all the same, and a new date takes effect when `suspend` is gone.
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
#     description: >-
#       Set `expires` to the time of the run and `grafana.tokenLifetime` of the configuration (90 days). The operator deletes
#       the token, creates it again and puts the new one into its Secret: whatever holds the old one must read it anew.
package salint.rules.grafana.token_expiring

import data.salint.lib
import data.salint.lib.grafana

report contains finding if {
	not grafana.disabled(input.resource)
	some entry in grafana.expiring(input.resource)
	entry.left > 0
	entry.left <= 30 * grafana.day
	finding := lib.finding(["spec", "tokens", entry.index, "expires"], message(entry))
}

message(entry) := sprintf(
	concat(" ", [
		"The %s of %s expires at %s, in %s, and the operator does not extend it.",
		"Set a later date while there is time: the operator deletes the token, creates it again and updates its Secret,",
		"and what uses it must read the new one.",
	]),
	[grafana.token_called(entry), lib.called(input.resource), entry.token.expires, grafana.in_days(entry.left)],
)
