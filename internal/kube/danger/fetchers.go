package danger

import "slices"

// Fetcher is a kind whose controller applies what it downloads from where the object says: no manifest shows it.
type Fetcher struct {
	Group, Kind string
	// Tool is the name of the controller, and Source documents the effect.
	Tool, Source string
}

// fetchers are in the order of their groups. Those of Flux and Argo CD are applications, which are resolved; those that act as an account that they name
// have no more power than that one, see AccountNamers.
var fetchers = []Fetcher{
	{"addons.cluster.x-k8s.io", "HelmChartProxy", "Cluster API", "https://github.com/kubernetes-sigs/cluster-api-addon-provider-helm"},
	{"apps.open-cluster-management.io", "Subscription", "Open Cluster Management", "open-cluster-management-io/multicloud-operators-subscription, pkg/apis/apps/v1"},
	{"config.projectsveltos.io", "ClusterProfile", "Sveltos", sveltos},
	{"config.projectsveltos.io", "Profile", "Sveltos", sveltos},
	{"configsync.gke.io", "RootSync", "Config Sync", configSync},
	{"fleet.cattle.io", "GitRepo", "Rancher Fleet", fleet},
	{"fleet.cattle.io", "HelmOp", "Rancher Fleet", fleet},
	{"fluxcd.controlplane.io", "FluxInstance", "Flux Operator", fluxOperator},
	{"gitops.kluctl.io", "KluctlDeployment", "Kluctl", kluctl},
	{"helm.cattle.io", "HelmChart", "k3s", k3sCharts},
	{"helm.k0sproject.io", "Chart", "k0s", k0sCharts},
	{"helm.crossplane.io", "Release", "Crossplane", "crossplane-contrib/provider-helm, apis/release/v1beta1"},
	{"helm.m.crossplane.io", "Release", "Crossplane", "crossplane-contrib/provider-helm, apis/namespaced/release/v1beta1"},
	{"operators.coreos.com", "Subscription", "OLM v0", operatorGroups},
	{"pkg.crossplane.io", "Configuration", "Crossplane", crossplane},
	{"pkg.crossplane.io", "Function", "Crossplane", crossplane},
	{"pkg.crossplane.io", "Provider", "Crossplane", crossplane},
	{"policy.open-cluster-management.io", "OperatorPolicy", "Open Cluster Management", acmPolicies},
}

// FetcherOf returns the row of a kind. It is false if no controller applies what an object of the kind names.
func FetcherOf(group, kind string) (f Fetcher, is bool) {
	i := slices.IndexFunc(fetchers, func(f Fetcher) bool { return f.Group == group && f.Kind == kind })
	if i < 0 {
		return Fetcher{}, false
	}
	return fetchers[i], true
}
