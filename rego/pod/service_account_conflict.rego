# METADATA
# title: A pod names two different accounts
# description: |
#   `serviceAccount` is the deprecated name of `serviceAccountName`. Where both are set and differ, the API server
#   takes `serviceAccountName` and overwrites the other: the pod never runs as the account that `serviceAccount`
#   names. Whoever reads the manifest may think otherwise, and so does whoever decides by it which account may be
#   deleted, or which permissions the pod has.
#
#   The fix drops `serviceAccount`, and changes nothing on the cluster. Whether the account that wins is the one that
#   was meant, only the author can tell, so it needs `--unsafe-fixes`.
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
#     description: Drop `serviceAccount`, which never won.
package salint.rules.pod.service_account_conflict

import data.salint.lib
import data.salint.lib.pods

report contains finding if {
	some pod in salint.pods(input.resource)
	pods.contradicts(pod)
	finding := lib.finding(array.concat(pod.path, ["serviceAccount"]), message(pod))
}

message(pod) := sprintf(
	"%s runs as %s, for serviceAccountName wins over the deprecated serviceAccount, which says %s. Keep the one that is meant, as serviceAccountName.",
	[pods.called(input.resource), pods.name(pod), pods.alias(pod)],
)
