# METADATA
# title: A pod sets two different accounts
# description: |
#   `serviceAccount` is the deprecated name of `serviceAccountName`. If both are set and differ, the API server uses
#   `serviceAccountName` and overwrites the other field: the pod never runs as the account in `serviceAccount`. Anyone
#   who relies on that field is misled, for example when they decide which account can be deleted, or which permissions
#   the pod has.
#
#   The fix removes `serviceAccount`, and changes nothing on the cluster. Only the author knows which account is
#   intended, so the fix needs `--unsafe-fixes`, unless both fields are equal in the file and an overlay made them differ,
#   such as with a name prefix, which kustomize does not add to `serviceAccount`.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#PodSpec
#     description: The fields of a pod
# custom:
#   severity: error
#   kinds: [workloads]
#   words: ["serviceAccount:", "serviceAccount\"", "serviceAccount'", "serviceAccount "]
#   fix:
#     name: drop-account-alias
#     kind: unsafe
#     description: Remove `serviceAccount`, which has no effect.
package salint.rules.pod.service_account_conflict

import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some pod in salint.pods(input.resource)
	pods.contradicts(pod)
	found := lib.case(
		lib.finding(array.concat(pod.path, ["serviceAccount"]), message(pod)),
		[array.concat(pod.path, ["serviceAccountName"])],
	)
	finding := fixed_safely(found, pod)
}

# kustomize renames the account in serviceAccountName, and not in serviceAccount. If both are equal in the file, no other account is meant.
fixed_safely(found, pod) := lib.with_fix(found, "drop-account-alias", "safe", {}) if {
	pod.agrees_in_file
} else := found

message(pod) := sprintf(
	concat(" ", [
		"%s sets serviceAccountName to %s, and the deprecated serviceAccount to %s.",
		"It runs as %s, and serviceAccount has no effect. Keep the intended account, in serviceAccountName.",
	]),
	[pods.called(input.resource), pods.name(pod), pods.alias(pod), pods.name(pod)],
)
