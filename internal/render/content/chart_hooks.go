package content

import (
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render"
)

// crdsDir is the folder of a chart or subchart for CRDs.
const crdsDir = "/crds/"

// withoutTests removes the objects that only `helm test` applies, and returns notes about them, and about objects that are
// applied differently from the rest.
func withoutTests(objects []rendered.Object) (installed []rendered.Object, notes []string) {
	var tests, hooks, definitions int
	for _, o := range objects {
		switch {
		case isTest(o):
			tests++
			continue
		case render.IsHook(o):
			hooks++
		case o.Kind() == kindCRD && strings.Contains(o.Origin.Template, crdsDir):
			definitions++
		}
		installed = append(installed, o)
	}
	note := func(n int, one, many string) {
		if n > 0 {
			notes = append(notes, words.CountOf(n, "object "+one, "objects "+many))
		}
	}
	note(tests, "for `helm test` was left out, because installing does not apply it", "for `helm test` were left out, because installing does not apply them")
	note(hooks, "is a hook, which Helm applies separately and may delete", "are hooks, which Helm applies separately and may delete")
	note(definitions, "is a CRD in crds/, which Helm installs first and never changes",
		"are CRDs in crds/, which Helm installs first and never changes")
	return installed, notes
}

// isTest reports whether an object is a hook for tests only.
func isTest(o rendered.Object) bool {
	if !render.IsHook(o) {
		return false
	}
	for _, event := range strings.Split(o.Annotation(render.HookAnnotation), ",") {
		switch strings.TrimSpace(event) {
		case "test", "test-success", "test-failure":
		default:
			return false
		}
	}
	return true
}
