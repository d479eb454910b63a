package main

import (
	"fmt"
	"iter"
)

// cluster is the repository of one cluster that Flux manages: a Flux Kustomization for each application, which applies a folder with a
// release of a chart from a registry, and variables that Flux substitutes.
type cluster struct {
	// Applications is the number of applications, ten in each namespace.
	Applications int
}

const applicationsPerNamespace = 10

func (c cluster) all() iter.Seq[file] {
	files := []file{
		{Path: "flux/cluster.yaml", Text: fluxKustomization("cluster-apps", "", "./apps")},
		{Path: "flux/settings.yaml", Text: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cluster-settings\n  namespace: flux-system\n" +
			"data:\n  DOMAIN: example.com\n  TIMEZONE: UTC\n"},
	}
	resources := ""
	for i := range c.Applications {
		namespace := fmt.Sprintf("space-%02d", i/applicationsPerNamespace)
		if i%applicationsPerNamespace == 0 {
			if i > 0 {
				files = append(files, resourcesOf(i-1, resources))
			}
			resources = "  - namespace.yaml\n"
			files = append(files, file{Path: "apps/" + namespace + "/namespace.yaml", Text: fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: %s\n", namespace)})
		}
		name := fmt.Sprintf("app-%03d", i)
		resources += "  - " + name + "/flux.yaml\n"
		files = append(files, application(name, namespace, i%applicationsPerNamespace == 0)...)
	}
	if c.Applications > 0 {
		files = append(files, resourcesOf(c.Applications-1, resources))
	}
	return counted(files)
}

// resourcesOf is the kustomization of the namespace in which an application is.
func resourcesOf(application int, resources string) file {
	namespace := fmt.Sprintf("space-%02d", application/applicationsPerNamespace)
	return file{Path: "apps/" + namespace + "/kustomization.yaml", Text: "resources:\n" + resources}
}

// fluxKustomization sets the namespace of what it applies, unless it is "".
func fluxKustomization(name, namespace, path string) string {
	if namespace != "" {
		namespace = "  targetNamespace: " + namespace + "\n"
	}
	return fmt.Sprintf("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: %s\n  namespace: flux-system\nspec:\n"+
		"  interval: 1h\n%s  path: %s\n  prune: true\n  sourceRef:\n    kind: GitRepository\n    name: flux-system\n    namespace: flux-system\n"+
		"  postBuild:\n    substituteFrom:\n      - kind: ConfigMap\n        name: cluster-settings\n", name, namespace, path)
}

// application is the folder of one application. Some have a separate account, with a binding.
func application(name, namespace string, withAccount bool) []file {
	at := "apps/" + namespace + "/" + name
	resources := "resources:\n  - release.yaml\n  - source.yaml\n"
	var files []file
	if withAccount {
		resources += "  - account.yaml\n"
		files = append(files, file{Path: at + "/app/account.yaml", Text: fmt.Sprintf("apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: %[1]s\n---\n"+
			"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n  name: %[1]s\n"+
			"roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n  name: view\nsubjects:\n"+
			"  - kind: ServiceAccount\n    name: %[1]s\n    namespace: %[2]s\n", name, namespace)})
	}
	return append(files, []file{
		{Path: at + "/flux.yaml", Text: fluxKustomization(name, namespace, "./"+at+"/app")},
		{Path: at + "/app/kustomization.yaml", Text: resources},
		{Path: at + "/app/source.yaml", Text: fmt.Sprintf("apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata:\n  name: %[1]s\n"+
			"spec:\n  interval: 1h\n  url: oci://registry.example.com/charts/%[1]s\n  ref:\n    tag: 1.2.3\n", name)},
		{Path: at + "/app/release.yaml", Text: fmt.Sprintf("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: %[1]s\n"+
			"spec:\n  interval: 1h\n  chartRef:\n    kind: OCIRepository\n    name: %[1]s\n  values:\n    controllers:\n      main:\n"+
			"        containers:\n          main:\n            image:\n              repository: registry.example.com/%[1]s\n              tag: 4.5.6\n"+
			"            env:\n              TZ: ${TIMEZONE}\n    route:\n      main:\n        hostnames: [\"%[1]s.${DOMAIN}\"]\n", name)},
	}...)
}
