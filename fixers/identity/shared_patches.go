package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// noteSharedPatches records which other extensions of a unit are changed by the patches that are removed.
func noteSharedPatches(p *engine.Plan, v *Variant, path manifest.Path, removed []objects.Writer) {
	group, unit := olm.APIGroup, v.Units[0]
	keys := map[string]bool{}
	for _, w := range removed {
		if w.What != objects.Base {
			keys[engine.WriterKey(w)] = true
		}
	}
	if len(keys) == 0 {
		return
	}
	for _, other := range unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
		if applied.SameSource(other, v.Object) || other.Applied == nil || other.Applied.Writers == nil {
			continue
		}
		for _, w := range other.Applied.Writers(path) {
			if keys[engine.WriterKey(w)] {
				p.SharedPatches = append(p.SharedPatches, engine.SharedPatch{Place: w.Position(), Other: other})
			}
		}
	}
}

// CheckSharedPatches refuses plans that remove a patch which also sets the field of an extension that keeps it. Plans that
// remove a patch together need one another.
func CheckSharedPatches(w *engine.Work) {
	for again := true; again; {
		again = false
		for i := range w.Outcomes {
			o := &w.Outcomes[i]
			if o.Plan == nil {
				continue
			}
			for _, s := range o.Plan.SharedPatches {
				other, why := removalOf(w, o.Plan.Fixer, s.Other)
				if other == nil {
					o.Plan, again = nil, true
					o.Refusal = engine.AsRefusal(engine.Refuse("the patch at %s also sets the field for %s, which keeps it "+
						"(%s): write a patch for each of them", s.Place, engine.NameOf(s.Other), why))
					break
				}
				if other != o.Plan && !slices.Contains(o.Plan.Needs, other) {
					o.Plan.Needs = append(o.Plan.Needs, other)
				}
			}
		}
	}
}

// removalOf returns the plan of a fixer that removes the field from an extension, or the reason why there is none.
func removalOf(w *engine.Work, fixer string, o *objects.Object) (plan *engine.Plan, why string) {
	why = "no finding of this run is about it"
	for _, outcome := range w.Outcomes {
		switch {
		case outcome.Object == nil || !applied.SameSource(outcome.Object, o):
		case outcome.Plan != nil && outcome.Plan.Fixer == fixer:
			return outcome.Plan, ""
		case outcome.Refusal != nil:
			why = outcome.Refusal.Reason
		}
	}
	return nil, why
}
