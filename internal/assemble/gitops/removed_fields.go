package gitops

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// removedFields are the fields of a Kustomization that the version v1 of its API no longer has. Flux applies objects server-side, and the API server refuses a
// field that the schema does not declare, so that nothing of what contains the object is applied.
var removedFields = []string{"patchesStrategicMerge", "patchesJson6902", "validation"}

// RemovedField returns the path of a field that the version of a Kustomization of Flux no longer has.
func RemovedField(o *objects.Object) (path manifest.Path, is bool) {
	if o.APIVersion != kustomizeGroup+"/v1" || o.Kind != kindKustomization {
		return nil, false
	}
	spec, _ := o.JSON()["spec"].(map[string]any)
	for _, name := range removedFields {
		if _, there := spec[name]; there {
			return manifest.Path{"spec", name}, true
		}
	}
	return nil, false
}

// IsAppliedByFlux reports whether a Kustomization of Flux in the repository applies the object of an application.
func (r *Result) IsAppliedByFlux(a *Application) bool { return r.appliedByFlux(a.Object) }

func (r *Result) appliedByFlux(o *objects.Object) bool {
	return slices.ContainsFunc(r.units[o], func(unit *objects.Unit) bool {
		return slices.ContainsFunc(unit.Appliers, func(by objects.Applier) bool { return isKind(by.Object, kustomizeGroup, kindKustomization) })
	})
}
