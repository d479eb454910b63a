package applying

import (
	"cmp"
	"github.com/salint/salint/internal/assemble/gitops"
	"slices"
	"strconv"
	"strings"
)

// Annotations of Helm.
const (
	annotationHelmHook   = "helm.sh/hook"
	annotationHelmWeight = "helm.sh/hook-weight"
)

// syncStep is the position in the order of one sync or release: the phase, and the wave or weight within it.
type syncStep struct{ phase, wave int }

func (r syncStep) compare(other syncStep) int {
	return cmp.Or(cmp.Compare(r.phase, other.phase), cmp.Compare(r.wave, other.wave))
}

var (
	argoPhases = map[string]int{"PreSync": 0, "Sync": 1, "PostSync": 2}
	helmPhases = map[string]int{"pre-install": 0, "pre-upgrade": 0, "post-install": 2, "post-upgrade": 2}
)

// argoKeys and helmKeys are the annotations that determine the step, for messages.
var (
	argoKeys = []string{gitops.AnnotationHook, gitops.AnnotationWave, annotationHelmHook, annotationHelmWeight}
	helmKeys = []string{annotationHelmHook, annotationHelmWeight}
)

// argoStep returns the step in a sync of Argo CD, the earliest for a hook of several phases. It is false for an object that
// no successful sync applies. Hooks of Helm count unless there are hooks of Argo CD (gitops-engine, pkg/sync).
func argoStep(annotations map[string]string) (syncStep, bool) {
	r := syncStep{phase: 1, wave: argoWave(annotations)}
	hooks := gitops.ItemsOf(annotations[gitops.AnnotationHook])
	known := slices.ContainsFunc(hooks, func(hook string) bool {
		return slices.Contains([]string{"PreSync", "Sync", "PostSync", "SyncFail", "PreDelete", "PostDelete", "Skip"}, hook)
	})
	var ok bool
	helm, isHelm := annotations[annotationHelmHook]
	_, isArgo := annotations[gitops.AnnotationHook]
	switch {
	case known:
		r.phase, ok = earliest(hooks, argoPhases)
	case isArgo || isHelm && helm != "crd-install":
		// An Argo CD hook without a known name is still a hook, of the phases in Helm's annotation.
		r.phase, ok = earliest(gitops.ItemsOf(helm), helmPhases)
	default:
		ok = true
	}
	return r, ok
}

// argoWave returns the wave: an integer, Helm's weight if there is none, and otherwise 0.
func argoWave(annotations map[string]string) int {
	for _, key := range []string{gitops.AnnotationWave, annotationHelmWeight} {
		if wave, err := strconv.Atoi(annotations[key]); err == nil {
			return wave
		}
	}
	return 0
}

// helmStep returns the step in a release of Helm: hooks before it, everything that is no hook, hooks after it.
func helmStep(annotations map[string]string) (syncStep, bool) {
	hook, isHook := annotations[annotationHelmHook]
	if !isHook {
		return syncStep{phase: 1}, true
	}
	phase, ok := earliest(gitops.ItemsOf(hook), helmPhases)
	weight, _ := strconv.Atoi(annotations[annotationHelmWeight]) // 0 for anything that is no integer, as in Helm
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

// PrunesLast reports whether Argo CD deletes an object with these annotations only after it has applied all others.
func PrunesLast(a *gitops.Application, annotations map[string]string) bool {
	return a.PruneLast || slices.Contains(gitops.ItemsOf(annotations[gitops.AnnotationOptions]), gitops.OptionPruneLast)
}

// orderingAnnotations describes the annotations that determine the step of an object.
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

// decidingAnnotation returns the annotation that determines the order: the wave within one phase, otherwise the hook.
func decidingAnnotation(annotations map[string]string, keys []string, samePhase bool) string {
	found := ""
	for _, key := range keys {
		if _, there := annotations[key]; !there {
			continue
		}
		if isWave := key == gitops.AnnotationWave || key == annotationHelmWeight; isWave == samePhase {
			return key
		}
		if found == "" {
			found = key
		}
	}
	return found
}
