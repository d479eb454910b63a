package rules

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/prefilter"
)

type existingKey struct{}

// existing returns the accounts and roles of all units that are built, as they are applied. Those that are missing, such as those of
// deferred units, only have the effect that a rule is evaluated.
func (s *scene) existing() *prefilter.Index {
	return s.cached(existingKey{}, func() any {
		index := prefilter.NewIndex()
		for _, unit := range objects.Answering(s.Units) {
			for _, kind := range slices.Concat(roleKinds, []string{"ServiceAccount"}) {
				for _, o := range unit.Find(objects.Query{Kind: kind}) {
					index.AddObject(o.Node)
				}
			}
		}
		return index
	}).(*prefilter.Index)
}

// withoutSkipped removes the rules of which no condition (Rule.SkipUnless) holds for a binding as it is applied. The documents of
// plain files were skipped by the same conditions before they were parsed; this is for the bindings that a build creates. Nearly
// all name accounts and roles that exist.
func (s *scene) withoutSkipped(programs []*program) []*program {
	if s.object == nil || !slices.Contains(bindingKinds, s.object.Kind) {
		return programs
	}
	conditional := func(p *program) bool { return len(p.rule.SkipUnless) > 0 && !p.rule.User }
	if !slices.ContainsFunc(programs, conditional) {
		return programs
	}
	facts, plain := prefilter.Of(s.object.Node)
	if !plain {
		return programs
	}
	return slices.DeleteFunc(programs, func(p *program) bool {
		return conditional(p) && !mayHold(func() bool { return s.existing().MayApply(p.rule.SkipUnless, facts) })
	})
}
