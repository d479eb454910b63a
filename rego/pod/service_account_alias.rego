# METADATA
# title: A pod names its account by the deprecated field
# description: |
#   `serviceAccount` of a pod is the old name of `serviceAccountName`. The API server still takes it, fills in both
#   fields, and looks at `serviceAccountName` alone where they differ. Tools that compare manifests with the cluster,
#   or that rename accounts, often know only the new name: kustomize changes `serviceAccountName` together with the
#   account, and leaves `serviceAccount` as it was.
#
#   Where the two fields contradict each other, `pod/service-account-conflict` says so instead. Fields of the same
#   name in other kinds are something else, and are not meant: [the kinds that embed a pod](workloads.md) are judged,
#   and no others.
#
#   The fix renames the field, or drops it where it is empty or says what `serviceAccountName` says. The pod runs as
#   the same account as before.
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
#     description: Rename the field to `serviceAccountName`, or drop it where it says nothing of its own.
package salint.rules.pod.service_account_alias

import data.salint.lib
import data.salint.lib.pods

report contains finding if {
	some pod in salint.pods(input.resource)
	pod.alias
	not pods.contradicts(pod)
	finding := lib.finding(array.concat(pod.path, ["serviceAccount"]), message(pod))
}

message(pod) := sprintf(
	"%s names its account by serviceAccount, the deprecated name of serviceAccountName. %s",
	[pods.called(input.resource), remedy(pod)],
)

remedy(pod) := "It is empty and says nothing: leave it out." if {
	pods.alias(pod) == ""
} else := "Rename the field." if {
	pods.name(pod) == ""
} else := sprintf("Both say %s: keep serviceAccountName alone.", [pod.account]) if {
	pods.alias(pod) == pods.name(pod)
} else := "Which of the two will win is only known when names are filled in: keep serviceAccountName alone."
