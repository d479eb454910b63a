package fixers

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/fields"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/fixers/pods"
	"github.com/salint/salint/fixers/prune"
	"github.com/salint/salint/internal/kube/objects"
)

// All works out the fixes of a run together. Pruning depends on the fields that are removed, so it comes last and is decided
// for all of them at once.
//
// The error is about a file that could not be read; what a request cannot have is a refusal.
func All(c *engine.Context, requests []engine.Request) (engine.Work, error) {
	return AllAfter(c, requests, nil)
}

// AllAfter is All after earlier rounds of the same run.
func AllAfter(c *engine.Context, requests []engine.Request, earlier *fields.Earlier) (engine.Work, error) {
	requests = slices.Clone(requests)
	refused := fields.Prepare(requests, earlier)
	w := engine.Work{Outcomes: make([]engine.Outcome, len(requests))}
	done := map[requestKey]engine.Outcome{}
	var prunes []int
	for i, r := range requests {
		if f, known := find(r.Fixer); known && f.Plan == nil {
			prunes = append(prunes, i)
			continue
		}
		if refused[i] != nil {
			w.Outcomes[i] = engine.Outcome{Object: r.Object, Refusal: refused[i]}
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
	identity.CheckSharedPatches(&w)
	pods.RemoveTokenSecrets(&w, c)
	w.DeclareConsumers(c)
	w.EnforceScope(c) // before pruning: what a refused plan leaves is not pruned
	err := decidePrunes(c, &w, requests, prunes)
	w.DeclareConsumers(c)
	w.EnforceScope(c)
	return w, err
}

// decidePrunes decides what is pruned: the objects of the requests at some indexes, and what becomes unused in this run.
func decidePrunes(c *engine.Context, w *engine.Work, requests []engine.Request, asked []int) error {
	pruner := prune.New(c)
	for _, plan := range w.Plans() {
		pruner.AddGains(plan)
		if f, _ := find(plan.Fixer); c.Policy.Prune && f.FreesAccounts {
			pruner.AddRemovedField(plan)
		}
	}
	if err := pruner.Decide(w, requests, asked); err != nil {
		return err
	}
	for _, i := range asked {
		if plan := w.Outcomes[i].Plan; plan != nil {
			plan.Fixer = requests[i].Fixer
		}
	}
	return nil
}

// requestKey identifies a request. Two units can render a template into two objects with one ref.
type requestKey struct {
	fixer, ref, path, args string
	rendered               *objects.Object
}

func keyOf(r engine.Request) requestKey {
	key := requestKey{fixer: r.Fixer, ref: r.Object.Ref(), path: r.Path.String()}
	if r.Args != nil {
		args, _ := json.Marshal(r.Args) // they were read from JSON
		key.args = string(args)
	}
	if !r.Object.InFile() {
		key.rendered = r.Object
	}
	return key
}

// outcomeOf works out one request. A refusal is an outcome, not an error.
func outcomeOf(c *engine.Context, r engine.Request) (engine.Outcome, error) {
	plan, err := fix(c, r)
	var refusal *engine.Refusal
	switch {
	case err == nil:
		return engine.Outcome{Object: r.Object, Plan: plan}, nil
	case errors.As(err, &refusal):
		return engine.Outcome{Object: r.Object, Refusal: refusal}, nil
	}
	return engine.Outcome{}, err
}

// fix works out the plan for a request. Its edits are tried on the bytes of their files; package verify proves them.
func fix(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	f, known := find(r.Fixer)
	if !known {
		return nil, engine.Refuse("there is no fixer %q; the fixers are %s", r.Fixer, strings.Join(Names(), ", "))
	}
	if err := engine.CheckEmbedded(r.Object); err != nil {
		return nil, err
	}
	plan, err := f.plan(c, r)
	if err != nil {
		return nil, err
	}
	plan.Fixer, plan.Object = r.Fixer, r.Object
	if plan.Kind == "" {
		plan.Kind = r.Kind
	}
	if err := c.LimitEmbedded(plan, r.Object); err != nil {
		return nil, err
	}
	return plan, c.TryEdits(plan)
}
