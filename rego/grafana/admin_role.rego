# METADATA
# title: A Grafana service account has the role Admin
# description: |
#   The token of an account with the role `Admin` changes everything in its organization of Grafana: users, teams, data
#   sources with their credentials, and further service accounts. It lies in a Secret, where whoever reads Secrets of the
#   namespace finds it. `Viewer` is enough to query, `Editor` to write dashboards and alerts.
#
#   grafana-operator itself takes any role from whoever may create the resource; see `grafana/create-access`.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: note
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.admin_role

import data.salint.lib

report contains finding if {
	input.resource.spec.role == "Admin"
	finding := lib.finding(["spec", "role"], sprintf(
		concat(" ", [
			"%s has the role Admin: whoever reads its token changes users, data sources and further service accounts of Grafana.",
			"Use Viewer or Editor where that is enough.",
		]),
		[lib.sentence(lib.called(input.resource))],
	))
}
