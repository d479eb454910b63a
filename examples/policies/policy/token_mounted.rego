# METADATA
# title: Pod with a token that it does not declare
# description: Anyone who takes over the pod can use the token. The object is checked as kustomize and Helm build it.
# related_resources:
#   - ref: https://bakery.example/handbook/accounts#token-mounted
# custom:
#   severity: warning
#   kinds: [workloads]
#   fix: none
package salint.rules.bakery.token_mounted

import data.salint.lib

label := "bakery.example/uses-api"

report contains finding if {
	not object.get(input.resource, ["metadata", "labels", label], "") == "true"
	some pod in salint.pods(input.resource)
	object.get(pod.spec, "automountServiceAccountToken", true)
	message := "The pod gets a token of its account. Set automountServiceAccountToken: false, or the label %s."
	finding := lib.finding(pod.path, sprintf(message, [label]))
}
