package impersonation

import (
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/kube/objects"
)

// verbsFor returns the verbs on an object, in addition to create, without which a tool fails to apply it; none if the tool does not
// apply the object in the usual way, so that nothing is required of it.
//
// Flux applies on the server, which needs create and patch; it goes on if it is not allowed to read the object (fluxcd/pkg,
// ssa/manager_apply.go). Helm and kubectl read an object before they write it. Argo CD applies on the server if it is set to.
func verbsFor(a *gitops.Application, o *objects.Object) []string {
	annotations := texts(o, "annotations")
	switch a.Tool {
	case gitops.FluxKustomize:
		return fluxVerbs(a, annotations, texts(o, "labels"))
	case gitops.FluxHelm:
		if _, isHook := annotations["helm.sh/hook"]; isHook || o.Kind == "CustomResourceDefinition" {
			return nil
		}
		return []string{"get", "patch"}
	}
	return argoVerbs(a, o, annotations)
}

// syncOptions is the annotation with the options of Argo CD for an object.
const syncOptions = "argocd.argoproj.io/sync-options"

// appliesOnServer reports whether a tool applies an object with server-side apply.
func appliesOnServer(a *gitops.Application, o *objects.Object) bool {
	return a.ServerSide.Value || a.Tool == gitops.ArgoCD && strings.Contains(texts(o, "annotations")[syncOptions], "ServerSideApply=true")
}

const fluxPrefix = "kustomize.toolkit.fluxcd.io/"

func fluxVerbs(a *gitops.Application, annotations, labels map[string]string) []string {
	is := func(key, value string) bool {
		return strings.EqualFold(annotations[fluxPrefix+key], value) || strings.EqualFold(labels[fluxPrefix+key], value)
	}
	switch {
	case is("reconcile", "disabled"), is("ssa", "Ignore"):
		return nil
	}
	if _, kept := applying.KeepsRemoved(a, annotations, labels); kept {
		return []string{"patch"}
	}
	return []string{"get", "patch", "delete"} // it reads an object before it deletes it (ssa/manager_delete.go)
}

func argoVerbs(a *gitops.Application, o *objects.Object, annotations map[string]string) []string {
	options := annotations[syncOptions]
	if annotations["argocd.argoproj.io/hook"] != "" || annotations["helm.sh/hook"] != "" || a.Replace.Value || strings.Contains(options, "Replace=true") {
		return nil
	}
	var verbs []string
	if !appliesOnServer(a, o) {
		verbs = append(verbs, "get")
	}
	verbs = append(verbs, "patch")
	if a.Prune.Value && !strings.Contains(options, "Prune=false") {
		verbs = append(verbs, "delete")
	}
	return verbs
}

// texts returns the annotations or labels of an object that are strings.
func texts(o *objects.Object, field string) map[string]string {
	metadata, _ := o.JSON()["metadata"].(map[string]any)
	fields, _ := metadata[field].(map[string]any)
	values := map[string]string{}
	for key, value := range fields {
		if text, ok := value.(string); ok {
			values[key] = text
		}
	}
	return values
}
