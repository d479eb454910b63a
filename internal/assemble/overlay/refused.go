package overlay

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/refusal"
)

// refused returns a unit as not built if kustomize refuses to build it, whether or not it has to be built here; nil if it is not known to be
// refused.
func (o Options) refused(u *objects.Unit) *objects.Unit {
	if o.Refusals == nil || u.Kind != objects.KustomizationUnit || u.Kustomizations[0].IsComponent() || len(u.Objects) == 0 && !o.needed(u) {
		return nil
	}
	edit := o.Edits[u]
	how := refusal.Options{Flux: o.Unrestricted != nil && o.Unrestricted(u)}
	if edit != nil {
		how.File, how.Text = edit.File, string(edit.Data)
	}
	found := o.Refusals.Of(u.Root, how)
	if found == nil {
		return nil
	}
	problem := edit.relocate(objects.Problem{Position: found.Position, Message: notBuilt(u, found.Reason)})
	unbuilt := u.Unbuilt()
	unbuilt.Problems = slices.DeleteFunc(slices.Clone(u.Problems), func(p objects.Problem) bool { return p.Position == problem.Position })
	unbuilt.Problems = append(unbuilt.Problems, problem)
	return unbuilt
}
