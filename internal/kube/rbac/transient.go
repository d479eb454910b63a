package rbac

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// transientMarks are annotations, and for Flux also labels, that keep an object off the cluster, or remove it again. The value is the one with this
// effect, in any case; "" stands for any value: hooks of Argo CD and Helm are created and removed with a sync or a release, and Argo CD's Skip is never
// applied. What Flux leaves out stays on the cluster as it was (fluxcd/pkg/ssa, shouldSkipApply).
var transientMarks = []struct {
	key, value string
	labels     bool
}{
	{key: "argocd.argoproj.io/hook"},
	{key: "helm.sh/hook"},
	{"kustomize.toolkit.fluxcd.io/reconcile", "disabled", true},
	{"kustomize.toolkit.fluxcd.io/ssa", "ignore", true},
	{key: "config.kubernetes.io/local-config", value: "true"},
}

// Missing returns why a binding of a unit can be missing on the cluster, or have other contents there: what applies the unit leaves it or its role
// out, or it can be removed again.
func (b Binding) Missing(u *objects.Unit) (why objects.Problem, is bool) {
	if b.Default {
		return objects.Problem{}, false
	}
	for _, o := range []*objects.Object{b.Object, b.RoleObject} {
		if why, is := u.Withheld(o); is {
			return why, true
		}
	}
	if b.TransientField == "" {
		return objects.Problem{}, false
	}
	return objects.Problem{Position: b.Object.Position(nil), Message: "it can be left out, or be removed later, because of its " + b.TransientField}, true
}

// transientField returns the field because of which an object can be missing on the cluster, or be removed again; "" for
// none. An object with only a generateName cannot be applied, only be created, under a new name each time.
func transientField(o *objects.Object) string {
	metadata := o.Node.Get("metadata")
	for _, mark := range transientMarks {
		for _, in := range []string{"annotations", "labels"} {
			value := metadata.Get(in).Get(mark.key).String()
			if value != "" && (mark.value == "" || strings.EqualFold(mark.value, value)) && (mark.labels || in == "annotations") {
				return fmt.Sprintf("metadata.%s[%s]", in, mark.key)
			}
		}
	}
	if o.Name == "" && metadata.Get("generateName").String() != "" {
		return "metadata.generateName"
	}
	return ""
}
