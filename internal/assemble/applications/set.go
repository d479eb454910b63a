package applications

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/kube/objects"
)

// Set records which applications apply the units of a repository. It is safe for concurrent use; a nil Set has no
// applications.
type Set struct {
	// Result is what the objects of Argo CD and Flux define.
	Result *gitops.Result
	// Problems are what was not checked, sorted by position.
	Problems []Problem
	// Unmentioned are the applications with sources in other repositories that Problems leave out, because nothing suggests that rules judge their
	// objects.
	Unmentioned map[gitops.Definition]bool

	byApplier  map[objects.Applier]*gitops.Application
	unresolved []unresolved
	// leftOut are the entries of kustomizations that are not built.
	leftOut []objects.LeftOut
	// kustomized are the folders with a kustomization; folders are, by the folder of an application's kustomization, the
	// folders it reads from.
	kustomized map[string]bool
	folders    map[string]map[string]bool
	// whole returns the set in which the objects of units that are built later are as they are applied; nil if there are none.
	whole func() *Set
}

// Problem is something that an application applies, or may apply, and that was not checked.
type Problem struct {
	objects.Problem
	// Elsewhere is set if all of it is about the content of sources in other repositories: see [Set.Elsewhere].
	Elsewhere bool
	// Related are further positions with the same problem, at most [maxRelated].
	Related []Place
}

// Place is a position with a message.
type Place struct {
	Position objects.Position
	Message  string
}

// NewSet returns the set of the applications of a result.
func NewSet(result *gitops.Result) *Set {
	s := &Set{Result: result, byApplier: make(map[objects.Applier]*gitops.Application, len(result.Applications))}
	for _, a := range result.Applications {
		s.byApplier[applier(a)] = a
	}
	return s
}

// Tool changes files before they are applied, in a way that salint does not know.
type Tool struct {
	objects.LeftOut
	// Concerned names objects that the tool may change, as the end of the note; "" if there are none in question.
	Concerned string
}

// Elsewhere returns the applications of which a source in another repository was not read, each once, also if several clusters get it.
func (s *Set) Elsewhere() []*gitops.Application {
	if s == nil {
		return nil
	}
	var all []*gitops.Application
	seen := map[gitops.Definition]bool{}
	for _, a := range s.Result.Applications {
		isElsewhere := slices.ContainsFunc(a.Sources, func(s sources.Source) bool { return isInOtherRepository(s) && s.WhyUnread() != "" })
		if isElsewhere && !seen[a.Definition()] {
			seen[a.Definition()] = true
			all = append(all, a)
		}
	}
	return all
}

// LeaveOut adds tools, each with a note: see [Set.Unresolved].
func (s *Set) LeaveOut(tools []Tool) {
	for _, tool := range tools {
		s.leftOut = append(s.leftOut, tool.LeftOut)
		s.Problems = append(s.Problems, Problem{Problem: objects.Problem{Position: tool.Position, Message: tool.Reason + tool.Concerned}})
	}
	slices.SortStableFunc(s.Problems, func(a, b Problem) int { return comparePositions(a.Position, b.Position) })
}

// Of returns the applications that apply a unit, in the order of [objects.Unit.Appliers]. It is empty if the repository
// does not define who applies the unit.
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

// Withheld returns why none of the applications applies an object, see [objects.Unit.Withheld].
func (s *Set) Withheld(by []objects.Applier, o *objects.Object) (why objects.Problem, is bool) {
	for _, applier := range by {
		a := s.byApplier[applier]
		if a == nil {
			return objects.Problem{}, false
		}
		reason, withheld := s.Result.Withholds(a, o)
		if !withheld {
			return objects.Problem{}, false
		}
		why, is = objects.Problem{Position: reason.Location.Position(), Message: reason.Message}, true
	}
	return why, is
}

// applier returns the reference to an application that units keep.
func applier(a *gitops.Application) objects.Applier {
	return objects.Applier{Object: a.Object, Instance: a.Instance}
}
