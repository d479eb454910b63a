package danger

import "slices"

// Effect is what the writer of an object of a controller gains.
type Effect int

const (
	// Applies: the controller applies manifests that the object contains or names.
	Applies Effect = iota
	// Grants: the controller grants roles that the object names.
	Grants
	// Mutates: the controller changes what others write. An object of a namespace reaches what is in it.
	Mutates
	// Joins: the object is a group, and lists its members.
	Joins
	// Acts: the object makes its writer a user of the writer's choice.
	Acts
	// Tokens: the controller takes tokens of accounts that the object names, and sends them to a server that it names.
	Tokens
)

// Controller is a tool whose objects make its controller do something that their writer is not allowed to do.
type Controller struct {
	// Tool is the name of the tool, and Objects are those that it reads, for sentences.
	Tool, Objects string
	Resources
	Effect        Effect
	ClusterScoped bool
	// Accounts are the names of the accounts of the controllers, which are cluster-admin as the tool ships them. A name that begins with
	// a hyphen is the end of a name.
	Accounts []string
	// Namespaces are the usual ones if the tool ignores objects elsewhere; none if it reads all namespaces.
	Namespaces []string
	// Elsewhere is true if the controller acts on other clusters, which the objects name.
	Elsewhere bool
	// Version is the version of the API that the row was checked with, and Source documents the effect.
	Version, Source string
}

const (
	fluxSource     = "https://fluxcd.io/flux/security/#controller-permissions"
	fluxOperator   = "https://fluxoperator.dev/docs/crd/fluxinstance/"
	argoSource     = "https://argo-cd.readthedocs.io/en/stable/operator-manual/security/#cluster-rbac"
	operatorGroups = "https://olm.operatorframework.io/docs/advanced-tasks/operator-scoping-with-operatorgroups/"
	kyvernoSource  = "https://kyverno.io/docs/policy-types/cluster-policy/mutate/"
	gatekeeper     = "https://open-policy-agent.github.io/gatekeeper/website/docs/mutation/"
	kubewarden     = "https://docs.kubewarden.io/explanations/mutating-policies"
	managed        = "https://open-cluster-management.io/docs/concepts/work-distribution/manifestwork/"
	acmPolicies    = "https://open-cluster-management.io/docs/getting-started/integration/policy-controllers/configuration-policy/"
	acmPermissions = "stolostron/cluster-permission, api/v1alpha1"
	resourceSets   = "https://cluster-api.sigs.k8s.io/tasks/cluster-resource-set"
	bootstrapData  = "https://cluster-api.sigs.k8s.io/tasks/bootstrap/kubeadm-bootstrap/"
	syncSets       = "openshift/hive, docs/syncset.md"
	k3sCharts      = "https://docs.k3s.io/helm: klipper-helm runs as an account that is bound to cluster-admin (k3s-io/helm-controller, pkg/controllers/chart)"
	crossplane     = "https://docs.crossplane.io/latest/packages/providers/"
	compositions   = "https://docs.crossplane.io/latest/composition/compositions/"
	providerK8s    = "crossplane-contrib/provider-kubernetes, apis/object/v1alpha2"
	secretStores   = "https://external-secrets.io/latest/provider/kubernetes/: spec.provider.kubernetes.auth.serviceAccount, and the server of the store"
	openShiftUsers = "https://docs.openshift.com/container-platform/latest/authentication/understanding-identity-provider.html"
	openShiftOAuth = "openshift/api, oauth/v1 (OAuthAccessToken)"
	karmada        = "https://karmada.io/docs/userguide/scheduling/resource-propagating"
	rancherRoles   = "https://ranchermanager.docs.rancher.com/integrations-in-rancher/rancher-webhook: up to Rancher 2.6.8, and without the webhook, nothing checks the role (rancher/rancher, pkg/apis/management.cattle.io/v3/authz_types.go)"
	fleet          = "https://fleet.rancher.io/ref-gitrepo"
	vcluster       = "loft-sh/cluster-api-provider-vcluster, api/infrastructure/v1alpha1/vcluster_types.go (VirtualClusterHelmRelease), config/rbac/provider_role_binding.yaml"
	capsule        = "https://projectcapsule.dev/docs/tenants/rbac/#additional-rolebindings"
	capsuleObjects = "https://projectcapsule.dev/docs/replications/"
	rbacManager    = "https://rbac-manager.docs.fairwinds.com/rbacdefinitions/"
	kluctl         = "https://kluctl.io/docs/gitops/spec/v1beta1/kluctldeployment/"
	kro            = "https://kro.run/docs/advanced/access-control/"
	velero         = "https://velero.io/docs/main/restore-reference/"
	sveltos        = "projectsveltos/addon-controller, api/v1beta1/spec.go, clusterprofile_types.go, and profile_types.go"
	metacontroller = "https://metacontroller.github.io/metacontroller/api/compositecontroller.html"
	redhatCop      = "https://github.com/redhat-cop/namespace-configuration-operator"
)

