package applications

import (
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// Set is what the objects of Argo CD and Flux say about the units of a repository. It may be asked from several goroutines;
// a nil one knows of no application.
type Set struct {
	// Result is what was read of the objects.
	Result *gitops.Result
	// Problems are what was not checked, in the order of their places.
	Problems []Problem

	byApplier map[objects.Applier]*gitops.Application
	unproven  []unproven
	// kustomized are the folders with a kustomization; folders are, by that of an application's kustomization, those that
	// anything is taken from.
	kustomized map[string]bool
	folders    map[string]map[string]bool
}

// Problem is something that an application applies, or may apply, and that was not looked at.
type Problem struct {
	objects.Problem
	// Related are further places of the same kind, not all where there are many.
	Related []Place
}

// Place is a place and what there is to say about it.
type Place struct {
	Position objects.Position
	Message  string
}

// NewSet takes what was read of the objects.
func NewSet(result *gitops.Result) *Set {
	s := &Set{Result: result, byApplier: make(map[objects.Applier]*gitops.Application, len(result.Applications))}
	for _, a := range result.Applications {
		s.byApplier[applier(a)] = a
	}
	return s
}

// Of lists the applications that apply a unit, in the order of [objects.Unit.Appliers]; none for a unit of which the
// repository does not say who applies it.
func (s *Set) Of(u *objects.Unit) []*gitops.Application {
	if s == nil {
		return nil
	}
	var all []*gitops.Application
	for _, by := range u.Appliers {
		if a := s.byApplier[by]; a != nil {
			all = append(all, a)
		}
	}
	return all
}

// applier is how a unit remembers an application.
func applier(a *gitops.Application) objects.Applier {
	return objects.Applier{Object: a.Object, Instance: a.Instance}
}
