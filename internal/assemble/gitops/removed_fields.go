package gitops

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// removedFields are the fields that versions of Flux's APIs no longer have, by apiVersion and kind; * is each item of a list. Flux applies objects server-side,
// and the API server refuses a field that the schema does not declare, so that nothing of what contains the object is applied.
var removedFields = map[string][]string{
	kustomizeGroup + "/v1 " + kindKustomization: {"spec.patchesStrategicMerge", "spec.patchesJson6902", "spec.validation"},
	helmGroup + "/v2 " + kindHelmRelease: {
		"spec.chart.spec.valuesFile", "spec.postRenderers.*.kustomize.patchesStrategicMerge", "spec.postRenderers.*.kustomize.patchesJson6902",
	},
	sourceGroup + "/v1 " + kindGitRepository: {"spec.gitImplementation", "spec.accessFrom"},
	sourceGroup + "/v1 " + kindHelmChart:     {"spec.valuesFile", "spec.accessFrom"},
	sourceGroup + "/v1 Bucket":               {"spec.accessFrom"},
}

// RemovedField returns the path of a field that the version of an object of Flux no longer has.
func RemovedField(o *objects.Object) (path manifest.Path, is bool) {
	for _, field := range removedFields[o.APIVersion+" "+o.Kind] {
		if path, is := pathTo(o.JSON(), strings.Split(field, ".")); is {
			return path, true
		}
	}
	return nil, false
}

// pathTo returns the path of the first field to which some steps lead.
func pathTo(value any, steps []string) (path manifest.Path, is bool) {
	if len(steps) == 0 {
		return nil, true
	}
	next := map[string]any{}
	switch value := value.(type) {
	case map[string]any:
		if field, there := value[steps[0]]; there {
			next[steps[0]] = field
		}
	case []any:
		for i, item := range value {
			next[strconv.Itoa(i)] = item
		}
	}
	for _, step := range slices.Sorted(maps.Keys(next)) {
		if rest, is := pathTo(next[step], steps[1:]); is {
			return append(manifest.Path{step}, rest...), true
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
