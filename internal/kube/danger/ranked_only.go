package danger

const (
	externalSecrets = "external-secrets.io"
	templatesOfESO  = "https://external-secrets.io/latest/guides/templating/: a template also sets the type and the annotations of the Secret"
	pushSecrets     = "https://external-secrets.io/latest/api/pushsecret/"
	oauthClients    = "https://docs.openshift.com/container-platform/latest/authentication/configuring-oauth-clients.html: with the grant method auto, the client gets the token of who follows its link"
)

// Sources of the remaining rows.
const (
	vaultAuth    = "https://developer.hashicorp.com/vault/docs/platform/k8s/vso/api-reference: VaultAuth (kubernetes.serviceAccount), VaultConnection (address)"
	rootOnNodes  = "openshift/api, machine/v1beta1 (userDataSecret), openshift/cluster-node-tuning-operator (TuneD's built-in function exec), rancher/system-upgrade-controller (README)"
	furtherNodes = "aws/karpenter-provider-aws, pkg/apis/v1 (userData), kubernetes-sigs/kernel-module-management, api/v1beta1 (containerImage), metal3-io/baremetal-operator, apis/metal3.io/v1alpha1 (userData), " +
		"gardener/machine-controller-manager, pkg/apis/machine/v1alpha1 (MachineClass: secretRef), deckhouse.io/modules/node-manager/cr.html (content), k0sproject/k0s, pkg/apis/autopilot/v1beta2 (platforms: url)"
	installPlans = "operator-framework/api, pkg/operators/v1alpha1: catalogsource_types.go, installplan_types.go (status.plan has the manifests that OLM applies)"
)

// Sources of what depends on others.
const (
	dexStorage    = "https://dexidp.io/docs/configuration/storage/#kubernetes-custom-resource-definitions-crds"
	jenkinsRoles  = "jenkinsci/kubernetes-operator, api/v1alpha2/jenkins_types.go (spec.roles: role bindings of its namespace)"
	generators    = "https://external-secrets.io/latest/api/generator/vault/: spec.provider.auth.kubernetes.serviceAccountRef; webhook: what it sends to its URL"
	kedaTriggers  = "https://keda.sh/docs/latest/concepts/authentication/: secretTargetRef, boundServiceAccountToken"
	ownCommands   = "https://docs.kanister.io/functions.html, crossplane-contrib/provider-terraform (README)"
	appliedInputs = "https://fluxoperator.dev/docs/crd/resourcesetinputprovider/, " + configSync
	kyvernoGroup  = "kyverno.io"
)

// rankedOnly are the dangers of custom resources whose effect depends on what else exists, or on what people do: a store, a subscription, the groups of
// nodes. They are no steps of chains.
func rankedOnly() []*Danger {
	return []*Danger{
		{Text: "writes objects with which External Secrets sends Secrets to stores", Rank: 14, Class: Secrets, Source: pushSecrets, custom: true, powers: []*Power{
			{Name: "write PushSecrets", Verbs: writing, Group: externalSecrets, Resources: []string{"pushsecrets"}, Explicit: true},
			{Name: "write ClusterPushSecrets", Verbs: writing, Group: externalSecrets, Resources: []string{"clusterpushsecrets"}, ClusterScoped: true, Explicit: true},
		}},
		{Text: "writes objects with which External Secrets makes Secrets, also for tokens of accounts", Rank: 15, Class: Secrets, Source: templatesOfESO, custom: true, powers: []*Power{
			{Name: "write ExternalSecrets", Verbs: writing, Group: externalSecrets, Resources: []string{"externalsecrets"}, Explicit: true},
			{Name: "write ClusterExternalSecrets", Verbs: writing, Group: externalSecrets, Resources: []string{"clusterexternalsecrets"}, ClusterScoped: true, Explicit: true},
		}},
		{Text: "writes clients of OAuth: takes tokens of users who log in with them", Rank: 16, Class: Secrets, Source: oauthClients, custom: true, powers: []*Power{
			{Name: "write OAuthClients", Verbs: writing, Group: "oauth.openshift.io", Resources: []string{"oauthclients"}, ClusterScoped: true, Explicit: true},
		}},
		{Text: "writes objects with which the Vault Secrets Operator sends tokens of accounts to Vault", Rank: 16, Class: Secrets, Source: vaultAuth, custom: true, powers: []*Power{
			{Name: "write VaultAuths", Verbs: writing, Group: "secrets.hashicorp.com", Resources: []string{"vaultauths", "vaultconnections"}, Explicit: true},
		}},
		{Text: "writes machines or profiles of nodes: can run as root on nodes", Rank: 18, Class: Escalation, Source: rootOnNodes, custom: true, powers: []*Power{
			{Name: "write machines of OpenShift", Verbs: writing, Group: "machine.openshift.io", Resources: []string{"machines", "machinesets", "controlplanemachinesets"}, Explicit: true},
			{Name: "write profiles of TuneD", Verbs: writing, Group: "tuned.openshift.io", Resources: []string{"tuneds"}, Explicit: true},
			{Name: "write upgrade plans", Verbs: writing, Group: "upgrade.cattle.io", Resources: []string{"plans"}, Explicit: true},
		}},
		{Text: "writes machines or software of nodes: can run as root on nodes", Rank: 18, Class: Escalation, Source: furtherNodes, custom: true, powers: []*Power{
			{Name: "write EC2NodeClasses", Verbs: writing, Group: "karpenter.k8s.aws", Resources: []string{"ec2nodeclasses"}, ClusterScoped: true, Explicit: true},
			{Name: "write kernel modules", Verbs: writing, Group: "kmm.sigs.x-k8s.io", Resources: []string{"modules"}, Explicit: true},
			{Name: "write hosts of Metal3", Verbs: writing, Group: "metal3.io", Resources: []string{"baremetalhosts"}, Explicit: true},
			{Name: "write machines of Gardener", Verbs: writing, Group: "machine.sapcloud.io", Explicit: true,
				Resources: []string{"machines", "machinesets", "machinedeployments", "machineclasses"}},
			{Name: "write scripts of Deckhouse", Verbs: writing, Group: "deckhouse.io", Resources: []string{"nodegroupconfigurations"}, ClusterScoped: true, Explicit: true},
			{Name: "write plans of k0s", Verbs: writing, Group: "autopilot.k0sproject.io", Resources: []string{"plans"}, ClusterScoped: true, Explicit: true},
		}},
		{Text: "writes catalogs or plans from which OLM v0 installs operators", Rank: 33, Class: Extensions, Source: installPlans, custom: true, powers: []*Power{
			{Name: "write CatalogSources", Verbs: writing, Group: "operators.coreos.com", Resources: []string{"catalogsources"}, Explicit: true},
			{Name: "change plans of OLM v0", Verbs: updating, Group: "operators.coreos.com", Resources: []string{"installplans/status"}, Explicit: true},
		}},
	}
}

