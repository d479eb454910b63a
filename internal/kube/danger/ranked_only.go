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
	installPlans = "operator-framework/api, pkg/operators/v1alpha1: catalogsource_types.go, installplan_types.go (status.plan has the manifests that OLM applies)"
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
			{Name: "write machines of OpenShift", Verbs: writing, Group: "machine.openshift.io", Resources: []string{"machines", "machinesets"}, Explicit: true},
			{Name: "write profiles of TuneD", Verbs: writing, Group: "tuned.openshift.io", Resources: []string{"tuneds"}, Explicit: true},
			{Name: "write upgrade plans", Verbs: writing, Group: "upgrade.cattle.io", Resources: []string{"plans"}, Explicit: true},
		}},
		{Text: "writes catalogs or plans from which OLM v0 installs operators", Rank: 33, Class: Extensions, Source: installPlans, custom: true, powers: []*Power{
			{Name: "write CatalogSources", Verbs: writing, Group: "operators.coreos.com", Resources: []string{"catalogsources"}, Explicit: true},
			{Name: "change plans of OLM v0", Verbs: updating, Group: "operators.coreos.com", Resources: []string{"installplans/status"}, Explicit: true},
		}},
	}
}
