package fixers

import (
	"errors"

	"github.com/salint/salint/internal/kube/objects"
)

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
	checkSharedPatches(&w)
	removeTokenSecrets(&w, c)
	for _, plan := range w.Plans() {
		pruner.addGains(plan)
		if c.Policy.Prune && plan.Fixer == RemoveServiceAccount {
			pruner.addRemovedField(plan)
		}
	}
	return w, decidePrunes(&w, pruner, requests, prunes)
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
