package rules

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/secrets"
)

// pendingUnits are deferred units that a question of a rule needs. The rule is evaluated again once they are built: a build inside
// of the evaluation would count against its limits.
type pendingUnits struct {
	mu    sync.Mutex
	units []*objects.Unit
}

var errPending = errors.New("the rule asks about deployment units that are not built yet")

// build builds the units, and reports whether there were any.
func (p *pendingUnits) build(ctx context.Context) (any bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	units := p.units
	p.units = nil
	return len(units) > 0, parallel.Do(ctx, len(units), func(i int) { units[i].Applied() })
}

// need returns errPending if a question needs a deferred unit that is not built.
func (s *scene) need(may func(*objects.Unit) bool) error {
	var missing []*objects.Unit
	for _, unit := range s.Deferred {
		if unit.Pending() && may(unit) {
			missing = append(missing, unit)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if s.pending == nil { // an evaluation without limits
		for _, unit := range missing {
			unit.Applied()
		}
		return nil
	}
	s.pending.mu.Lock()
	defer s.pending.mu.Unlock()
	s.pending.units = append(s.pending.units, missing...)
	return errPending
}

// acrossUnits are the functions whose answers come from all units, each with the deferred units that can have a part of the answer.
var acrossUnits = map[string]func(*scene, []*ast.Term) func(*objects.Unit) bool{
	"salint.anywhere":               unitsOfQuery,
	"salint.refs_anywhere":          unitsOfQuery,
	"salint.bringers":               unitsInstallingInto,
	"salint.bindings_naming":        unitsHolding(bindingKinds...),
	"salint.bindings_misspelling":   unitsHolding(bindingKinds...),
	"salint.templated_bindings":     unitsHolding(bindingKinds...),
	"salint.bindings_to":            unitsOfRef,
	"salint.role_rules":             unitsOfRef,
	"salint.granted_rules":          unitsOfRef,
	"salint.granted_about":          unitsOfRef,
	"salint.secret_users":           unitsOfRef,
	"salint.may_have_secret":        unitsHolding(bareKinds(secrets.Creators())...),
	"salint.own_account_restricted": allUnits,
	"salint.limits":                 allUnits,
	"salint.mentions":               allUnits,
	"salint.late_grants":            allUnits,
	"salint.sync_dangers":           allUnits,
	"salint.endangered":             allUnits,
	"salint.acting_accounts":        allUnits,
	"salint.apply_preflight":        allUnits,
	"salint.bundle":                 allUnits,
	"salint.preflight":              allUnits,
	"salint.bundle_growth":          allUnits,
}

// across is for functions whose answers come from all units. may returns which deferred units can have a part of the answer; the
// function does not ask the others.
func across(may func(*scene, []*ast.Term) func(*objects.Unit) bool, eval evalFunc) evalFunc {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		if s := sceneOf(ctx); s != nil && len(s.Deferred) > 0 {
			if err := s.need(may(s, args)); err != nil {
				return nil, err
			}
		}
		return eval(ctx, args)
	}
}

// allUnits is for questions to which any unit can have an answer.
func allUnits(*scene, []*ast.Term) func(*objects.Unit) bool {
	return func(*objects.Unit) bool { return true }
}

// unitsHolding is for questions about objects of some kinds.
func unitsHolding(kinds ...string) func(*scene, []*ast.Term) func(*objects.Unit) bool {
	return func(*scene, []*ast.Term) func(*objects.Unit) bool {
		return func(unit *objects.Unit) bool {
			return slices.ContainsFunc(kinds, func(kind string) bool { return unit.MayHold(objects.Query{Kind: kind}) })
		}
	}
}

// unitsOfQuery is for questions with a query.
func unitsOfQuery(_ *scene, args []*ast.Term) func(*objects.Unit) bool {
	query, ok, err := readFieldQuery(args[0])
	return func(unit *objects.Unit) bool { return ok && err == nil && unit.MayHold(query.Query) }
}

// unitsOfRef is for questions about an object that another function returned.
func unitsOfRef(s *scene, args []*ast.Term) func(*objects.Unit) bool {
	ref, _ := args[0].Value.(ast.String)
	return func(unit *objects.Unit) bool {
		return s.Unit.Object(string(ref)) == nil && hasFileOf(unit, string(ref))
	}
}

// hasFileOf reports whether a unit applies objects of the file of a ref.
func hasFileOf(unit *objects.Unit, ref string) bool {
	return slices.ContainsFunc(unit.Objects, func(o *objects.Object) bool { return strings.HasPrefix(ref, o.File+"#") })
}
