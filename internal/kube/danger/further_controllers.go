package danger

const (
	configSync     = "GoogleContainerTools/kpt-config-sync, pkg/api/configsync/v1beta1 (RootSync, RepoSync)"
	tektonOperator = "tektoncd/operator, pkg/apis/operator/v1alpha1/tektoninstallerset_types.go (spec.manifests)"
	knativeObjects = "https://knative.dev/docs/install/operator/configuring-with-operator/: spec.manifests and spec.additionalManifests; the operator has escalate"
	k0sCharts      = "https://docs.k0sproject.io/stable/helm-charts/: k0s installs as an administrator"
	operations     = "https://docs.crossplane.io/latest/operations/operation/"
	capiProviders  = "https://cluster-api-operator.sigs.k8s.io/: spec.fetchConfig"
	managedSecrets = "gardener/gardener, pkg/apis/resources/v1alpha1 (ManagedResource)"
	kratix         = "https://docs.kratix.io/main/reference/promises/intro"
	clusterAPI     = "https://cluster-api.sigs.k8s.io/tasks/experimental-features/cluster-class/write-clusterclass"
)

// furtherControllers are the rows of providers of Cluster API, and of tools with few objects.
var furtherControllers = []Controller{
	{Tool: "Config Sync", Objects: "a RootSync", Resources: Resources{"configsync.gke.io", []string{"rootsyncs"}}, Accounts: []string{"root-reconciler"},
		Namespaces: []string{"config-management-system"}, Version: "v1beta1", Source: configSync},
	{Tool: "the operator of Tekton", Objects: "a TektonInstallerSet", Resources: Resources{"operator.tekton.dev", []string{"tektoninstallersets"}}, ClusterScoped: true,
		Accounts: []string{"tekton-operator", "openshift-pipelines-operator"}, Version: "v1alpha1", Source: tektonOperator},
	{Tool: "the operator of Knative", Objects: "a KnativeServing or KnativeEventing", Accounts: []string{"knative-operator"}, Version: "v1beta1", Source: knativeObjects,
		Resources: Resources{"operator.knative.dev", []string{"knativeservings", "knativeeventings"}}},
	{Tool: "k0s", Objects: "a Chart", Resources: Resources{"helm.k0sproject.io", []string{"charts"}}, Version: "v1beta1", Source: k0sCharts},
	{Tool: "Crossplane", Objects: "an Operation", Resources: Resources{"ops.crossplane.io", []string{"operations", "cronoperations", "watchoperations"}}, ClusterScoped: true,
		Accounts: []string{"crossplane"}, Version: "v1alpha1", Source: operations},
	{Tool: "the operator of Cluster API", Objects: "a provider", Accounts: []string{"-capi-operator-manager"}, Version: "v1alpha2", Source: capiProviders,
		Resources: Resources{"operator.cluster.x-k8s.io", []string{"coreproviders", "bootstrapproviders", "controlplaneproviders", "infrastructureproviders", "addonproviders",
			"ipamproviders", "runtimeextensionproviders"}}},
	{Tool: "Gardener", Objects: "a ManagedResource", Resources: Resources{"resources.gardener.cloud", []string{"managedresources"}}, Accounts: []string{"gardener-resource-manager"},
		Version: "v1alpha1", Source: managedSecrets},
	{Tool: "OpenShift", Objects: "the version of the cluster", Resources: Resources{"config.openshift.io", []string{"clusterversions"}}, ClusterScoped: true, Version: "v1",
		Source: "openshift/api, config/v1/types_cluster_version.go (Update: image, force)"},
	{Tool: "Kratix", Objects: "a Promise or Work", Resources: Resources{"platform.kratix.io", []string{"promises", "works"}}, Elsewhere: true, Version: "v1alpha1", Source: kratix},
	{Tool: "Rancher Fleet", Objects: "a deployment of a bundle", Resources: Resources{"fleet.cattle.io", []string{"bundledeployments", "contents"}}, Elsewhere: true,
		Version: "v1alpha1", Source: "rancher/fleet, pkg/apis/fleet.cattle.io/v1alpha1 (BundleDeployment, Content)"},
	{Tool: "Rancher", Objects: "a ManagedChart", Resources: Resources{"management.cattle.io", []string{"managedcharts"}}, Elsewhere: true, Version: "v3",
		Source: "rancher/rancher, pkg/apis/management.cattle.io/v3 (ManagedChart)"},
	{Tool: "Rancher", Objects: "a Cluster", Resources: Resources{"provisioning.cattle.io", []string{"clusters"}}, Elsewhere: true, Version: "v1",
		Source: "rancher/rancher, pkg/apis/rke.cattle.io/v1 (ClusterConfiguration: additionalManifest)"},
	{Tool: "KubeFleet", Objects: "a Work", Resources: Resources{"placement.kubernetes-fleet.io", []string{"works"}}, Elsewhere: true, Version: "v1",
		Source: "kubefleet-dev/kubefleet, apis/placement/v1/work_types.go"},
	{Tool: "Sveltos", Objects: "an EventTrigger", Resources: Resources{"lib.projectsveltos.io", []string{"eventtriggers"}}, Elsewhere: true, ClusterScoped: true, Version: "v1beta1",
		Source: "https://projectsveltos.github.io/sveltos/main/events/addon_event_deployment/"},
	{Tool: "Sveltos", Objects: "a RoleRequest", Resources: Resources{"lib.projectsveltos.io", []string{"rolerequests"}}, Effect: Grants, Elsewhere: true, ClusterScoped: true,
		Version: "v1beta1", Source: "projectsveltos/libsveltos, api/v1beta1/rolerequest_type.go"},
	{Tool: "Cluster API", Objects: "a ClusterClass", Resources: Resources{"cluster.x-k8s.io", []string{"clusterclasses"}}, Elsewhere: true, Version: "v1beta2", Source: clusterAPI},
	{Tool: "Cluster API", Objects: "an ExtensionConfig", Resources: Resources{"runtime.cluster.x-k8s.io", []string{"extensionconfigs"}}, Elsewhere: true, ClusterScoped: true,
		Version: "v1beta2", Source: "https://cluster-api.sigs.k8s.io/tasks/experimental-features/runtime-sdk/implement-topology-mutation-hook"},
	{Tool: "Cluster API", Objects: "the configuration of nodes of RKE2", Elsewhere: true, Version: "v1beta1", Source: "rancher/cluster-api-provider-rke2, bootstrap/api/v1beta1",
		Resources: Resources{"bootstrap.cluster.x-k8s.io", []string{"rke2configs", "rke2configtemplates"}}},
	{Tool: "Cluster API", Objects: "a control plane of RKE2", Elsewhere: true, Version: "v1beta1", Source: "rancher/cluster-api-provider-rke2, controlplane/api/v1beta1",
		Resources: Resources{"controlplane.cluster.x-k8s.io", []string{"rke2controlplanes", "rke2controlplanetemplates"}}},
	{Tool: "Cluster API", Objects: "the configuration of nodes of Talos", Elsewhere: true, Version: "v1alpha3", Source: "siderolabs/cluster-api-bootstrap-provider-talos, api/v1alpha3",
		Resources: Resources{"bootstrap.cluster.x-k8s.io", []string{"talosconfigs", "talosconfigtemplates"}}},
	{Tool: "Cluster API", Objects: "a control plane of Talos", Elsewhere: true, Version: "v1alpha3", Source: "siderolabs/cluster-api-control-plane-provider-talos, api/v1alpha3",
		Resources: Resources{"controlplane.cluster.x-k8s.io", []string{"taloscontrolplanes"}}},
	{Tool: "Cluster API", Objects: "the configuration of nodes of k0s", Elsewhere: true, Version: "v1beta1", Source: "k0sproject/k0smotron, api/bootstrap/v1beta1",
		Resources: Resources{"bootstrap.cluster.x-k8s.io", []string{"k0sworkerconfigs", "k0sworkerconfigtemplates", "k0scontrollerconfigs"}}},
	{Tool: "Cluster API", Objects: "a control plane of k0s", Elsewhere: true, Version: "v1beta1", Source: "k0sproject/k0smotron, api/controlplane/v1beta1",
		Resources: Resources{"controlplane.cluster.x-k8s.io", []string{"k0scontrolplanes", "k0scontrolplanetemplates"}}},
	{Tool: "Cluster API", Objects: "the configuration of nodes of EKS", Elsewhere: true, Version: "v1beta2", Source: "kubernetes-sigs/cluster-api-provider-aws, bootstrap/eks/api/v1beta2",
		Resources: Resources{"bootstrap.cluster.x-k8s.io", []string{"eksconfigs", "eksconfigtemplates"}}},
	{Tool: "the authenticator of AWS", Objects: "an IAMIdentityMapping", Resources: Resources{"iamauthenticator.k8s.aws", []string{"iamidentitymappings"}}, Effect: Grants,
		ClusterScoped: true, Version: "v1alpha1", Source: "kubernetes-sigs/aws-iam-authenticator, pkg/mapper/crd/apis/iamauthenticator/v1alpha1"},
	{Tool: "the controller of AWS for EKS", Objects: "an AccessEntry", Resources: Resources{"eks.services.k8s.aws", []string{"accessentries"}}, Effect: Grants, Elsewhere: true,
		Version: "v1alpha1", Source: "aws-controllers-k8s/eks-controller, apis/v1alpha1/access_entry.go (accessPolicies, kubernetesGroups)"},
	{Tool: "GKE Identity Service", Objects: "a ClientConfig", Resources: Resources{"authentication.gke.io", []string{"clientconfigs"}}, Effect: Grants,
		Namespaces: []string{"kube-public"}, Version: "v2alpha1", Source: "https://cloud.google.com/kubernetes-engine/docs/how-to/oidc: its tokens name any user and group"},
	{Tool: "Pinniped", Objects: "an identity provider", Effect: Grants, Elsewhere: true, Version: "v1alpha1",
		Source:    "https://pinniped.dev/docs/howto/supervisor/: its providers name any user and group",
		Resources: Resources{"idp.supervisor.pinniped.dev", []string{"oidcidentityproviders", "ldapidentityproviders", "activedirectoryidentityproviders", "githubidentityproviders"}}},
	{Tool: "Deckhouse", Objects: "a ClusterAuthorizationRule", Resources: Resources{"deckhouse.io", []string{"clusterauthorizationrules"}}, Effect: Grants, ClusterScoped: true,
		Version: "v1", Source: "https://deckhouse.io/modules/user-authz/cr.html"},
	{Tool: "vCluster Platform", Objects: "a ClusterAccess", Resources: Resources{"storage.loft.sh", []string{"clusteraccesses"}}, Effect: Grants, Elsewhere: true, ClusterScoped: true,
		Version: "v1", Source: "loft-sh/api, pkg/apis/storage/v1/clusteraccess_types.go"},
	{Tool: "jsPolicy", Objects: "a JsPolicy", Resources: Resources{"policy.jspolicy.com", []string{"jspolicies", "jspolicybundles"}}, Effect: Mutates, ClusterScoped: true,
		Version: "v1beta1", Source: "https://www.jspolicy.com/docs/writing-policies/policy-spec"},
}
