# METADATA
# title: The API server rejects a field about accounts
# description: |
#   `automountServiceAccountToken` is a boolean: the API server rejects a pod, a workload, or an account in which it is a string such as `"false"`, or a
#   number. `serviceAccountName` is a string. The name of an account has lowercase letters, digits, dashes, and dots, 253 characters at most. Values with a template, and
#   placeholders, are not checked.
#
#   `pod/service-account-not-found` reports names that no account can have, and `token/projection-invalid` projected tokens.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
#     description: The fields of a pod
# custom:
#   severity: error
#   kinds: [workloads, ServiceAccount]
#   words: [automountServiceAccountToken, 'AccountName: 0', 'AccountName: 1', 'AccountName: 2', 'AccountName: 3', 'AccountName: 4', 'AccountName: 5', 'AccountName: 6', 'AccountName: 7', 'AccountName: 8', 'AccountName: 9']
#   fix: none
package salint.rules.pod.invalid_field

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some holder in holders
	value := holder.fields.automountServiceAccountToken
	not is_boolean(value)
	not is_null(value)
	not filled_in(value)
	finding := lib.case(
		lib.finding(array.concat(holder.path, ["automountServiceAccountToken"]), sprintf(
			"%s sets automountServiceAccountToken to %s, which is not a boolean, so the API server rejects it. Write %s.",
			[holder.called, shown(value), meant(value)],
		)),
		"automount",
	)
}

report contains finding if {
	some pod in salint.pods(input.resource)
	some field in ["serviceAccountName", "serviceAccount"]
	value := pod.spec[field]
	not is_string(value)
	not is_null(value)
	not is_object(value) # a template without quotes
	finding := lib.case(
		lib.finding(array.concat(pod.path, [field]), sprintf(
			"%s sets %s to %s, which is not a string, so the API server rejects it. Write the name of an account, in quotes.",
			[pods.called(input.resource), field, shown(value)],
		)),
		field,
	)
}

holders contains {"fields": pod.spec, "path": pod.path, "called": pods.called(input.resource)} if {
	some pod in salint.pods(input.resource)
}

holders contains {"fields": input.resource, "path": [], "called": helpers.called(input.resource)} if {
	input.resource.kind == "ServiceAccount"
}

filled_in(value) if {
	is_string(value)
	helpers.templated(value)
}

filled_in(value) if is_object(value)

shown(value) := json.marshal(value)

meant(value) := lower(value) if {
	is_string(value)
	lower(value) in {"true", "false"}
} else := "true or false, without quotes"
