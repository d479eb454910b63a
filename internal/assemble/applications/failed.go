package applications

import (
	"errors"
	"fmt"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// failure is why a tool fails to apply a folder, with the place.
type failure struct{ objects.Problem }

func (f *failure) Error() string { return f.Message }

// chartFields are the fields of a kustomization that kustomize renders only with --enable-helm.
var chartFields = []string{"helmCharts", "helmChartInflationGenerator"}

// failsToBuild returns why the tool of an application fails to build a kustomization from a source; nil if it does not, or if that is not known.
func (p *plan) failsToBuild(a *gitops.Application, s gitops.Source, k *objects.Kustomization) error {
	options := p.result.BuildOptions(a)
	if !options.Known {
		return nil
	}
	unit := p.roots[k.Dir].unit
	if unit == nil {
		unit = p.Unit(k)
	}
	if failed := missingInFlux(s, unit); failed != nil {
		return failed
	}
	i := slices.IndexFunc(unit.Transforms, func(t objects.Transform) bool { return slices.Contains(chartFields, t.Field) })
	if i < 0 || options.Helm {
		return nil
	}
	why := "Flux does not render " + unit.Transforms[i].Field
	if a.Tool == gitops.ArgoCD {
		why = "Argo CD renders " + unit.Transforms[i].Field + " only with --enable-helm in kustomize.buildOptions of argocd-cm"
	}
	return &failure{objects.Problem{Position: unit.Transforms[i].Position, Message: fmt.Sprintf(
		"%s, so its build of %s fails, and nothing of it is applied; its objects were checked as they are in their files", why, unit.Root)}}
}

// missingInFlux returns which file of a unit Flux does not fetch; nil if it fetches all.
func missingInFlux(s gitops.Source, unit *objects.Unit) error {
	missing := func(at objects.Position, file, rule string) error {
		return &failure{objects.Problem{Position: at, Message: fmt.Sprintf(
			"Flux does not fetch %s, because of %s, so its build of %s fails, and nothing of it is applied; its objects were checked as they are in their files", file, rule, unit.Root)}}
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

// whyFailed returns the problem of a part that is not built.
func whyFailed(p part) objects.Problem {
	var failed *failure
	if errors.As(p.failed, &failed) {
		return failed.Problem
	}
	return problemAt(p.source.Path.Location, "the changes of the application cannot be built: "+p.failed.Error())
}
