package gitops

import (
	"os"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
)

// expanded substitutes the variables of Argo CD's build environment. Those that are known only during a sync stay.
func expanded(text string, a *Application, s *sources.Source) string {
	if !strings.Contains(text, "$") {
		return text
	}
	known := map[string]string{
		"ARGOCD_APP_NAME": a.Name.Value, "ARGOCD_APP_NAMESPACE": a.Target.Value,
		"ARGOCD_APP_PROJECT_NAME":           a.Project.Value,
		"ARGOCD_APP_SOURCE_PATH":            s.PathInRepository(),
		"ARGOCD_APP_SOURCE_REPO_URL":        s.Repository.URL.Value,
		"ARGOCD_APP_SOURCE_TARGET_REVISION": s.Revision.Value,
	}
	return os.Expand(text, func(name string) string {
		if name == "$" {
			return "$"
		}
		if value, ok := known[name]; ok {
			return value
		}
		if strings.HasPrefix(name, "ARGOCD_APP_REVISION") || strings.HasPrefix(name, "KUBE_") {
			return "${" + name + "}"
		}
		return "" // as in Argo CD, which defines no others
	})
}

// expandAnnotations substitutes the variables in the annotations that an application adds.
func expandAnnotations(s *sources.Source, a *Application) {
	for i, annotation := range s.Kustomize.Annotations {
		text := expanded(annotation.Value.Value, a, s)
		s.Kustomize.Annotations[i].Value.Value = text
		if strings.Contains(text, "${ARGOCD_APP_REVISION") || strings.Contains(text, "${KUBE_") {
			s.Kustomize.LateAnnotations = append(s.Kustomize.LateAnnotations, annotation)
		}
	}
}
