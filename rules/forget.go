package rules

import "github.com/salint/salint/internal/kube/objects"

// Forget drops the answers that this evaluator keeps with units. It is called after the last evaluation: what is kept with a unit lives
// as long as the unit, which fixes still need.
func (e *Evaluator) Forget(units []*objects.Unit) {
	for _, u := range units {
		u.Forget(func(key any) bool {
			answer, ok := key.(answerKey)
			return ok && answer.cache == &e.values
		})
	}
}
