# METADATA
# title: Deleted tokens stay valid
# description: |
#   With `--service-account-lookup=false`, kube-apiserver accepts tokens of Secrets of type
#   `kubernetes.io/service-account-token` by their signature alone. They do not expire, and stay valid after their Secret or
#   their account is deleted, so they can only be revoked with the signing key. The flag is true by default. Tokens that
#   expire are looked up either way.
#
#   This rule checks Pods that start kube-apiserver by name and with explicit flags, ClusterConfigurations of kubeadm,
#   also in objects of Cluster API, objects of kind, kops, k0s, Rancher, and RKE2, and the configuration of OpenShift.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#     description: Flags of kube-apiserver
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/serviceaccount/legacy.go
#     description: What is looked up (legacyValidator)
# custom:
#   severity: warning
#   kinds:
#     - Pod
#     - ClusterConfiguration.kubeadm.k8s.io
#     - KubeadmConfig.bootstrap.cluster.x-k8s.io
#     - KubeadmConfigTemplate.bootstrap.cluster.x-k8s.io
#     - KubeadmControlPlane.controlplane.cluster.x-k8s.io
#     - KubeadmControlPlaneTemplate.controlplane.cluster.x-k8s.io
#     - Cluster.kind.x-k8s.io
#     - Cluster.kops.k8s.io
#     - ClusterConfig.k0s.k0sproject.io
#     - K0sControlPlane.controlplane.cluster.x-k8s.io
#     - K0sControlPlaneTemplate.controlplane.cluster.x-k8s.io
#     - Cluster.provisioning.cattle.io
#     - RKE2ControlPlane.controlplane.cluster.x-k8s.io
#     - KThreesControlPlane.controlplane.cluster.x-k8s.io
#     - KubeAPIServerConfig.kubecontrolplane.config.openshift.io
#     - KubeAPIServer.operator.openshift.io
#   words: [service-account-lookup, service_account_lookup, serviceAccountLookup]
#   fix: none
package salint.rules.token.lookup_disabled

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.lib

# The last of several flags counts.
report contains finding if {
	some run in plane.started(input.resource, "kube-apiserver")
	given := plane.named(run, "service-account-lookup")
	argument := given[count(given) - 1]
	lower(argument.value) in {"false", "f", "0"}
	finding := lib.finding(argument.path, sprintf(
		"%s sets --service-account-lookup=false of kube-apiserver. Tokens of Secrets stay valid after the Secret or the account is deleted. Remove the flag.",
		[helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource)))],
	))
}
