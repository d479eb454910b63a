package danger

import "slices"

// Fetcher is a kind whose controller applies what it downloads from where the object says: no manifest shows it.
type Fetcher struct {
	Group, Kind string
	// Tool is the name of the controller, and Source documents the effect.
	Tool, Source string
	// Adds is set if an object of the kind applies nothing alone: it is a setting or an address of others.
	Adds bool
}

// fetchers are in the order of their groups. Those of Flux and Argo CD are applications, which are resolved; those that act as an account that they name
// have no more power than that one, see AccountNamers.
var fetchers = []Fetcher{
	{"addons.cluster.x-k8s.io", "HelmChartProxy", "Cluster API", "https://github.com/kubernetes-sigs/cluster-api-addon-provider-helm", false},
	{"apps.open-cluster-management.io", "Channel", "Open Cluster Management", "open-cluster-management-io/multicloud-operators-channel, pkg/apis/apps/v1", true},
	{"apps.open-cluster-management.io", "Subscription", "Open Cluster Management", "open-cluster-management-io/multicloud-operators-subscription, pkg/apis/apps/v1", false},
	{"config.projectsveltos.io", "ClusterProfile", "Sveltos", sveltos, false},
	{"config.projectsveltos.io", "Profile", "Sveltos", sveltos, false},
	{"configsync.gke.io", "RootSync", "Config Sync", configSync, false},
	{"fleet.cattle.io", "GitRepo", "Rancher Fleet", fleet, false},
	{"fleet.cattle.io", "HelmOp", "Rancher Fleet", fleet, false},
	{"fluxcd.controlplane.io", "FluxInstance", "Flux Operator", fluxOperator, false},
	{"gitops.kluctl.io", "KluctlDeployment", "Kluctl", kluctl, false},
	{"helm.cattle.io", "HelmChart", "k3s", k3sCharts, false},
	{"helm.cattle.io", "HelmChartConfig", "k3s", k3sCharts, true},
	{"helm.crossplane.io", "Release", "Crossplane", "crossplane-contrib/provider-helm, apis/release/v1beta1", false},
	{"helm.k0sproject.io", "Chart", "k0s", k0sCharts, false},
	{"helm.m.crossplane.io", "Release", "Crossplane", "crossplane-contrib/provider-helm, apis/namespaced/release/v1beta1", false},
	{"operators.coreos.com", "Subscription", "OLM v0", operatorGroups, false},
	{"pkg.crossplane.io", "Configuration", "Crossplane", crossplane, false},
	{"pkg.crossplane.io", "Function", "Crossplane", crossplane, false},
	{"pkg.crossplane.io", "Provider", "Crossplane", crossplane, false},
	{"policy.open-cluster-management.io", "OperatorPolicy", "Open Cluster Management", acmPolicies, false},
}

// FetcherOf returns the row of a kind. It is false if no controller applies what an object of the kind names.
func FetcherOf(group, kind string) (f Fetcher, is bool) {
	i := slices.IndexFunc(fetchers, func(f Fetcher) bool { return f.Group == group && f.Kind == kind })
	if i < 0 {
		return Fetcher{}, false
	}
	return fetchers[i], true
}
