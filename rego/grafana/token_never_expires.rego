# METADATA
# title: A Grafana token never expires
# description: |
#   A token without `expires` is good until somebody deletes it: a copy of it that went astray opens Grafana for ever. With a
#   date, grafana-operator replaces the token whenever the date is changed, which turns its renewal into a change in Git.
#
#   Giving a token its first date replaces it, too: the operator deletes it, creates it again and puts it into the Secret.
#   `expires: null` is no date, for the API server drops it.
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
#     description: >-
#       Set `expires` to the time of the run and `grafana.tokenLifetime` of the configuration (90 days). The operator deletes
#       the token, creates it again and puts the new one into its Secret: whatever holds the old one must read it anew.
package salint.rules.grafana.token_never_expires

import data.salint.lib
import data.salint.lib.grafana

# Where a patch that is not seen may add the date, it may be there.
report contains finding if {
	lib.as_written
	some entry in grafana.tokens(input.resource)
	object.get(entry.token, "expires", null) == null
	finding := lib.finding(["spec", "tokens", entry.index], sprintf(
		"The %s of %s never expires: a copy that went astray is good for ever. Set expires.",
		[grafana.token_called(entry), lib.called(input.resource)],
	))
}
