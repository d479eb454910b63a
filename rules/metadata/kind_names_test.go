package metadata

import "testing"

func TestKindProblem(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Deployment.apps": "", "ServiceAccount": "", "Ingress.extensions": "", "Ingress.networking.k8s.io": "", "Deployment.extensions": "",
		"PodSecurityPolicy.policy": "", "Application.argoproj.io": "", "Rollout.argoproj.io": "", "Application.app.k8s.io": "", "StatefulSet.apps.kruise.io": "",
		"Service.serving.knative.dev": "", "Gateway.networking.istio.io": "", "Gateway.gateway.networking.k8s.io": "", "Oven.bakery.example": "",
		"Certificate.certmanager.k8s.io": "", "Subscription.apps.open-cluster-management.io": "", "Bucket.s3.aws.upbound.io": "", "Role.iam.aws.upbound.io": "",
		"Keycloak.k8s.keycloak.org": "", "Keycloak.keycloak.org": "", "Image.config.openshift.io": "", "RoleBinding.authorization.openshift.io": "",
		"Policy.policy.open-cluster-management.io": "", "Provider.notification.toolkit.fluxcd.io": "", "HelmRelease.helm.fluxcd.io": "", "VolumeSnapshot.snapshot.storage.k8s.io": "",

		"Deployment.app":                               "there is no group app: write Deployment.apps",
		"Deployment.apps.k8s.io":                       "Deployment is in the group apps: write Deployment.apps",
		"Deployment.batch":                             "the group batch has no kind Deployment: write Deployment.apps",
		"ServiceAccount.apps":                          "the group apps has no kind ServiceAccount: write ServiceAccount",
		"ServiceAccount.k8s.io":                        "write ServiceAccount",
		"RoleBinding.authorization.k8s.io":             "the group authorization.k8s.io has no kind RoleBinding: write RoleBinding.rbac.authorization.k8s.io",
		"RoleBinding.rbac.authorization":               "RoleBinding is in the group rbac.authorization.k8s.io: write RoleBinding.rbac.authorization.k8s.io",
		"ClusterExtension.olm.operatorframework.com":   "write ClusterExtension.olm.operatorframework.io",
		"ClusterExtension.operatorframework.io":        "write ClusterExtension.olm.operatorframework.io",
		"ClusterExtension.olm.operatorframwork.io":     "write ClusterExtension.olm.operatorframework.io",
		"Application.argoproj.com":                     "write Application.argoproj.io",
		"ClusterExtention.olm.operatorframework.io":    "did you mean ClusterExtension.olm.operatorframework.io?",
		"Oven.olm.operatorframework.dev":               "did you mean Oven.olm.operatorframework.io?",
		"Kustomization.kustomize.toolkit.fluxcd.com":   "write Kustomization.kustomize.toolkit.fluxcd.io",
		"HelmRelease.helm.toolkit.fluxdc.io":           "write HelmRelease.helm.toolkit.fluxcd.io",
		"CustomResourceDefinition.apiextension.k8s.io": "write CustomResourceDefinition.apiextensions.k8s.io",
	} {
		got := kindProblem(name, nil)
		if (got == "") != (want == "") || !contains(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func contains(text, end string) bool {
	return len(text) >= len(end) && text[len(text)-len(end):] == end
}
