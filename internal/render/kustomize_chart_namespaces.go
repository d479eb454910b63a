package render

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/rendered"
)

// chartNamespaces is what decides whether versions of kustomize differ in the namespaces of charts. Up to 5.7, kustomize sets its namespace on what a
// chart renders. From 5.8 on, it gives the namespace to Helm, and leaves objects as the templates render them, also those without a namespace.
//
// Source: kustomize, api/internal/builtins/NamespaceTransformer.go (HelmGeneratedAnnotation), and kusttarget_configplugin.go.
type chartNamespaces struct {
	// set is true if a kustomization of the build sets a namespace.
	set bool
	// open are the charts with an object of a namespace whose template names none.
	open []string
}

// namespacedKinds are those of which the namespace decides something for salint.
var namespacedKinds = []string{"ServiceAccount", "Role", "RoleBinding", "Secret", "Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"}

func (n *chartNamespaces) add(chart string, o rendered.Object) {
	kind, _ := o.JSON["kind"].(string)
	if o.Namespace() == "" && slices.Contains(namespacedKinds, kind) && !slices.Contains(n.open, chart) {
		n.open = append(n.open, chart)
	}
}

// note says what was not checked; "" if the versions do not differ.
func (n *chartNamespaces) note() string {
	if !n.set || len(n.open) == 0 {
		return ""
	}
	return fmt.Sprintf("kustomize 5.8 and later (Argo CD 3.3, kubectl 1.37) set no namespace on what a chart renders without one (%s): it was checked with the namespace that 5.7 sets",
		words.First(2, n.open))
}
