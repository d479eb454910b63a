package engine

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// Outcome is the result of a request: a plan, or the reason why there is none.
type Outcome struct {
	Object  *objects.Object
	Plan    *Plan
	Refusal *Refusal
	// OrphanedBy are the plans that leave an account unused which cannot be pruned, because of the forms in which units apply it.
	OrphanedBy []*Plan
	// OnlyIn are the units from which the plan removes the object, if others keep it; nil if it is removed everywhere.
	OnlyIn []*objects.Unit
	// OnlyFormer is true if there is no plan because files still name the account, and these are only those of the extension that is gone:
	// no unit applies it there, or a chart no longer renders it.
	OnlyFormer bool
}

// Work is the result of working out the requests of a run.
type Work struct {
	// Outcomes are the results of the requests, in their order. Requests for the same fix of the same object share a plan.
	Outcomes []Outcome
	// Prunes are what --prune adds: accounts that this run leaves unused, and roles that several of these accounts shared.
	Prunes []Outcome
}

// Plans returns all plans, each once.
func (w Work) Plans() []*Plan {
	var plans []*Plan
	seen := map[*Plan]bool{nil: true}
	for _, o := range slices.Concat(w.Outcomes, w.Prunes) {
		if !seen[o.Plan] {
			seen[o.Plan] = true
			plans = append(plans, o.Plan)
		}
	}
	return plans
}
