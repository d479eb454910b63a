package plan

import (
	"slices"

	"github.com/salint/salint/internal/ask/plan/proposals"
)

// Correction is a correction of a proposal with the titles of its transitions.
type Correction struct {
	proposals.Correction
	Transitions []string
}

// Corrections lists the corrections for the transitions of the plan, each once.
func (p *Plan) Corrections() []Correction {
	var all []Correction
	for _, transition := range p.Transitions {
		for _, c := range transition.Corrections {
			i := slices.IndexFunc(all, func(known Correction) bool { return known.Correction == c })
			if i < 0 {
				i, all = len(all), append(all, Correction{Correction: c})
			}
			all[i].Transitions = append(all[i].Transitions, title(transition))
		}
	}
	return all
}