// rankedIdentities are those that depend on who trusts an identity, or on what sends tokens and Secrets.
func rankedIdentities() []*Danger {
	return []*Danger{
		{Text: "writes identities of Dex: can act as any user and group where its tokens count", Rank: 16, Class: Escalation, Source: dexStorage, custom: true, powers: []*Power{
			{Name: "write identities of Dex", Verbs: writing, Group: "dex.coreos.com", Resources: []string{"connectors", "passwords"}, Explicit: true},
		}},
		{Text: "writes a Jenkins, whose operator grants any role in its namespace", Rank: 16, Class: Escalation, Source: jenkinsRoles, custom: true, powers: []*Power{
			{Name: "write a Jenkins", Verbs: writing, Group: "jenkins.io", Resources: []string{"jenkins"}, Explicit: true},
		}},
		{Text: "writes generators with which External Secrets sends tokens or Secrets to a server", Rank: 16, Class: Secrets, Source: generators, custom: true, powers: []*Power{
			{Name: "write generators", Verbs: writing, Group: "generators.external-secrets.io", Resources: []string{"vaultdynamicsecrets", "webhooks"}, Explicit: true},
			{Name: "write ClusterGenerators", Verbs: writing, Group: "generators.external-secrets.io", Resources: []string{"clustergenerators"}, ClusterScoped: true, Explicit: true},
		}},
		{Text: "writes objects with which KEDA reads Secrets, or sends tokens of accounts", Rank: 16, Class: Secrets, Source: kedaTriggers, custom: true, powers: []*Power{
			{Name: "write TriggerAuthentications", Verbs: writing, Group: "keda.sh", Resources: []string{"triggerauthentications"}, Explicit: true},
			{Name: "write ClusterTriggerAuthentications", Verbs: writing, Group: "keda.sh", Resources: []string{"clustertriggerauthentications"}, ClusterScoped: true, Explicit: true},
		}},
	}
}

// rankedControllers are those that depend on what else a controller reads, or on its account.
func rankedControllers() []*Danger {
	return []*Danger{
		{Text: "writes objects for which Velero runs commands in containers", Rank: 31, Class: Pods, Source: "https://velero.io/docs/main/backup-hooks/", custom: true, powers: []*Power{
			{Name: "write backups of Velero", Verbs: writing, Group: "velero.io", Resources: []string{"backups", "schedules"}, Explicit: true},
		}},
		{Text: "writes objects for which a controller runs commands as its own account", Rank: 31, Class: Pods, Source: ownCommands, custom: true, powers: []*Power{
			{Name: "write actions of Kanister", Verbs: writing, Group: "cr.kanister.io", Resources: []string{"actionsets", "blueprints"}, Explicit: true},
			{Name: "write workspaces of Terraform", Verbs: writing, Group: "tf.upbound.io", Resources: []string{"workspaces"}, ClusterScoped: true, Explicit: true},
		}},
		{Text: "writes policies by which Kyverno deletes what exists", Rank: 21, Class: Admission, Source: "https://kyverno.io/docs/policy-types/cleanup-policy/", custom: true, powers: []*Power{
			{Name: "write CleanupPolicies", Verbs: writing, Group: kyvernoGroup, Resources: []string{"cleanuppolicies"}, Explicit: true},
			{Name: "write ClusterCleanupPolicies", Verbs: writing, Group: kyvernoGroup, Resources: []string{"clustercleanuppolicies"}, ClusterScoped: true, Explicit: true},
			{Name: "write DeletingPolicies", Verbs: writing, Group: "policies.kyverno.io", Resources: []string{"deletingpolicies"}, ClusterScoped: true, Explicit: true},
			{Name: "write deleting policies of namespaces", Verbs: writing, Group: "policies.kyverno.io", Resources: []string{"namespaceddeletingpolicies"}, Explicit: true},
		}},
		{Text: "writes inputs or syncs from which controllers apply objects, as an account that others choose", Rank: 33, Class: Extensions, Source: appliedInputs, custom: true, powers: []*Power{
			{Name: "write inputs of ResourceSets", Verbs: writing, Group: "fluxcd.controlplane.io", Resources: []string{"resourcesetinputproviders"}, Explicit: true},
			{Name: "write RepoSyncs", Verbs: writing, Group: "configsync.gke.io", Resources: []string{"reposyncs"}, Explicit: true},
		}},
	}
}
