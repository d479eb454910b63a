package fixers

import (
	"errors"
	"maps"
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

// All works out the fixes of a run together. What is pruned depends on which fields go, so that comes last and is
// decided for all of them at once.
//
// The error is not about a request: a file could not be read.
func All(c *Context, requests []Request) (Work, error) {
	w := Work{Outcomes: make([]Outcome, len(requests))}
	pruner := newPruner(c)
	done := map[requestKey]Outcome{}
	var prunes []int
	for i, r := range requests {
		if r.Fixer == PruneInstaller {
			prunes = append(prunes, i)
			continue
		}
		outcome, known := done[keyOf(r)]
		if !known {
			var err error
			if outcome, err = outcomeOf(c, r); err != nil {
				return w, err
			}
			done[keyOf(r)] = outcome
		}
		w.Outcomes[i] = outcome
	}
	w.checkSharedPatches()
	w.removeTokenSecrets(c)
	for _, plan := range w.Plans() {
		pruner.addGains(plan)
		if c.Prune && plan.Fixer == RemoveServiceAccount {
			pruner.addRemovedField(plan)
		}
	}
	return w, w.prune(pruner, requests, prunes)
}

// prune decides about everything that is to be pruned, and hands the outcomes to the requests that asked for them.
func (w *Work) prune(p *pruner, requests []Request, asked []int) error {
	for _, i := range asked {
		w.Outcomes[i].Object = requests[i].Object
		if err := p.addRequest(requests[i]); err != nil {
			w.Outcomes[i].Refusal = asRefusal(err)
		}
	}
	outcomes, err := p.run()
	if err != nil {
		var refusal *Refusal
		if !errors.As(err, &refusal) {
			return err
		}
		outcomes = []Outcome{{Refusal: refusal}}
	}
	w.Prunes = outcomes
	for _, i := range asked {
		if w.Outcomes[i].Refusal == nil {
			w.Outcomes[i] = p.outcomeFor(requests[i], outcomes)
		}
	}
	return nil
}

// outcomeFor finds the outcome that takes care of the object of a request: the object's own, or that of the account
// which the object goes with.
func (p *pruner) outcomeFor(r Request, outcomes []Outcome) Outcome {
	var fallback Outcome
	for _, o := range outcomes {
		switch {
		case o.Object == r.Object:
			return o
		case o.Plan != nil && o.Plan.touches(r.Object):
			fallback = o
		case fallback.Plan == nil && o.Refusal != nil && p.concerns(o.Object, r.Object):
			fallback = o
		}
	}
	if fallback.Plan == nil && fallback.Refusal == nil {
		fallback.Refusal = &Refusal{Reason: identityOf(r.Object).String() + " is still in use, or is one of the cluster's own"}
		if why, ok := p.keptRoles[r.Object]; ok {
			fallback.Refusal.Reason = identityOf(r.Object).String() + " stays: " + why
		}
	}
	fallback.Object = r.Object
	return fallback
}

// concerns tells whether an object is bound to the account that an outcome is about. Without an account it is about
// everything.
func (p *pruner) concerns(account, o *objects.Object) bool {
	cand := p.byObject[account]
	return account == nil || cand != nil && slices.ContainsFunc(cand.subjects, func(s boundSubject) bool {
		return s.Object == o || s.RoleObject == o
	})
}

// touches tells whether a plan changes an object.
func (p *Plan) touches(o *objects.Object) bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool {
		return c.File == o.File && c.Document == o.Doc.Index && len(c.Path) >= len(o.Path) && slices.Equal(c.Path[:len(o.Path)], o.Path)
	})
}

// requestKey tells requests apart. What comes of a template in two units may be two objects of one ref.
type requestKey struct {
	fixer, ref, path string
	rendered         *objects.Object
}

func keyOf(r Request) requestKey {
	key := requestKey{fixer: r.Fixer, ref: r.Object.Ref(), path: r.Path.String()}
	if !r.Object.InFile() {
		key.rendered = r.Object
	}
	return key
}

func outcomeOf(c *Context, r Request) (Outcome, error) {
	plan, err := Fix(c, r)
	var refusal *Refusal
	switch {
	case err == nil:
		return Outcome{Object: r.Object, Plan: plan}, nil
	case errors.As(err, &refusal):
		return Outcome{Object: r.Object, Refusal: refusal}, nil
	}
	return Outcome{}, err
}

// asRefusal makes an error the reason of a refusal.
func asRefusal(err error) *Refusal {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	return &Refusal{Reason: err.Error()}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
