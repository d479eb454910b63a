package builtins

import (
	"context"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fieldquery"
	"github.com/salint/salint/rules/metadata"
)

// acrossUnits are the functions whose answers come from all units, each with the deferred units that can have a part of the answer.
var acrossUnits = map[string]func(*evalcontext.Evaluation, []*ast.Term) func(*objects.Unit) bool{
	"salint.anywhere":               unitsOfQuery,
	"salint.refs_anywhere":          unitsOfQuery,
	"salint.bringers":               unitsInstallingInto,
	"salint.bindings_naming":        unitsHolding(define.BindingKinds...),
	"salint.bindings_misspelling":   unitsHolding(define.BindingKinds...),
	"salint.templated_bindings":     unitsHolding(define.BindingKinds...),
	"salint.bindings_to":            unitsOfRef,
	"salint.role_rules":             unitsOfRef,
	"salint.granted_rules":          unitsHolding(define.RoleKinds...),
	"salint.granted_about":          unitsHolding(define.RoleKinds...),
	"salint.installed_as":           unitsHolding("ClusterExtension"),
	"salint.secret_users":           unitsOfRef,
	"salint.may_have_secret":        unitsHolding(metadata.BareKinds(metadata.KindGroups["secret_creators"])...),
	"salint.own_account_restricted": allUnits,
	"salint.controller_gap":         allUnits,
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
func across(may func(*evalcontext.Evaluation, []*ast.Term) func(*objects.Unit) bool, eval define.Func) define.Func {
	return func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
		if s := evalcontext.Of(ctx); s != nil && len(s.Deferred) > 0 {
			if err := s.Need(may(s, args)); err != nil {
				return nil, err
			}
		}
		return eval(ctx, args)
	}
}

// allUnits is for questions to which any unit can have an answer.
func allUnits(*evalcontext.Evaluation, []*ast.Term) func(*objects.Unit) bool {
	return func(*objects.Unit) bool { return true }
}

// unitsHolding is for questions about objects of some kinds.
func unitsHolding(kinds ...string) func(*evalcontext.Evaluation, []*ast.Term) func(*objects.Unit) bool {
	return func(*evalcontext.Evaluation, []*ast.Term) func(*objects.Unit) bool {
		return func(unit *objects.Unit) bool {
			return slices.ContainsFunc(kinds, func(kind string) bool { return unit.MayHold(objects.Query{Kind: kind}) })
		}
	}
}

// unitsOfQuery is for questions with a query.
func unitsOfQuery(_ *evalcontext.Evaluation, args []*ast.Term) func(*objects.Unit) bool {
	query, ok, err := fieldquery.Read(args[0])
	return func(unit *objects.Unit) bool { return ok && err == nil && unit.MayHold(query.Query) }
}

// unitsOfRef is for questions about an object that another function returned.
func unitsOfRef(s *evalcontext.Evaluation, args []*ast.Term) func(*objects.Unit) bool {
	ref, _ := args[0].Value.(ast.String)
	return func(unit *objects.Unit) bool {
		return s.Unit.Object(string(ref)) == nil && evalcontext.HasFileOf(unit, string(ref))
	}
}

// unitsInstallingInto is for the question which objects can install others into a namespace.
func unitsInstallingInto(_ *evalcontext.Evaluation, args []*ast.Term) func(*objects.Unit) bool {
	namespace, ok := args[0].Value.(ast.String)
	return func(unit *objects.Unit) bool {
		_, certain := unit.WrittenInstallers(string(namespace))
		return ok && !certain
	}
}

// AsksAllUnits reports whether the answers of a function come from all units.
func AsksAllUnits(function string) bool { return acrossUnits[function] != nil }
