package applying

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// The instructions by which an object stays on the cluster when its manifest is removed.
const (
	keyFluxPrune     = "kustomize.toolkit.fluxcd.io/prune"
	keyHelmPolicy    = "helm.sh/resource-policy"
	keyKappDelete    = "kapp.k14s.io/delete-strategy"
	optionPruneFalse = "Prune=false"
)

// KeepsRemoved returns why an object stays on the cluster when its manifest is removed: a sentence without a full stop. ok is false if it is
// deleted. Annotations and labels are those of the object as it is applied.
func KeepsRemoved(a *gitops.Application, annotations, labels map[string]string) (why string, ok bool) {
	switch a.Tool {
	case gitops.ArgoCD:
		return argoKeepsRemoved(a, annotations)
	case gitops.FluxKustomize:
		for _, in := range []map[string]string{annotations, labels} {
			for _, key := range []string{keyFluxPrune, keyReconcile} {
				if strings.EqualFold(in[key], "disabled") {
					return "Flux does not delete objects with " + key + ": " + in[key], true
				}
			}
		}
		for _, s := range a.Sources {
			for _, e := range slices.Concat(s.Kustomize.MetadataAnnotations, s.Kustomize.MetadataLabels) {
				if slices.Contains([]string{keyFluxPrune, keyReconcile}, e.Key) && strings.EqualFold(e.Value.Value, "disabled") {
					return "Flux does not delete objects with " + e.Key + ": " + e.Value.Value, true
				}
			}
		}
		if !a.Prune.Value {
			return "Flux deletes nothing, because spec.prune" + at(a.Prune.Location.Object, a.Prune.Location.Path) + " is not true", true
		}
	case gitops.FluxHelm:
		if policy := annotations[keyHelmPolicy]; strings.EqualFold(strings.TrimSpace(policy), "keep") {
			return "Helm does not delete objects with " + keyHelmPolicy + ": " + policy, true
		}
	}
	if annotations[keyKappDelete] == "orphan" {
		return "kapp does not delete objects with " + keyKappDelete + ": orphan", true
	}
	return "", false
}

func argoKeepsRemoved(a *gitops.Application, annotations map[string]string) (why string, ok bool) {
	own := gitops.ItemsOf(annotations[gitops.AnnotationOptions])
	switch {
	case slices.Contains(own, optionPruneFalse):
		return "Argo CD does not delete objects with the option " + optionPruneFalse, true
	case slices.Contains(own, gitops.OptionConfirm), a.Confirms:
		return "Argo CD deletes it only after a confirmation (" + gitops.OptionConfirm + ")", true
	case !a.Prune.Value:
		return "Argo CD deletes only in a sync that is told to prune, because syncPolicy.automated." + pruneField(a) + at(a.Prune.Location.Object, a.Prune.Location.Path) + " is not true", true
	}
	return "", false
}

// pruneField returns the field because of which Argo CD does not delete.
func pruneField(a *gitops.Application) string {
	if path := a.Prune.Location.Path; len(path) > 0 && path[len(path)-1] == "enabled" {
		return "enabled"
	}
	return "prune"
}

// at returns the place of a field in words; "" if it is not known.
func at(o *objects.Object, path []string) string {
	if o == nil {
		return ""
	}
	return " at " + o.Position(path).String()
}
