package gitops

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Annotations of Helm.
const (
	annotationHelmHook   = "helm.sh/hook"
	annotationHelmWeight = "helm.sh/hook-weight"
)

// rank is a place in the order of one sync or release: the phase, and the wave or weight in it.
type syncStep struct{ phase, wave int }

func (r syncStep) compare(other syncStep) int {
	return cmp.Or(cmp.Compare(r.phase, other.phase), cmp.Compare(r.wave, other.wave))
}

var (
	argoPhases = map[string]int{"PreSync": 0, "Sync": 1, "PostSync": 2}
	helmPhases = map[string]int{"pre-install": 0, "pre-upgrade": 0, "post-install": 2, "post-upgrade": 2}
)

// argoKeys and helmKeys are the annotations that place an object, for messages.
var (
	argoKeys = []string{annotationHook, annotationWave, annotationHelmHook, annotationHelmWeight}
	helmKeys = []string{annotationHelmHook, annotationHelmWeight}
)

// argoRank is the place in a sync of Argo CD, the earliest where an object is a hook of several phases; false for one that
// no successful sync applies. Hooks of Helm count where there are none of Argo CD (gitops-engine, pkg/sync).
func argoStep(annotations map[string]string) (syncStep, bool) {
	r := syncStep{phase: 1, wave: argoWave(annotations)}
	hooks := splitList(annotations[annotationHook])
	known := slices.ContainsFunc(hooks, func(hook string) bool {
		return slices.Contains([]string{"PreSync", "Sync", "PostSync", "SyncFail", "PreDelete", "PostDelete", "Skip"}, hook)
	})
	var ok bool
	helm, isHelm := annotations[annotationHelmHook]
	_, isArgo := annotations[annotationHook]
	switch {
	case known:
		r.phase, ok = earliest(hooks, argoPhases)
	case isArgo || isHelm && helm != "crd-install":
		// A hook of Argo CD without a known name is one all the same, of the phases that Helm's annotation names.
		r.phase, ok = earliest(splitList(helm), helmPhases)
	default:
		ok = true
	}
	return r, ok
}

// argoWave is a whole number, Helm's weight where there is none, and else 0.
func argoWave(annotations map[string]string) int {
	for _, key := range []string{annotationWave, annotationHelmWeight} {
		if wave, err := strconv.Atoi(annotations[key]); err == nil {
			return wave
		}
	}
	return 0
}

// helmRank is the place in a release of Helm: hooks before it, all that are none, hooks after it.
func helmStep(annotations map[string]string) (syncStep, bool) {
	hook, isHook := annotations[annotationHelmHook]
	if !isHook {
		return syncStep{phase: 1}, true
	}
	phase, ok := earliest(splitList(hook), helmPhases)
	weight, _ := strconv.Atoi(annotations[annotationHelmWeight]) // 0 for what is no number, as in Helm
	return syncStep{phase, weight}, ok
}

func earliest(hooks []string, phases map[string]int) (phase int, ok bool) {
	for _, hook := range hooks {
		if p, known := phases[hook]; known && (!ok || p < phase) {
			phase, ok = p, true
		}
	}
	return phase, ok
}

// list splits the items of an annotation.
func splitList(annotation string) []string { return syncOptions(annotation) }

// marks says which annotations place an object.
func orderingAnnotations(annotations map[string]string, keys []string) string {
	var found []string
	for _, key := range keys {
		if value, there := annotations[key]; there {
			found = append(found, key+": "+value)
		}
	}
	if len(found) == 0 {
		return "no wave and no hook"
	}
	return strings.Join(found, ", ")
}

// deciding is the annotation that puts an object where it is: among those of one phase its wave, else its hook.
func decidingAnnotation(annotations map[string]string, keys []string, samePhase bool) string {
	found := ""
	for _, key := range keys {
		if _, there := annotations[key]; !there {
			continue
		}
		if isWave := key == annotationWave || key == annotationHelmWeight; isWave == samePhase {
			return key
		}
		if found == "" {
			found = key
		}
	}
	return found
}
