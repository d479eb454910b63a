package gitops

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// buildOptions is the key of argocd-cm with the options of kustomize build.
const buildOptions = "kustomize.buildOptions"

// BuildOptions are the options with which a tool builds kustomizations.
type BuildOptions struct {
	// Known is false if the repository does not have the settings of the very instance of Argo CD, whole.
	Known bool
	// Unrestricted is set if kustomizations can read files outside of their folders, and Helm if charts are rendered.
	Unrestricted, Helm bool
}

// BuildOptions returns the options with which an application is built. Flux has no settings for them: it reads files of the whole source, and renders no
// charts (fluxcd/pkg/kustomize, SecureBuild). Argo CD has them in argocd-cm, in its own namespace.
func (r *Result) BuildOptions(a *Application) BuildOptions {
	if a.Tool != ArgoCD {
		return BuildOptions{Known: true, Unrestricted: true}
	}
	var found []*objects.Object
	for _, o := range r.settings.maps {
		if objects.SameNamespace(o.Namespace, a.Namespace.Value) {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		return BuildOptions{}
	}
	own, _ := r.newNamesakes(found).find(a.Object, r.unitOf(a))
	if own == nil {
		return BuildOptions{}
	}
	options := strings.Fields(strings.ReplaceAll(view.Of(own).Get("data", buildOptions).String(), "=", " "))
	return BuildOptions{
		Known: r.isWhole(own), Unrestricted: slices.Contains(options, "LoadRestrictionsNone"), Helm: slices.Contains(options, "--enable-helm"),
	}
}

// isWhole reports whether an object is known as it is applied: nothing outside of the repository is a part of its unit.
func (r *Result) isWhole(o *objects.Object) bool {
	return !slices.ContainsFunc(r.units[o], func(u *objects.Unit) bool { return u.NotBuilt || len(u.Remotes) > 0 || len(u.LeftOut) > 0 })
}
