# METADATA
# title: A hook or wave runs a pod before its account exists
# description: |
#   Helm and Argo CD apply hooks, waves, and everything else in an order, and wait for each step. The API server rejects a pod whose
#   account does not exist yet. So a hook that runs before the release, or an object of an earlier wave, never becomes ready if its
#   account is created later, and the account is never created: the first installation fails.
#
#   The order is that of `olm/apply-order`: for Argo CD the annotations `argocd.argoproj.io/sync-wave` and
#   `argocd.argoproj.io/hook`, and without them those of Helm; for a release of Helm `helm.sh/hook` and `helm.sh/hook-weight`.
#   If the tool is unknown, the annotations of both count. Hooks of Helm that run only when a release is upgraded find the account, and so
#   does a CronJob, which starts no pod at once. Flux applies accounts first.
#
#   Only accounts of the same deployment unit are compared, and no account `default`, which every namespace has.
# related_resources:
#   - ref: https://helm.sh/docs/topics/charts_hooks/
#     description: Chart hooks of Helm
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/
#     description: Sync phases and waves of Argo CD
# custom:
#   severity: warning
#   kinds: [workloads, ServiceAccount]
#   words: [helm.sh/hook, argocd.argoproj.io/hook, argocd.argoproj.io/sync-wave]
#   reads: [workloads, ServiceAccount]
#   fix: none
package salint.rules.pod.account_created_later

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.lib

report contains finding if {
	some late in salint.late_accounts(input.resource)
	about := lib.at(lib.finding(late.pod.path, message(late)), late.pod.ref)
	finding := lib.related(about, late.account, path(late), late.why)
}

# path is the place in the account that decides when it is created.
path(late) := ["metadata", "annotations", late.annotation] if {
	late.annotation != ""
} else := ["metadata", "name"]

message(late) := sprintf("%s is created before %s, which it runs as. %s. %s.", [
	pods.called(late.pod_resource), helpers.called(late.resource),
	"The API server rejects the pod, so the installation stops at this step",
	"Create the account in the same step or an earlier one",
]) if {
	not late.never
} else := sprintf("%s runs as %s, which is never created. %s. %s.", [
	pods.called(late.pod_resource), helpers.called(late.resource),
	"The API server rejects the pod",
	"Create the account in the same step or an earlier one",
])
