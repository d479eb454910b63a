package metadata

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/secrets"
)

// KindGroups are names that stand for several kinds in the METADATA, see also [workloads].
var KindGroups = map[string][]string{
	"rbac": {
		"ClusterRole.rbac.authorization.k8s.io",
		"ClusterRoleBinding.rbac.authorization.k8s.io",
		"Role.rbac.authorization.k8s.io",
		"RoleBinding.rbac.authorization.k8s.io",
	},
	// The kinds that salint.bringers returns.
	"opaque_installers": {
		"ClusterExtension.olm.operatorframework.io",
		"Subscription.operators.coreos.com",
		"HelmRelease.helm.toolkit.fluxcd.io",
		"HelmChart.helm.cattle.io",
		"Application.argoproj.io",
		"ApplicationSet.argoproj.io",
	},
	// The kinds of data.salint.helpers.accounts.makers.
	accountCreators: {
		"ArgoCD.argoproj.io",
		"CertManager.operator.openshift.io",
		"Grafana.grafana.integreatly.org",
		"Kafka.kafka.strimzi.io",
		"KafkaBridge.kafka.strimzi.io",
		"KafkaConnect.kafka.strimzi.io",
		"KafkaMirrorMaker.kafka.strimzi.io",
		"KafkaMirrorMaker2.kafka.strimzi.io",
		"Keycloak.k8s.keycloak.org",
		"Keycloak.keycloak.org",
		"KnativeEventing.operator.knative.dev",
		"KnativeServing.operator.knative.dev",
		"MonitoringStack.monitoring.rhobs",
		"OpenTelemetryCollector.opentelemetry.io",
		"RayCluster.ray.io",
		"TargetAllocator.opentelemetry.io",
		"TektonConfig.operator.tekton.dev",
		"ThanosQuerier.monitoring.rhobs",
	},
	// The kinds of data.salint.helpers.controlplane.places, and those of OpenShift and kops.
	controlPlanes: objects.ControlPlanes(),
	// The kinds that salint.secrets_like and salint.may_have_secret know.
	"secret_creators": secrets.Creators(),
}

// withGroups replaces the names that stand for several kinds, and returns the kinds sorted and each once.
func withGroups(kinds []string) []string {
	var all []string
	for _, kind := range kinds {
		if group, is := KindGroups[kind]; is {
			all = append(all, group...)
		} else {
			all = append(all, kind)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// BareKinds returns kinds without their groups.
func BareKinds(kinds []string) []string {
	bare := make([]string, len(kinds))
	for i, kind := range kinds {
		bare[i] = BareKind(kind)
	}
	return bare
}
