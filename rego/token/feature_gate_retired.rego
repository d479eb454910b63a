# METADATA
# title: A feature gate about tokens no longer exists or can no longer be changed
# description: |
#   kube-apiserver, kube-controller-manager, and kube-scheduler do not start with a feature gate that their release does
#   not know, and not with a gate that is set to another value than the one to which their release locks it.
#
#   | gate | added | locked to true | removed |
#   | --- | --- | --- | --- |
#   | `TokenRequest` | 1.10 | 1.20 | 1.21 |
#   | `TokenRequestProjection` | 1.11 | 1.20 | 1.21 |
#   | `RootCAConfigMap` | 1.13 | 1.21 | 1.22 |
#   | `BoundServiceAccountTokenVolume` | 1.13 | 1.22 | 1.23 |
#   | `ServiceAccountIssuerDiscovery` | 1.18 | 1.21 | 1.23 |
#   | `CSIServiceAccountToken` | 1.20 | 1.22 | 1.25 |
#   | `LegacyServiceAccountTokenNoAutoGeneration` | 1.24 | 1.27 | 1.29 |
#   | `LegacyServiceAccountTokenTracking` | 1.26 | 1.28 | 1.30 |
#   | `LegacyServiceAccountTokenCleanUp` | 1.28 | 1.30 | 1.32 |
#   | `ServiceAccountTokenJTI` | 1.29 | 1.32 | |
#   | `ServiceAccountTokenPodNodeInfo` | 1.29 | 1.32 | |
#   | `ServiceAccountTokenNodeBindingValidation` | 1.29 | 1.32 | |
#   | `ServiceAccountTokenNodeBinding` | 1.29 | 1.33 | |
#   | `ExternalServiceAccountTokenSigner` | 1.32 | 1.36 | |
#   | `CSIServiceAccountTokenSecrets` | 1.35 | 1.36 | |
#
#   The table is that of Kubernetes 1.37. The release is known from the tag of the image, from `kubernetesVersion` of
#   kubeadm, and from `spec.version` of a KubeadmControlPlane. Without a known release, a note names the first release
#   that does not start.
#
#   If a gate is set several times, its last entry counts, also in another `--feature-gates` from Kubernetes 1.31 on. Earlier
#   releases check each flag separately.
#
#   This rule checks containers that start one of the programs by name and with explicit flags, ClusterConfigurations of
#   kubeadm, also in objects of Cluster API, and the configuration of OpenShift. `featureGates` of a ClusterConfiguration
#   are gates of kubeadm itself, and are not checked. Programs with `--emulated-version` are not checked either.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates-removed/
#     description: Feature gates that are removed
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.37.0/pkg/features/kube_features.go
#     description: The feature gates of a release
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.37.0/staging/src/k8s.io/component-base/compatibility/registry.go
#     description: Several flags are joined before they are checked (Set)
# custom:
#   severity: warning
#   kinds: [workloads, control_planes]
#   words: [feature-gates, feature_gates, featureGates]
#   fix: none
package salint.rules.token.feature_gate_retired

import data.salint.helpers
import data.salint.helpers.controlplane as plane
import data.salint.helpers.token.feature_gates as gates
import data.salint.lib

report contains finding if {
	some program in ["kube-apiserver", "kube-controller-manager", "kube-scheduler"]
	some run in plane.started(input.resource, program)
	count(plane.named(run, "emulated-version")) == 0
	some gate in gates.effective(plane.named(run, "feature-gates"), run.minor)
	problem := gates.problem(gate, run.minor)
	found := lib.finding(gate.path, sprintf("%s sets the feature gate %s of %s%s Remove it.", [
		helpers.sentence(helpers.titled(input.resource.kind, "", helpers.name(input.resource))),
		gate.name, program, problem.text,
	]))
	finding := lib.with_severity(lib.case(found, [program, gate.name]), problem.severity)
}
