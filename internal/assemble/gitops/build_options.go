package gitops

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
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
// charts (fluxcd/pkg/kustomize, SecureBuild). Argo CD has them in argocd-cm, in its own namespace, which an operator writes if there is an object ArgoCD. A
// version of kustomize that the application sets has separate options.
func (r *Result) BuildOptions(a *Application) BuildOptions {
	if a.Tool != ArgoCD {
		return BuildOptions{Known: true, Unrestricted: true}
	}
	if slices.ContainsFunc(a.Sources, func(s sources.Source) bool { return s.Kustomize.Version.Value != "" }) {
		return BuildOptions{}
	}
	var options BuildOptions
	for _, candidates := range [][]*objects.Object{r.settings.maps, r.settings.instances} {
		own, tied := r.settingsOf(a, candidates)
		if tied {
			return BuildOptions{}
		}
		if own == nil {
			continue
		}
		found := r.buildOptionsIn(own)
		found.Known = found.Known && own.Namespace != "" && own.Namespace == a.Namespace.Value
		if options.Known && options != found {
			return BuildOptions{}
		}
		options = found
	}
	return options
}

// settingsOf returns the object with the settings of the Argo CD of an application: that in its namespace.
func (r *Result) settingsOf(a *Application, candidates []*objects.Object) (own *objects.Object, tied bool) {
	var found []*objects.Object
	for _, o := range candidates {
		if objects.SameNamespace(o.Namespace, a.Namespace.Value) {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		return nil, false
	}
	return r.NewNamesakes(found).Find(a.Object, r.UnitOf(a))
}

// buildOptionsIn returns the options in a ConfigMap argocd-cm, or in an object ArgoCD, whose extraConfig goes into the ConfigMap as it is.
func (r *Result) buildOptionsIn(o *objects.Object) BuildOptions {
	v := view.Of(o)
	text := v.Get("data", buildOptions)
	if o.Kind == kindArgoCD {
		if text = v.Get("spec", "extraConfig", buildOptions); !text.There() {
			text = v.Get("spec", "kustomizeBuildOptions")
		}
	}
	options := strings.Fields(strings.ReplaceAll(text.String(), "=", " "))
	return BuildOptions{
		Known: r.isWhole(o), Unrestricted: slices.Contains(options, "LoadRestrictionsNone"), Helm: slices.Contains(options, "--enable-helm"),
	}
}

// isWhole reports whether an object is known as it is applied: nothing outside of the repository is a part of its unit.
func (r *Result) isWhole(o *objects.Object) bool {
	return !slices.ContainsFunc(r.units[o], func(u *objects.Unit) bool { return u.NotBuilt || len(u.Remotes) > 0 || len(u.LeftOut) > 0 })
}
