package engine

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// Outcome is what became of a request: a plan, or the reason why there is none.
type Outcome struct {
	Object  *objects.Object
	Plan    *Plan
	Refusal *Refusal
	// OrphanedBy are the plans after which an account is left behind that is applied otherwise than it is written, and therefore not
	// pruned.
	OrphanedBy []*Plan
}

// Work is what a run wants to do.
type Work struct {
	// Outcomes are those of the requests, in their order. Requests for the same fix of the same object share a plan.
	Outcomes []Outcome
	// Prunes are what --prune adds: accounts whose fields go in this run, and roles that several of them shared.
	Prunes []Outcome
}

// Plans lists all plans, each once.
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
