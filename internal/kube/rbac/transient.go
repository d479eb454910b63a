package rbac

import (
	"fmt"

	"github.com/salint/salint/internal/kube/objects"
)

// transientAnnotations keep an object off the cluster, or remove it again. The value is the one with this effect; "" stands
// for any value: hooks of Argo CD and Helm are created and removed with a sync or a release, and Argo CD's Skip is never
// applied.
var transientAnnotations = []struct{ key, value string }{
	{"argocd.argoproj.io/hook", ""},
	{"helm.sh/hook", ""},
	{"kustomize.toolkit.fluxcd.io/reconcile", "disabled"},
	{"config.kubernetes.io/local-config", "true"},
}

// transientField returns the field because of which an object can be missing on the cluster, or be removed again; "" for
// none. An object with only a generateName cannot be applied, only be created, under a new name each time.
func transientField(o *objects.Object) string {
	metadata := o.Node.Get("metadata")
	for _, a := range transientAnnotations {
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
