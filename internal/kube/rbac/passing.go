package rbac

import (
	"fmt"

	"github.com/salint/salint/internal/kube/objects"
)

// passingAnnotations keep an object from the cluster, or let it stay there for a while only. The value is the one that does so;
// "" stands for every one: hooks of Argo CD and Helm come and go with a sync or a release, and Argo CD's Skip never comes.
var passingAnnotations = []struct{ key, value string }{
	{"argocd.argoproj.io/hook", ""},
	{"helm.sh/hook", ""},
	{"kustomize.toolkit.fluxcd.io/reconcile", "disabled"},
	{"config.kubernetes.io/local-config", "true"},
}

// passing is the field of an object for which it may not be on the cluster, or not stay there; "" for none. An object with
// nothing but a generateName cannot be applied, only be created, under a new name each time.
func passing(o *objects.Object) string {
	metadata := o.Node.Get("metadata")
	for _, a := range passingAnnotations {
		value := metadata.Get("annotations").Get(a.key).String()
		if value != "" && (a.value == "" || a.value == value) {
			return fmt.Sprintf("metadata.annotations[%s]", a.key)
		}
	}
	if o.Name == "" && metadata.Get("generateName").String() != "" {
		return "metadata.generateName"
	}
	return ""
}
