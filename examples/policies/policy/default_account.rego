# METADATA
# title: Pod with the default account
# description: Every pod of the namespace that names no account has the permissions of this one.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#default-account
# custom:
#   severity: warning
#   kinds: [workloads]
#   fix: none
package salint.rules.bakery.default_account

import data.salint.lib

report contains finding if {
	some pod in salint.pods(input.resource)
	pod.account == "default"
	message := "The pod runs as the account default. Create an account for it, and set serviceAccountName."
	finding := lib.finding(pod.account_path, message)
}
