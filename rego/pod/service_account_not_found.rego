# METADATA
# title: A pod runs as an account that does not exist
# description: |
#   The API server refuses a pod whose ServiceAccount does not exist. The Deployment or Job around it is accepted, and
#   waits: its events say that the service account was not found.
#
#   A name that no account can have, such as a user name (`system:serviceaccount:shop:web`), is wrong wherever it is,
#   unless it looks as if it was filled in later.
#
#   Much creates accounts besides manifests, so this is only said where all of the following holds:
#
#   * What is applied together creates other accounts in the namespace of the pod, and that namespace is known: that of
#     a chart's release is so only where an application installs the chart.
#   * No manifest of the repository creates this account, there or in a namespace that is not known.
#   * No operator (a ClusterExtension or Subscription) and no chart (a HelmRelease, a HelmChart, an Application with a
#     chart) that may bring it is installed into the namespace.
#   * It is not called after an object there for which an operator creates accounts, as `traces-collector` is for the
#     OpenTelemetryCollector `traces`. So it is with a TargetAllocator, ArgoCD, Grafana, RayCluster, Kafka,
#     KafkaConnect, KafkaBridge and KafkaMirrorMaker2, too.
#   * The kustomization around it fetches nothing, and all of it could be read.
#
#   The accounts that every namespace has (`default`, and OpenShift's `builder`, `deployer` and `pipeline`) exist, those
#   of namespaces called `kube-…` and `openshift-…` are the cluster's own, and names that are filled in later are not
#   judged. Static pods are not admitted and have no account.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#serviceaccount-admission-controller
#     description: What admission does with the account of a pod
# custom:
#   severity: warning
#   kinds: [workloads]
#   words: [serviceAccount]
#   skip_unless: [pod-account-missing]
#   reads: [opaque_installers, account_creators]
#   reads_all: [ServiceAccount]
#   fix: none
package salint.rules.pod.service_account_not_found

import data.salint.lib
import data.salint.lib.accounts
import data.salint.lib.pods

report contains finding if {
	some pod in salint.pods(input.resource)
	not pod.static
	accounts.missing(pod.account, lib.namespace(input.resource))
	finding := lib.finding(pod.account_path, message(pod))
}

report contains finding if {
	some pod in salint.pods(input.resource)
	not pod.static
	pod.account_path != pod.path
	lib.as_written
	fault := salint.account_fault(pod.account)
	finding := lib.finding(pod.account_path, sprintf(
		"%s can never run: %s. The API server refuses pods whose account does not exist. Correct the name.",
		[pods.called(input.resource), fault],
	))
}

message(pod) := sprintf(
	concat(" ", [
		"%s is to run as %s, which no manifest of the repository creates (the namespace has %s).",
		"The API server refuses pods whose account does not exist. Create the account, or correct the name.",
	]),
	[pods.called(input.resource), accounts.titled(pod.account, namespace), accounts.listed_siblings(namespace)],
) if {
	namespace := lib.namespace(input.resource)
}
