package applying_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
)

func TestKeepsRemoved(t *testing.T) {
	prunes := view.Field[bool]{Value: true}
	for name, c := range map[string]struct {
		application         gitops.Application
		annotations, labels map[string]string
		want                string // a part of the reason; "" if the object is deleted
	}{
		"Argo CD prunes":               {application: gitops.Application{Tool: gitops.ArgoCD, Prune: prunes}},
		"Argo CD does not prune":       {application: gitops.Application{Tool: gitops.ArgoCD}, want: "automated.prune"},
		"an object is not pruned":      {application: gitops.Application{Tool: gitops.ArgoCD, Prune: prunes}, annotations: map[string]string{"argocd.argoproj.io/sync-options": "Prune=false,Replace=true"}, want: "Prune=false"},
		"an object is pruned last":     {application: gitops.Application{Tool: gitops.ArgoCD, Prune: prunes}, annotations: map[string]string{"argocd.argoproj.io/sync-options": "PruneLast=true"}},
		"an object needs confirmation": {application: gitops.Application{Tool: gitops.ArgoCD, Prune: prunes}, annotations: map[string]string{"argocd.argoproj.io/sync-options": "Prune=confirm"}, want: "confirmation"},
		"Flux prunes":                  {application: gitops.Application{Tool: gitops.FluxKustomize, Prune: prunes}},
		"Flux does not prune":          {application: gitops.Application{Tool: gitops.FluxKustomize}, want: "spec.prune"},
		"a sync is not automated":      {application: gitops.Application{Tool: gitops.ArgoCD, Prune: view.Field[bool]{Location: view.Location{Path: []string{"spec", "syncPolicy", "automated", "enabled"}}}}, want: "automated.enabled"},
		"Flux sets an annotation":      {application: gitops.Application{Tool: gitops.FluxKustomize, Prune: prunes, Sources: fluxAnnotation("disabled")}, want: "prune: disabled"},
		"Flux sets another value":      {application: gitops.Application{Tool: gitops.FluxKustomize, Prune: prunes, Sources: fluxAnnotation("enabled")}},
		"an annotation keeps":          {application: gitops.Application{Tool: gitops.FluxKustomize, Prune: prunes}, annotations: map[string]string{"kustomize.toolkit.fluxcd.io/prune": "disabled"}, want: "prune: disabled"},
		"a label keeps":                {application: gitops.Application{Tool: gitops.FluxKustomize, Prune: prunes}, labels: map[string]string{"kustomize.toolkit.fluxcd.io/reconcile": "disabled"}, want: "reconcile: disabled"},
		"an annotation of another":     {application: gitops.Application{Tool: gitops.FluxKustomize, Prune: prunes}, annotations: map[string]string{"argocd.argoproj.io/sync-options": "Prune=false"}},
		"Helm deletes":                 {application: gitops.Application{Tool: gitops.FluxHelm}},
		"Helm keeps":                   {application: gitops.Application{Tool: gitops.FluxHelm}, annotations: map[string]string{"helm.sh/resource-policy": "keep"}, want: "resource-policy"},
		"kapp keeps":                   {application: gitops.Application{Tool: gitops.FluxHelm}, annotations: map[string]string{"kapp.k14s.io/delete-strategy": "orphan"}, want: "orphan"},
	} {
		t.Run(name, func(t *testing.T) {
			why, ok := applying.KeepsRemoved(&c.application, c.annotations, c.labels)
			if ok != (c.want != "") || !strings.Contains(why, c.want) {
				t.Errorf("KeepsRemoved() = %q, %t, want a reason with %q", why, ok, c.want)
			}
		})
	}
}

// fluxAnnotation returns a source for which Flux sets the annotation about pruning on all objects.
func fluxAnnotation(value string) []sources.Source {
	entry := view.Entry{Key: "kustomize.toolkit.fluxcd.io/prune", Value: view.Field[string]{Value: value}}
	return []sources.Source{{Kustomize: sources.Kustomization{MetadataAnnotations: []view.Entry{entry}}}}
}
