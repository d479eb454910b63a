package states

import (
	"bytes"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
)

// workloads are the kinds of Kubernetes with pods.
var workloads = []string{"Pod", "PodTemplate", "ReplicationController", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"}

// comparedGroups are the ends of API groups whose objects are compared by what they apply, or as which identity.
var comparedGroups = []string{".k8s.io", "argoproj.io", "fluxcd.io", "olm.operatorframework.io"}

// addUncompared adds what a changed file holds that is not compared. Kinds are those that are.
func addUncompared(r *change.Report, file string, text []byte, kinds map[string][]string) {
	if textpaths.IsScript(file) {
		if slices.ContainsFunc([]string{"apiVersion", "kubectl", "kubernetes_", "oc adm", "oc create", "oc apply"}, func(word string) bool { return bytes.Contains(text, []byte(word)) }) {
			r.AddUncompared(change.InScripts, file)
		}
		return
	}
	if !repo.IsManifest(file) || objects.IsKustomizationFile(file) {
		return
	}
	for _, doc := range manifest.Scan(file, text).Docs {
		if what := uncompared(doc, kinds); what != "" {
			r.AddUncompared(what, file)
		}
	}
}

func uncompared(doc *manifest.Document, kinds map[string][]string) string {
	group, _, _ := strings.Cut(doc.APIVersion(), "/")
	switch kind := doc.Kind(); {
	case slices.Contains(workloads, kind):
		return change.OfPods
	case kind == "ConfigMap", kind == "Secret":
		return change.OfConfigMaps
	case kind == "CustomResourceDefinition", kind == "APIService":
		return change.Definitions
	case kind == "AppProject":
		return change.OfProjects
	case kinds[kind] != nil, !strings.Contains(group, "."):
		return ""
	case slices.ContainsFunc(comparedGroups, func(suffix string) bool { return strings.HasSuffix(group, suffix) }):
		return ""
	}
	return change.OfControllers
}
