# METADATA
# title: A Grafana service account has the role Admin
# description: |
#   The token of an account with the role `Admin` can change everything in its organization of Grafana: users, teams,
#   data sources with their credentials, and other service accounts. It is stored in a Secret, so anyone who can read
#   Secrets in the namespace gets it. `Viewer` is sufficient for queries, and `Editor` for writing dashboards and
#   alerts.
#
#   grafana-operator accepts any role from anyone who can create the resource: see `grafana/create-access`.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: note
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.admin_role

import data.salint.helpers
import data.salint.lib

report contains finding if {
	input.resource.spec.role == "Admin"
	finding := lib.finding(["spec", "role"], sprintf(
		concat(" ", [
			"%s has the role Admin.",
			"Anyone who can read its token can change users, data sources, and other service accounts of Grafana.",
			"Set spec.role to Viewer or Editor if that is sufficient.",
		]),
		[helpers.sentence(helpers.called(input.resource))],
	))
}
