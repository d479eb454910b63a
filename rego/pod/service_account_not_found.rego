# METADATA
# title: A pod runs as an account that does not exist
# description: |
#   The API server rejects a pod whose ServiceAccount does not exist. It accepts the Deployment or Job around the pod,
#   which then waits: its events report that the service account was not found.
#
#   A name that no account can have, such as a user name (`system:serviceaccount:shop:web`), is reported in every
#   namespace, unless it looks like a placeholder.
#
#   Other objects name the account as which a controller installs or runs something for them: an OperatorGroup of OLM, a
#   PackageInstall of kapp-controller, an EventListener and a TaskRun of Tekton. The controller does nothing until the account exists.
#
#   Manifests are only one of many sources of accounts. So a missing account is reported only if all of these conditions
#   hold:
#
#   * The deployment unit creates other accounts in the namespace of the pod. If neither the pod nor these accounts have a
#     namespace, as in a chart that no application installs, they get the same one. Plain files count as applied
#     together if they are in one folder.
#   * No manifest of the repository creates this account, in this namespace or in an unknown one. If the namespace of the
#     pod is unknown, an account of that name in any namespace counts, and so does an operator or chart in any.
#   * No operator (a ClusterExtension or Subscription) and no chart (a HelmRelease, a HelmChart, or an Application with
#     a chart) that can create it is installed into the namespace. What a Subscription installs as the account of its
#     OperatorGroup cannot create this account.
#   * It is not named after an object of the namespace for which an operator creates accounts, as `traces-collector` is
#     for the OpenTelemetryCollector `traces`. This also applies to TargetAllocator, ArgoCD, Grafana, RayCluster, Keycloak, MonitoringStack, and the
#     kinds of Kafka. TektonConfig, CertManager, KnativeServing, KnativeEventing, and ThanosQuerier create accounts of fixed names.
#   * The kustomization has no remote sources, and all of it could be read.
#
#   The accounts that every namespace has (`default`, and `builder`, `deployer`, and `pipeline` on OpenShift) count as
#   existing, also on other clusters, because the kind of cluster is rarely known. Accounts of namespaces called `kube-…` and `openshift-…`, which belong to the cluster, and placeholders
#   are not checked. Static pods are not admitted and have no account.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#serviceaccount-admission-controller
#     description: What admission does with the account of a pod
# custom:
#   severity: warning
#   kinds:
#     - workloads
#     - OperatorGroup.operators.coreos.com
#     - PackageInstall.packaging.carvel.dev
#     - EventListener.triggers.tekton.dev
#     - TaskRun.tekton.dev
#   words: [serviceAccount]
#   skip_unless: [pod-account-missing]
#   reads: [opaque_installers, account_creators]
#   reads_all: [ServiceAccount]
#   fix: none
package salint.rules.pod.service_account_not_found

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.pods
import data.salint.helpers.rbac.missing
import data.salint.lib

report contains finding if {
	some pod in salint.pods(input.resource)
	not pod.static
	accounts.missing(pod.account, helpers.namespace(input.resource))
	finding := lib.case(lib.finding(pod.account_path, message(pod)), "missing")
}

report contains finding if {
	some pod in salint.pods(input.resource)
	not pod.static
	pod.account_path != pod.path
	helpers.as_written
	fault := salint.account_fault(pod.account)
	finding := lib.with_severity(
		lib.case(
			lib.finding(pod.account_path, sprintf(
				"%s uses an invalid account name: %s. The API server rejects the pod. Correct the name.",
				[pods.called(input.resource), fault],
			)),
			"invalid",
		),
		"error",
	)
}

# The account that another object names for its controller.
report contains finding if {
	count(salint.pods(input.resource)) == 0
	name := input.resource.spec.serviceAccountName
	is_string(name)
	namespace := helpers.namespace(input.resource)
	not_there(name, namespace)
	finding := lib.case(lib.finding(["spec", "serviceAccountName"], named_message(name, namespace)), "missing")
}

not_there(name, namespace) if {
	input.resource.kind != "OperatorGroup"
	accounts.missing(name, namespace)
}

not_there(name, namespace) if {
	input.resource.kind == "OperatorGroup"
	accounts.missing_for_operators(name, namespace)
}

named_message(name, namespace) := sprintf("%s names %s. %s. Create the account, or correct the name.", [
	helpers.sentence(helpers.called(input.resource)), missing.account(name, namespace), consequence,
])

consequence := "OLM installs no operator in its namespaces until the account exists" if {
	input.resource.kind == "OperatorGroup"
} else := "Its controller cannot act until the account exists"

message(pod) := sprintf(
	concat(" ", [
		"%s uses %s.",
		"The API server rejects pods of a missing account. Create the account, or correct the name.",
	]),
	[pods.called(input.resource), missing.account(pod.account, helpers.namespace(input.resource))],
)
