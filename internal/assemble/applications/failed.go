package applications

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
)

// failure is why a tool fails to apply a folder, with the place.
type failure struct{ objects.Problem }

func (f *failure) Error() string { return f.Message }

// chartFields are the fields of a kustomization that kustomize renders only with --enable-helm.
var chartFields = []string{"helmCharts", "helmChartInflationGenerator"}

// failsToBuild returns why the tool of an application fails to build a unit from a source, with what the application adds; nil if it does not, or
// if that is not known.
func (p *plan) failsToBuild(a *gitops.Application, s sources.Source, unit *objects.Unit) error {
	if path, is := gitops.RemovedField(a.Object); is {
		return &failure{removedField(a.Object, path, p.result.IsAppliedByFlux(a) && isDelivered(a, s))}
	}
	options := p.result.BuildOptions(a)
	if !options.Known {
		return nil
	}
	if failed := p.missingInFlux(a, s, unit); failed != nil {
		return failed
	}
	i := slices.IndexFunc(unit.Transforms, func(t objects.Transform) bool { return slices.Contains(chartFields, t.Field) })
	if i < 0 || options.Helm {
		return nil
	}
	field, remedy := unit.Transforms[i], "Use a HelmRelease, or commit what the chart renders"
	if a.Tool == gitops.ArgoCD {
		remedy = "Add the option to kustomize.buildOptions of argocd-cm"
	}
	why := fmt.Sprintf("%s requires --enable-helm, which %s does not set", field.Field, toolOf(a))
	return newFailure(a, objects.Problem{Position: field.Position, Message: why}, unit.Root, remedy, isDelivered(a, s))
}

// newFailure returns the failure of a build for a reason, which is certain or only a doubt.
func newFailure(a *gitops.Application, why objects.Problem, root, remedy string, certain bool) *failure {
	if certain {
		return &failure{notDelivered(a, why, root, remedy)}
	}
	why.Message = fmt.Sprintf("%s fails to build %s, and nothing of it is applied: %s; its objects were checked as they are in their files", toolOf(a), root, why.Message)
	return &failure{why}
}

// notDelivered returns the problem of a folder of which nothing is applied, for a reason.
func notDelivered(a *gitops.Application, why objects.Problem, root, remedy string) objects.Problem {
	return objects.Problem{Position: why.Position, NotDelivered: true, Message: fmt.Sprintf(
		"%s fails to build %s: %s. Nothing of it is applied, and what is live stays as it was. %s.", toolOf(a), root, why.Message, remedy)}
}

// toolOf returns the name of the tool of an application.
func toolOf(a *gitops.Application) string {
	if a.Tool == gitops.ArgoCD {
		return string(a.Tool)
	}
	return "Flux"
}

// isDelivered reports whether an application certainly applies a folder of the tree, as far as the build allows it: it is not suspended, and its
// source is known to be this repository and no other one in addition.
func isDelivered(a *gitops.Application, s sources.Source) bool {
	return !a.Suspended.Value && !s.Includes && (a.Tool == gitops.ArgoCD || s.Defined || s.Repository.Is == sources.Here)
}

// missingInFlux returns which file of a unit Flux does not fetch; nil if it fetches all.
func (p *plan) missingInFlux(a *gitops.Application, s sources.Source, unit *objects.Unit) error {
	if failed := p.linkedInFlux(a, s, unit); failed != nil {
		return failed
	}
	missing := func(at objects.Position, file, rule string) error {
		// Without the GitRepository, rules that take back the exclusion are not known.
		why := objects.Problem{Position: at, Message: fmt.Sprintf("it does not fetch %s, because of %s", file, rule)}
		return newFailure(a, why, unit.Root, "Change the rule, or remove the entry", isDelivered(a, s) && s.Defined)
	}
	listed := map[string]objects.Position{}
	for _, k := range unit.Kustomizations {
		for _, e := range k.Resources {
			if rule, is := s.Ignored(e.Target); is {
				return missing(e.Position, e.Target, rule)
			}
			listed[e.Target] = e.Position
		}
		for _, input := range k.NonObjectInputs {
			if rule, is := s.Ignored(input.File); is {
				return missing(input.Position, input.File, rule)
			}
		}
	}
	for _, k := range unit.Kustomizations {
		if rule, is := s.Ignored(k.Path); is {
			at, known := listed[k.Dir]
			if !known {
				at = objects.Position{File: k.Path, Line: 1, Column: 1}
			}
			return missing(at, k.Path, rule)
		}
	}
	return nil
}

