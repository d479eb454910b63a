package fixing

import (
	"context"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/judging"
)

// Offer is a finding with the fix that a run would make.
type Offer struct {
	finding.Finding
	// Refused is the reason why there is no fix although the rule has one; otherwise "".
	Refused string
	// Edited are the files that the fix edits.
	Edited []string
}

// Offers returns findings with the fixes of a run, without verifying them.
func (r *Round) Offers(ctx context.Context, found []judging.Finding) ([]Offer, error) {
	return r.OffersIn(ctx, r.scope(), found)
}

// OffersIn returns findings with the fixes that change only what is in a scope.
func (r *Round) OffersIn(ctx context.Context, scope *engine.Scope, found []judging.Finding) ([]Offer, error) {
	planner := r.newPlanner(ctx, scope)
	results, _, err := planner.plan(found)
	if err != nil {
		return nil, err
	}
	offers := make([]Offer, len(results))
	for n := range results {
		planner.checkCreation(&results[n])
		results[n].describeRefusedObjects()
		offers[n] = Offer{Finding: results[n].Finding.Finding, Refused: results[n].refused}
		if plan := results[n].plan; plan != nil {
			offers[n].Edited = plan.EditedFiles()
		}
	}
	return offers, nil
}