// controllers are in the order of the documentation. What is written by administrators only, such as the settings of these tools, is left out.
var controllers = append([]Controller{
	{Tool: "Flux", Objects: "a Kustomization", Resources: Resources{"kustomize.toolkit.fluxcd.io", []string{"kustomizations"}},
		Accounts: []string{"kustomize-controller"}, Version: "v1", Source: fluxSource},
	{Tool: "Flux", Objects: "a HelmRelease", Resources: Resources{"helm.toolkit.fluxcd.io", []string{"helmreleases"}},
		Accounts: []string{"helm-controller"}, Version: "v2", Source: fluxSource},
	{Tool: "Flux Operator", Objects: "a FluxInstance or ResourceSet", Resources: Resources{"fluxcd.controlplane.io", []string{"fluxinstances", "resourcesets"}},
		Accounts: []string{"flux-operator"}, Version: "v1", Source: fluxOperator},
	{Tool: "Argo CD", Objects: "an Application", Resources: Resources{"argoproj.io", []string{"applications", "applicationsets"}},
		Accounts: argoControllers, Namespaces: argoNamespaces, Version: "v1alpha1", Source: argoSource},
	{Tool: "Argo CD", Objects: "an AppProject", Resources: Resources{"argoproj.io", []string{"appprojects"}},
		Accounts: argoControllers, Namespaces: argoNamespaces, Version: "v1alpha1", Source: argoSource},
	{Tool: "OLM v0", Objects: "an operator", Resources: Resources{"operators.coreos.com", []string{"clusterserviceversions", "subscriptions", "operatorgroups"}},
		Accounts: []string{"olm-operator-serviceaccount"}, Version: "v1alpha1", Source: operatorGroups},
	{Tool: "Kyverno", Objects: "a ClusterPolicy", Resources: Resources{"kyverno.io", []string{"clusterpolicies"}}, Effect: Mutates, ClusterScoped: true,
		Version: "v1", Source: kyvernoSource},
	{Tool: "Kyverno", Objects: "a Policy", Resources: Resources{"kyverno.io", []string{"policies"}}, Effect: Mutates, Version: "v1", Source: kyvernoSource},
	{Tool: "Kyverno", Objects: "a MutatingPolicy or GeneratingPolicy", Resources: Resources{"policies.kyverno.io", []string{"mutatingpolicies", "generatingpolicies"}},
		Effect: Mutates, ClusterScoped: true, Version: "v1", Source: kyvernoSource},
	{Tool: "Kyverno", Objects: "a namespaced policy", Effect: Mutates, Version: "v1", Source: kyvernoSource,
		Resources: Resources{"policies.kyverno.io", []string{"namespacedmutatingpolicies", "namespacedgeneratingpolicies"}}},
	{Tool: "Gatekeeper", Objects: "a mutation", Resources: Resources{"mutations.gatekeeper.sh", []string{"assign", "assignmetadata", "modifyset", "assignimage"}},
		Effect: Mutates, ClusterScoped: true, Version: "v1", Source: gatekeeper},
	{Tool: "Kubewarden", Objects: "a ClusterAdmissionPolicy", Effect: Mutates, ClusterScoped: true, Version: "v1", Source: kubewarden,
		Resources: Resources{"policies.kubewarden.io", []string{"clusteradmissionpolicies", "clusteradmissionpolicygroups", "policyservers"}}},
	{Tool: "Kubewarden", Objects: "an AdmissionPolicy", Resources: Resources{"policies.kubewarden.io", []string{"admissionpolicies"}}, Effect: Mutates,
		Version: "v1", Source: kubewarden},
	{Tool: "OpenKruise", Objects: "a SidecarSet", Resources: Resources{"apps.kruise.io", []string{"sidecarsets"}}, Effect: Mutates, ClusterScoped: true, Version: "v1alpha1",
		Source: "https://openkruise.io/docs/user-manuals/sidecarset"},
	{Tool: "OpenTelemetry", Objects: "an Instrumentation", Resources: Resources{"opentelemetry.io", []string{"instrumentations"}}, Effect: Mutates, Version: "v1alpha1",
		Source: "opentelemetry-operator, apis/v1alpha1/instrumentation_types.go: the image of a container that it adds to pods"},
	{Tool: "Open Cluster Management", Objects: "a ManifestWork", Resources: Resources{"work.open-cluster-management.io", []string{"manifestworks", "manifestworkreplicasets"}},
		Elsewhere: true, Version: "v1", Source: managed},
	{Tool: "Open Cluster Management", Objects: "a policy", Elsewhere: true, Version: "v1", Source: acmPolicies,
		Resources: Resources{"policy.open-cluster-management.io", []string{"policies", "configurationpolicies", "operatorpolicies", "policysets"}}},
	{Tool: "Open Cluster Management", Objects: "a Subscription", Resources: Resources{"apps.open-cluster-management.io", []string{"subscriptions"}}, Elsewhere: true,
		Version: "v1", Source: "open-cluster-management-io/multicloud-operators-subscription, pkg/apis/apps/v1"},
	{Tool: "Open Cluster Management", Objects: "an action", Resources: Resources{"action.open-cluster-management.io", []string{"managedclusteractions"}}, Elsewhere: true,
		Version: "v1beta1", Source: "stolostron/multicloud-operators-foundation, pkg/apis/action/v1beta1"},
	{Tool: "Open Cluster Management", Objects: "an AddOnTemplate", Resources: Resources{"addon.open-cluster-management.io", []string{"addontemplates"}}, Elsewhere: true,
		ClusterScoped: true, Version: "v1alpha1", Source: "open-cluster-management-io/api, addon/v1alpha1/types_addontemplate.go (AddOnTemplateSpec)"},
	{Tool: "Open Cluster Management", Objects: "a ClusterPermission", Resources: Resources{"rbac.open-cluster-management.io", []string{"clusterpermissions"}},
		Effect: Grants, Elsewhere: true, Version: "v1alpha1", Source: acmPermissions},
	{Tool: "Cluster API", Objects: "a ClusterResourceSet", Resources: Resources{"addons.cluster.x-k8s.io", []string{"clusterresourcesets", "helmchartproxies", "helmreleaseproxies"}},
		Elsewhere: true, Version: "v1beta2", Source: resourceSets},
	{Tool: "Cluster API", Objects: "the configuration of nodes", Elsewhere: true, Version: "v1beta2", Source: bootstrapData,
		Resources: Resources{"bootstrap.cluster.x-k8s.io", []string{"kubeadmconfigs", "kubeadmconfigtemplates"}}},
	{Tool: "Cluster API", Objects: "a control plane", Elsewhere: true, Version: "v1beta2", Source: bootstrapData,
		Resources: Resources{"controlplane.cluster.x-k8s.io", []string{"kubeadmcontrolplanes", "kubeadmcontrolplanetemplates"}}},
	{Tool: "Hive", Objects: "a SelectorSyncSet", Resources: Resources{"hive.openshift.io", []string{"selectorsyncsets"}}, Elsewhere: true, ClusterScoped: true,
		Version: "v1", Source: syncSets},
	{Tool: "Hive", Objects: "a SyncSet", Resources: Resources{"hive.openshift.io", []string{"syncsets"}}, Elsewhere: true, Version: "v1", Source: syncSets},
	{Tool: "HyperShift", Objects: "a HostedCluster or NodePool", Elsewhere: true, Version: "v1beta1", Source: "openshift/hypershift, api/hypershift/v1beta1/nodepool_types.go (spec.config)",
		Resources: Resources{"hypershift.openshift.io", []string{"hostedclusters", "nodepools"}}},
	{Tool: "k3s", Objects: "a HelmChart", Resources: Resources{"helm.cattle.io", []string{"helmcharts", "helmchartconfigs"}}, Accounts: []string{"helm-controller-k3s"},
		Version: "v1", Source: k3sCharts},
	{Tool: "Crossplane", Objects: "a package", Resources: Resources{"pkg.crossplane.io", []string{"providers", "functions", "configurations", "deploymentruntimeconfigs", "controllerconfigs"}},
		ClusterScoped: true, Accounts: []string{"crossplane"}, Version: "v1", Source: crossplane},
	{Tool: "Crossplane", Objects: "a Composition", Resources: Resources{"apiextensions.crossplane.io", []string{"compositions", "compositeresourcedefinitions"}},
		ClusterScoped: true, Accounts: []string{"crossplane"}, Version: "v1", Source: compositions},
	{Tool: "Crossplane", Objects: "an Object", Resources: Resources{"kubernetes.crossplane.io", []string{"objects"}}, ClusterScoped: true,
		Accounts: []string{"provider-kubernetes"}, Version: "v1alpha2", Source: providerK8s},
	{Tool: "Crossplane", Objects: "an Object of a namespace", Resources: Resources{"kubernetes.m.crossplane.io", []string{"objects"}},
		Accounts: []string{"provider-kubernetes"}, Version: "v1alpha1", Source: providerK8s},
	{Tool: "Crossplane", Objects: "a Release", Resources: Resources{"helm.crossplane.io", []string{"releases"}}, ClusterScoped: true, Accounts: []string{"provider-helm"},
		Version: "v1beta1", Source: "crossplane-contrib/provider-helm, apis/release/v1beta1"},
	{Tool: "Crossplane", Objects: "a Release of a namespace", Resources: Resources{"helm.m.crossplane.io", []string{"releases"}}, Accounts: []string{"provider-helm"},
		Version: "v1beta1", Source: "crossplane-contrib/provider-helm, apis/namespaced/release/v1beta1"},
	{Tool: "External Secrets", Objects: "a ClusterSecretStore", Resources: Resources{"external-secrets.io", []string{"clustersecretstores"}}, Effect: Tokens, ClusterScoped: true,
		Version: "v1", Source: secretStores},
	{Tool: "External Secrets", Objects: "a SecretStore", Resources: Resources{"external-secrets.io", []string{"secretstores"}}, Effect: Tokens, Version: "v1", Source: secretStores},
	{Tool: "OpenShift", Objects: "a Group", Resources: Resources{"user.openshift.io", []string{"groups"}}, Effect: Joins, ClusterScoped: true, Version: "v1", Source: openShiftUsers},
	{Tool: "OpenShift", Objects: "an identity", Resources: Resources{"user.openshift.io", []string{"identities", "useridentitymappings"}}, Effect: Acts, ClusterScoped: true,
		Version: "v1", Source: openShiftUsers},
	{Tool: "OpenShift", Objects: "a token", Resources: Resources{"oauth.openshift.io", []string{"oauthaccesstokens", "oauthauthorizetokens"}}, Effect: Acts, ClusterScoped: true,
		Version: "v1", Source: openShiftOAuth},
	{Tool: "OpenShift", Objects: "the identity providers", Resources: Resources{"config.openshift.io", []string{"oauths", "authentications"}}, Effect: Acts, ClusterScoped: true,
		Version: "v1", Source: openShiftUsers},
	{Tool: "Pinniped", Objects: "an authenticator", Effect: Grants, ClusterScoped: true, Version: "v1alpha1", Source: "https://pinniped.dev/docs/howto/concierge/configure-concierge-jwt/: its tokens name any user and group",
		Resources: Resources{"authentication.concierge.pinniped.dev", []string{"jwtauthenticators", "webhookauthenticators"}}},
	{Tool: "Karmada", Objects: "a ClusterPropagationPolicy", Elsewhere: true, ClusterScoped: true, Version: "v1alpha1", Source: karmada,
		Resources: Resources{"policy.karmada.io", []string{"clusterpropagationpolicies", "clusteroverridepolicies"}}},
	{Tool: "Karmada", Objects: "a Work", Resources: Resources{"work.karmada.io", []string{"works"}}, Elsewhere: true, Version: "v1alpha1", Source: karmada},
	{Tool: "Rancher", Objects: "a binding", Effect: Grants, ClusterScoped: true, Version: "v3", Source: rancherRoles,
		Resources: Resources{"management.cattle.io", []string{"globalroles", "globalrolebindings", "roletemplates"}}},
	{Tool: "Rancher", Objects: "a binding of a cluster", Effect: Grants, Version: "v3", Source: rancherRoles,
		Resources: Resources{"management.cattle.io", []string{"clusterroletemplatebindings", "projectroletemplatebindings"}}},
	{Tool: "Rancher", Objects: "a token", Resources: Resources{"management.cattle.io", []string{"tokens", "authconfigs"}}, Effect: Acts, ClusterScoped: true, Version: "v3",
		Source: "rancher/rancher, pkg/apis/management.cattle.io/v3/authn_types.go (Token, AuthConfig)"},
	{Tool: "Rancher Fleet", Objects: "a GitRepo", Resources: Resources{"fleet.cattle.io", []string{"gitrepos", "bundles", "helmops"}}, Elsewhere: true,
		Version: "v1alpha1", Source: fleet},
	{Tool: "vcluster", Objects: "a VCluster", Resources: Resources{"infrastructure.cluster.x-k8s.io", []string{"vclusters"}}, Accounts: []string{"capv-controller-manager"},
		Version: "v1alpha1", Source: vcluster},
	{Tool: "Capsule", Objects: "a Tenant", Resources: Resources{"capsule.clastix.io", []string{"tenants"}}, Effect: Grants, ClusterScoped: true, Version: "v1beta2", Source: capsule},
	{Tool: "Capsule", Objects: "a GlobalTenantResource", Resources: Resources{"capsule.clastix.io", []string{"globaltenantresources"}}, ClusterScoped: true,
		Accounts: []string{"capsule"}, Version: "v1beta2", Source: capsuleObjects},
	{Tool: "RBAC Manager", Objects: "an RBACDefinition", Resources: Resources{"rbacmanager.reactiveops.io", []string{"rbacdefinitions"}}, Effect: Grants, ClusterScoped: true,
		Version: "v1beta1", Source: rbacManager},
	{Tool: "Kluctl", Objects: "a KluctlDeployment", Resources: Resources{"gitops.kluctl.io", []string{"kluctldeployments"}}, Accounts: []string{"kluctl-controller"},
		Version: "v1beta1", Source: kluctl},
	{Tool: "kro", Objects: "a ResourceGraphDefinition", Resources: Resources{"kro.run", []string{"resourcegraphdefinitions"}}, ClusterScoped: true, Accounts: []string{"kro"},
		Version: "v1alpha1", Source: kro},
	{Tool: "KubeVela", Objects: "an Application", Resources: Resources{"core.oam.dev", []string{"applications"}}, Accounts: []string{"-vela-core"}, Version: "v1beta1",
		Source: "https://kubevela.io/docs/platform-engineers/auth/basic/: without authentication, the controller applies what it renders as itself"},
	{Tool: "Velero", Objects: "a Restore", Resources: Resources{"velero.io", []string{"restores"}}, Accounts: []string{"velero"}, Namespaces: []string{"velero", "openshift-adp"},
		Version: "v1", Source: velero},
	{Tool: "Sveltos", Objects: "a ClusterProfile", Resources: Resources{"config.projectsveltos.io", []string{"clusterprofiles", "profiles"}}, Elsewhere: true,
		Version: "v1beta1", Source: sveltos},
	{Tool: "Metacontroller", Objects: "a controller", Resources: Resources{"metacontroller.k8s.io", []string{"compositecontrollers", "decoratorcontrollers"}}, ClusterScoped: true,
		Accounts: []string{"metacontroller"}, Version: "v1alpha1", Source: metacontroller},
	{Tool: "Namespace Configuration Operator", Objects: "a configuration", Resources: Resources{"redhatcop.redhat.io", []string{"namespaceconfigs", "groupconfigs", "userconfigs"}},
		ClusterScoped: true, Accounts: []string{"namespace-configuration-operator-controller-manager"}, Version: "v1alpha1", Source: redhatCop},
}, furtherControllers...)

var (
	argoNamespaces  = []string{"argocd", "openshift-gitops"}
	argoControllers = []string{"argocd-application-controller", "-argocd-application-controller"}
)

// Controllers returns the rows of the table, in the order of the documentation.
func Controllers() []Controller { return slices.Clone(controllers) }
