package main

import "strings"

// fetched are changes of objects and files that have something applied which salint does not read: Fleet of Rancher, Open Cluster Management, k3s, and
// releases of charts that are elsewhere.
func fetched() (all []variant) {
	const values = "defaultNamespace: birds\nhelm:\n  repo: https://charts.example.com\n  chart: swan\n  version: 1.0.0\n  timeoutSeconds: 5\n  values: {replicas: 1}\n"
	const local = "defaultNamespace: birds\nhelm: {valuesFiles: [v.yaml]}\ntargetCustomizations:\n- name: lake\n  clusterSelector: {matchLabels: {env: lake}}\n  helm: {values: {role: view, replicas: 1}}\n"
	const subscription = "apiVersion: apps.open-cluster-management.io/v1\nkind: Subscription\nmetadata: {name: swans, namespace: lake, annotations: {apps.open-cluster-management.io/git-path: quiet}}\n" +
		"spec: {channel: lake/git, placement: {local: true}}\n"
	const channel = "apiVersion: apps.open-cluster-management.io/v1\nkind: Channel\nmetadata: {name: git, namespace: lake}\nspec: {type: Git, pathname: https://git.example.com/else/repo}\n"
	const policy = "apiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nmetadata: {name: nests, namespace: lake}\nspec:\n  remediationAction: inform\n  disabled: false\n  policy-templates:\n" +
		"  - objectDefinition:\n      apiVersion: policy.open-cluster-management.io/v1\n      kind: ConfigurationPolicy\n      metadata: {name: nests}\n      spec:\n        severity: low\n        object-templates:\n" +
		"        - complianceType: musthave\n          objectDefinition: {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: nests}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: swan, namespace: lake}]}\n"
	const chart = "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: swan, namespace: kube-system}\nspec:\n  repo: https://charts.example.com\n  chart: swan\n  version: 1.0.0\n  valuesContent: |-\n    replicas: 1\n"
	const more = "---\napiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: {name: swan, namespace: kube-system}\nspec:\n  valuesContent: |-\n    "
	const release = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: far, namespace: birds}\nspec: {url: https://charts.example.com}\n---\n" +
		"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: far, namespace: birds}\n" +
		"spec:\n  interval: 1m\n  chart: {spec: {chart: far, version: 1.0.0, sourceRef: {kind: HelmRepository, name: far}}}\n  valuesFrom: [{kind: ConfigMap, name: settings}]\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: birds}\ndata:\n  values.yaml: |\n    replicas: 1\n"
	const catalog = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: web}\nspec:\n  namespace: web\n" +
		"  source: {sourceType: Catalog, catalog: {packageName: web, version: 1.0.0}}\n"
	const gitRepo = "apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata: {name: far, namespace: fleet-default}\nspec: {repo: https://git.example.com/else/repo, revision: v1.0.0, pollingInterval: 1m}\n"
	for name, c := range map[string]struct{ file, text, old, now, want string }{
		"a GitRepo at a pull request":            {"lake/g.yaml", gitRepo, "v1.0.0", "refs/pull/7/head", "unread"},
		"a GitRepo at a newer tag":               {"lake/g.yaml", gitRepo, "v1.0.0", "v1.1.0", passes},
		"a GitRepo that is asked less often":     {"lake/g.yaml", gitRepo, "1m", "9m", passes},
		"fleet.yaml, another repository":         {"app/fleet.yaml", values, "charts.example.com", "other.example.com", "unread"},
		"fleet.yaml, a value that may grant":     {"app/fleet.yaml", values, "{replicas: 1}", "{rbac: {clusterAdmin: true}}", "unread"},
		"fleet.yaml, a newer version":            {"app/fleet.yaml", values, "1.0.0", "1.1.0", passes},
		"fleet.yaml, another timeout":            {"app/fleet.yaml", values, "Seconds: 5", "Seconds: 9", passes},
		"fleet.yaml, more replicas":              {"app/fleet.yaml", values, "replicas: 1", "replicas: 2", passes},
		"fleet.yaml, a value for a target":       {"app/fleet.yaml", local, "role: view", "role: cluster-admin", "unread"},
		"fleet.yaml, replicas for a target":      {"app/fleet.yaml", local, "replicas: 1", "replicas: 2", passes},
		"fleet.yaml, another account":            {"app/fleet.yaml", local, "defaultNamespace: birds\n", "defaultNamespace: birds\nserviceAccount: admin\n", "unread"},
		"fleet.yaml, another namespace":          {"app/fleet.yaml", local, "defaultNamespace: birds\n", "defaultNamespace: fish\n", passes},
		"a Subscription of another channel":      {"lake/s.yaml", subscription, "lake/git", "other/git", "unread"},
		"a Subscription of another folder":       {"lake/s.yaml", subscription, "git-path: quiet", "git-path: powerful", "unread"},
		"a Subscription at certain times":        {"lake/s.yaml", subscription, "placement:", "timewindow: {windowtype: active}, placement:", passes},
		"a Channel with another address":         {"lake/c.yaml", subscription + separator + channel, "else/repo", "other/repo", "unread"},
		"a Channel with a comment":               {"lake/c.yaml", subscription + separator + channel, "type: Git", "type: Git ", passes},
		"a Policy begins to enforce":             {"lake/p.yaml", policy, "inform", "enforce", "unread"},
		"a Policy is more severe":                {"lake/p.yaml", policy, "severity: low", "severity: high", passes},
		"a chart of k3s with other values":       {"k3s/h.yaml", chart, "replicas: 1", "rbac: {create: true}", "unread"},
		"a chart of k3s with more replicas":      {"k3s/h.yaml", chart, "replicas: 1", "replicas: 2", passes},
		"a chart of k3s with a configuration":    {"k3s/h.yaml", chart, "replicas: 1\n", "replicas: 1\n" + more + "rbac: {clusterAdmin: true}\n", "unread"},
		"a chart of k3s with a harmless one":     {"k3s/h.yaml", chart, "replicas: 1\n", "replicas: 1\n" + more + "replicas: 2\n", passes},
		"a ConfigMap for a chart elsewhere":      {"birds/r.yaml", release, "replicas: 1", "rbac: {clusterAdmin: true}", "unread"},
		"replicas in it":                         {"birds/r.yaml", release, "replicas: 1", "replicas: 3", passes},
		"the default upgradeConstraintPolicy":    {"olm/e.yaml", catalog, "version: 1.0.0", "version: 1.0.0, upgradeConstraintPolicy: CatalogProvided", passes},
		"another upgradeConstraintPolicy of OLM": {"olm/e.yaml", catalog, "version: 1.0.0", "version: 1.0.0, upgradeConstraintPolicy: SelfCertified", "power"},
	} {
		before := map[string]string{"a.yaml": accountOf("runner"), "app/v.yaml": "role: view\n", ".salint.yaml": "target: olm-1.11\n", c.file: c.text}
		all = append(all, variant{name, before, changed(c.file, strings.Replace(c.text, c.old, c.now, 1)), c.want})
	}
	definitions := map[string]string{
		"chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "chart/templates/a.yaml": quietObject,
		"chart/crds/b.yaml": accountOf("admin") + separator + bindingOf("admin", "cluster-admin"),
	}
	skipping := func(settings string) map[string]string {
		apps := argoFiles("north", "", "chart")
		apps["argocd/north-0.yaml"] = strings.Replace(apps["argocd/north-0.yaml"], "path: chart", "path: chart, helm: {"+settings+"}", 1)
		return apps
	}
	const project = "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: default, namespace: argocd}\nspec:\n  sourceRepos: ['*']\n" +
		"  destinations: [{server: 'https://north.example.com', namespace: other}]\n  clusterResourceWhitelist: [{group: '*', kind: '*'}]\n"
	limited := both(argoFiles("north", "", "first"), changed("first/a.yaml", accountOf("admin")+separator+bindingOf("admin", "cluster-admin"), "argocd/p.yaml", project))
	all = append(all,
		variant{"a project without sources allows one", both(limited, changed("argocd/p.yaml", strings.Replace(strings.Replace(project, "  sourceRepos: ['*']\n", "", 1), "namespace: other", "namespace: apps", 1))),
			changed("argocd/p.yaml", strings.Replace(project, "namespace: other", "namespace: apps", 1)), "unread"},
		variant{"a project no longer excludes a source", both(limited, changed("argocd/p.yaml", strings.Replace(strings.Replace(project, "['*']", "['*', '!https://git.example.com/org/*']", 1), "namespace: other", "namespace: apps", 1))),
			changed("argocd/p.yaml", strings.Replace(project, "namespace: other", "namespace: apps", 1)), "unread"},
	)
	for name, c := range map[string]struct{ old, now, want string }{
		"a project allows a namespace of an Application": {"namespace: other", "namespace: apps", "unread"},
		"a project allows another namespace":             {"namespace: other", "namespace: fish", passes},
		"a project of more descriptive words":            {"spec:\n", "spec:\n  description: birds\n", passes},
	} {
		all = append(all, variant{name, limited, changed("argocd/p.yaml", strings.Replace(project, c.old, c.now, 1)), c.want})
	}
	return append(all,
		variant{"crds/ is no longer skipped", both(definitions, skipping("skipCrds: true")), skipping("skipCrds: false"), "power"},
		variant{"crds/ is skipped as before", both(definitions, skipping("skipCrds: true")), skipping("skipCrds: true, skipTests: true"), passes},
	)
}
