package overlay

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/refusal"
)

// refused returns a unit as not built if kustomize refuses to build it, whether or not it has to be built here; nil if it is not known to be
// refused.
func (o Options) refused(u *objects.Unit) *objects.Unit {
	if o.Refusals == nil || u.Kind != objects.KustomizationUnit || u.Kustomizations[0].IsComponent() || len(u.Objects) == 0 && !o.needed(u) {
		return nil
	}
	found := o.refusal(u)
	if found != nil && found.Outside && o.isUnrestricted(u) {
		found = o.Refusals.Of(u.Root, o.howBuilt(u, true))
	}
	if found == nil {
		return nil
	}
	edit := o.Edits[u]
	problem := edit.relocate(objects.Problem{Position: found.Position, Message: notBuilt(nameOf(found.Dir), found.Reason)})
	if !found.Uncertain {
		problem.Refusal = found.Reason
	}
	unbuilt := u.Unbuilt()
	unbuilt.Problems = slices.DeleteFunc(slices.Clone(u.Problems), func(p objects.Problem) bool { return p.Position == problem.Position })
	unbuilt.Problems = append(unbuilt.Problems, problem)
	return unbuilt
}

// refusal returns why a unit is refused, with the restriction to files below each kustomization unless only Flux builds it.
func (o Options) refusal(u *objects.Unit) *refusal.Refusal {
	return o.Refusals.Of(u.Root, o.howBuilt(u, false))
}

// absent returns the entries of a unit that change objects which only remote entries have.
func (o Options) absent(u *objects.Unit) []render.Entry {
	if o.Refusals == nil {
		return nil
	}
	return o.Refusals.Absent(u.Root, o.howBuilt(u, o.isUnrestricted(u)))
}

func (o Options) howBuilt(u *objects.Unit, unrestricted bool) refusal.Options {
	flux := o.Unrestricted != nil && o.Unrestricted(u) || maybeFlux(u)
	how := refusal.Options{Flux: flux, Unrestricted: flux || unrestricted}
	if edit := o.Edits[u]; edit != nil {
		how.File, how.Text = edit.File, string(edit.Data)
	}
	return how
}

// isUnrestricted reports whether the kustomizations of a unit can read files outside of their folders.
func (o Options) isUnrestricted(u *objects.Unit) bool {
	switch {
	case o.Unrestricted != nil && o.Unrestricted(u), o.Refusals != nil && maybeFlux(u):
		return true
	case o.Refusals == nil || o.Lifted == nil:
		return false
	}
	found := o.refusal(u)
	return found != nil && found.Outside && o.Lifted(u)
}

// nameOf returns the name of a folder in a sentence.
func nameOf(dir string) string {
	if dir == "." {
		return "the kustomization at the top of the repository"
	}
	return dir
}

// maybeFlux reports whether an application of Flux in another repository may build a unit, by its own rules: nothing in this repository
// applies it, and it holds objects of Flux.
func maybeFlux(u *objects.Unit) bool {
	return len(u.Appliers) == 0 && slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return strings.HasSuffix(o.Group, ".toolkit.fluxcd.io") })
}
