package applying

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// The annotations and labels of Flux by which it does not change an object that exists (kustomize-controller, the options of ApplyAll).
const (
	keyReconcile = "kustomize.toolkit.fluxcd.io/reconcile"
	keySSA       = "kustomize.toolkit.fluxcd.io/ssa"
)

// The annotations by which kapp does not change an object that exists (kapp, pkg/kapp/clusterapply).
const (
	keyKappUpdate = "kapp.k14s.io/update-strategy"
	keyKappNoop   = "kapp.k14s.io/noop"
)

// KeepsField returns why a field of an object that exists on the cluster stays there when its manifest loses the field: a part of a sentence,
// such as "Flux does not change it (annotation: value)". ok is false if it does not stay. metadata are the annotations and labels of the object
// as it is applied.
func KeepsField(r *gitops.Result, a *gitops.Application, o *objects.Object, field manifest.Path, annotations, labels map[string]string) (why string, ok bool) {
	if why, ok := kappKeeps(annotations); ok {
		return why, true
	}
	switch a.Tool {
	case gitops.ArgoCD:
		if _, synced := argoStep(annotations); !synced {
			return "a successful sync does not apply it (" + orderingAnnotations(annotations, argoKeys) + ")", true
		}
		return r.IgnoresDifference(a, o, field)
	case gitops.FluxKustomize:
		return fluxKeeps(annotations, labels)
	case gitops.FluxHelm:
		if hooks, isHook := annotations[annotationHelmHook]; isHook && !strings.Contains(hooks, "-upgrade") {
			return "an upgrade of the release does not apply it (" + annotationHelmHook + ": " + hooks + ")", true
		}
	}
	return "", false
}

func kappKeeps(annotations map[string]string) (why string, ok bool) {
	if _, noop := annotations[keyKappNoop]; noop {
		return "kapp does not change it (" + keyKappNoop + ")", true
	}
	if value := annotations[keyKappUpdate]; value == "skip" {
		return "kapp does not change it (" + keyKappUpdate + ": skip)", true
	}
	return "", false
}

func fluxKeeps(annotations, labels map[string]string) (why string, ok bool) {
	for _, in := range []map[string]string{annotations, labels} {
		for key, values := range map[string][]string{keyReconcile: {"disabled"}, keySSA: {"IfNotPresent", "Ignore"}} {
			if slices.ContainsFunc(values, func(value string) bool { return strings.EqualFold(in[key], value) }) {
				return fmt.Sprintf("Flux does not change it (%s: %s)", key, in[key]), true
			}
		}
	}
	return "", false
}
