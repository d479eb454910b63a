# METADATA
# title: A pod sets the deprecated field serviceAccount
# description: |
#   `serviceAccount` is the former name of `serviceAccountName` of a pod. The API server still accepts it, sets both
#   fields, and uses only `serviceAccountName` if they differ. Tools that compare manifests with the cluster, or that
#   rename accounts, often support only the new name: kustomize changes `serviceAccountName` together with the account,
#   and leaves `serviceAccount` unchanged.
#
#   If the two fields contradict each other, `pod/service-account-conflict` reports it instead. This rule checks only
#   [the kinds that embed a pod](workloads.md): a field of this name in another kind has another meaning.
#
#   The fix renames the field, or removes it if it is empty or equal to `serviceAccountName`. The pod runs as the same
#   account as before.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#PodSpec
#     description: The fields of a pod
# custom:
#   severity: warning
#   kinds: [workloads]
#   words: ["serviceAccount:", "serviceAccount\"", "serviceAccount'", "serviceAccount "]
#   fix:
#     name: rename-account-alias
#     kind: safe
#     description: Rename `serviceAccount` to `serviceAccountName`, or remove it if it is empty or redundant.
package salint.rules.pod.service_account_alias

import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some pod in salint.pods(input.resource)
	pod.alias
	not pods.contradicts(pod)
	problem := problem_of(pod)
	finding := lib.case(lib.finding(array.concat(pod.path, ["serviceAccount"]), message(pod, problem)), problem)
}

message(pod, problem) := sprintf(
	"%s sets serviceAccount, the deprecated name of serviceAccountName. %s",
	[pods.called(input.resource), remedy(pod, problem)],
)

# problem_of is what the two fields are set to.
problem_of(pod) := "empty" if {
	pods.alias(pod) == ""
} else := "alone" if {
	pods.name(pod) == ""
} else := "both" if {
	pods.alias(pod) == pods.name(pod)
} else := "placeholders"

# remedy is the consequence and the remedy of a problem.
remedy(_, "empty") := "The field is empty and has no effect. Remove it."

remedy(_, "alone") := "Tools that rename accounts can leave it unchanged. Rename the field to serviceAccountName."

remedy(pod, "both") := sprintf("Both fields are set to %s. Keep only serviceAccountName.", [pod.account])

remedy(_, "placeholders") := "The account of the pod is unknown until the placeholders are replaced. Keep only serviceAccountName."