// linkedInFlux returns which symbolic link a unit goes through; nil if there is none: Flux fetches no links (Storage.Archive of fluxcd/pkg/artifact).
func (p *plan) linkedInFlux(a *gitops.Application, s sources.Source, unit *objects.Unit) error {
	links := pathset.Links(p.Links)
	if len(links) == 0 || a.Tool == gitops.ArgoCD {
		return nil
	}
	through := func(at objects.Position, file string) error {
		link := links.In(file)
		if link == "" {
			return nil
		}
		why := objects.Problem{Position: at, Message: fmt.Sprintf("it does not fetch %s, which is a symbolic link", link)}
		return newFailure(a, why, unit.Root, "Name what the link leads to", isDelivered(a, s))
	}
	for _, k := range unit.Kustomizations {
		if failed := through(objects.Position{File: k.Path, Line: 1, Column: 1}, k.Path); failed != nil {
			return failed
		}
		for _, e := range k.Resources {
			if failed := through(e.Position, cmp.Or(e.Through, e.Target)); failed != nil {
				return failed
			}
		}
		for _, input := range k.NonObjectInputs {
			if failed := through(input.Position, input.File); failed != nil {
				return failed
			}
		}
	}
	return nil
}

// whyFailed returns the problem of a part that is not built.
func whyFailed(p part) objects.Problem {
	var failed *failure
	if errors.As(p.failed, &failed) {
		return failed.Problem
	}
	return problemAt(p.source.Path.Location, "the changes of the application cannot be built: "+p.failed.Error())
}

// withRefusal returns a unit that kustomize or Helm refuses to build as one of which nothing is applied, if the application certainly applies it.
func (p *plan) withRefusal(a *gitops.Application, s sources.Source, unit *objects.Unit) *objects.Unit {
	isRefusal := func(problem objects.Problem) bool { return problem.Refusal != "" }
	switch {
	case !unit.NotBuilt, !slices.ContainsFunc(unit.Problems, isRefusal), !isDelivered(a, s), p.hasSubmodules():
		return unit
	case s.Kind == sources.Collected && !s.Defined: // rules that leave the file out are not known
		return unit
	}
	refused := unit.For(unit.Appliers)
	refused.Problems = slices.Clone(refused.Problems)
	why := &refused.Problems[slices.IndexFunc(refused.Problems, isRefusal)]
	root, remedy := s.Path.Value, fmt.Sprintf("`kustomize build %s` reports the same", s.Path.Value)
	switch s.Kind {
	case sources.Collected:
		remedy = "Correct the file, or list it in .sourceignore"
	case sources.Chart:
		root, remedy = fmt.Sprintf("%s for %s", s.Path.Value, unitName(a)), "Set the value, or correct the template"
	}
	*why = notDelivered(a, objects.Problem{Position: why.Position, Message: why.Refusal}, root, remedy)
	return refused
}

// unfilled returns the unit of an application of which nothing is applied because Flux certainly fails to substitute the variables; nil for another
// application. Its objects are those of the files.
func (p *plan) unfilled(d *plannedUnit, failed *fillFailure) *objects.Unit {
	if failed == nil || !failed.certain || !isDelivered(d.app, d.app.Sources[0]) {
		return nil
	}
	why := objects.Problem{Position: failed.Position, Message: failed.err.Error()}
	problem := notDelivered(d.app, why, d.app.Sources[0].Path.Value, "Correct the variable, or add it to postBuild")
	return p.join(d, p.writtenPart).Unbuilt(problem)
}

// removedField returns the problem of an object with a field that its version no longer has, which is certain or only a doubt. Nothing is applied of the
// folder with the object, nor of what the object applies.
func removedField(o *objects.Object, path manifest.Path, certain bool) objects.Problem {
	consequence := "What it applies was checked as it is in the files."
	if certain {
		consequence = "Nothing of the folder with it is applied, and what is live stays as it was. Use the fields of this version."
	}
	return objects.Problem{Position: o.Position(path), NotDelivered: certain, Message: fmt.Sprintf("%s has no field %s, so the API server refuses %s %s. %s",
		o.APIVersion, path, o.Kind, strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"), consequence)}
}

// withRemovedField returns a unit as one of which nothing is applied if Flux applies it and the API server refuses an object in it.
func withRemovedField(a *gitops.Application, s sources.Source, unit *objects.Unit) *objects.Unit {
	if a.Tool != gitops.FluxKustomize || unit.NotBuilt || !isDelivered(a, s) {
		return unit
	}
	for _, o := range unit.Objects {
		if path, is := gitops.RemovedField(o); is {
			return unit.Unbuilt(removedField(o, path, true))
		}
	}
	return unit
}

// refusedRelease returns the unit of a release that the API server refuses because of a field that its version no longer has; nil for another application.
func (p *plan) refusedRelease(d *plannedUnit) *objects.Unit {
	path, is := gitops.RemovedField(d.app.Object)
	if !is || d.app.Tool != gitops.FluxHelm || !p.result.IsAppliedByFlux(d.app) {
		return nil
	}
	return p.join(d, p.writtenPart).Unbuilt(removedField(d.app.Object, path, true))
}

// hasSubmodules reports whether the repository has submodules, whose files need not be in the tree.
func (p *plan) hasSubmodules() bool {
	_, err := p.Overlay.Files.ReadFile(".gitmodules")
	return err == nil
}
