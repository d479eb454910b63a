package fields

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// SetLabel gives the object a label, or changes it.
func SetLabel(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return setEntry(c, r, "labels", "label")
}

// RemoveLabel removes a label.
func RemoveLabel(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return removeEntry(c, r, "labels", "label")
}

// SetAnnotation gives the object an annotation, or changes it.
func SetAnnotation(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return setEntry(c, r, "annotations", "annotation")
}

// RemoveAnnotation removes an annotation.
func RemoveAnnotation(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return removeEntry(c, r, "annotations", "annotation")
}

func setEntry(c *engine.Context, r engine.Request, field, noun string) (*engine.Plan, error) {
	key, value := text(r, "key"), text(r, "value")
	p, err := set(c, r, manifest.Path{"metadata", field, key}, value)
	if err != nil {
		return nil, err
	}
	p.Description = "Set the " + noun + " " + key + " to " + value
	p.Kind = kindOf(r, key)
	return p, nil
}

func removeEntry(c *engine.Context, r engine.Request, field, noun string) (*engine.Plan, error) {
	key := text(r, "key")
	p, err := remove(c, r, manifest.Path{"metadata", field, key})
	if err != nil {
		return nil, err
	}
	p.Description = "Remove the " + noun + " " + key
	p.Kind = kindOf(r, key)
	return p, nil
}

// kindOf returns the kind of the request, and Unsafe where a label or annotation can decide what a program does: one of Kubernetes or of
// a tool that applies objects, and any of an object that others select by labels.
func kindOf(r engine.Request, key string) finding.FixKind {
	if r.Kind == finding.Safe && (isOfTool(key) || isSelected(r.Object)) {
		return finding.Unsafe
	}
	return r.Kind
}

// toolDomains are the domains of keys that programs act on.
var toolDomains = []string{
	"kubernetes.io", "k8s.io", "argoproj.io", "fluxcd.io", "helm.sh", "openshift.io", "operatorframework.io", "kustomize.config.k8s.io", "amazonaws.com",
	"cert-manager.io", "istio.io", "linkerd.io", "kyverno.sh", "gatekeeper.sh", "crossplane.io", "cattle.io", "gke.io", "google.com", "azure.com", "azure.workload.identity",
}

func isOfTool(key string) bool {
	domain, _, prefixed := strings.Cut(key, "/")
	return prefixed && slices.ContainsFunc(toolDomains, func(d string) bool { return domain == d || strings.HasSuffix(domain, "."+d) })
}

// isSelected reports whether an object is of a kind that others select by its labels.
func isSelected(o *objects.Object) bool {
	switch o.Kind {
	case "Pod", "Namespace", "Node", "ClusterRole", "Service", "Secret":
		return true
	}
	return false
}
