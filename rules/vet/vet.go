package vet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Policies are compiled policies.
type Policies struct {
	Compiler *ast.Compiler
	// Own are the keys of the modules that are checked.
	Own []string
	// Rules are the rules among them.
	Rules []Rule
	// Succeeds reports whether a function of salint is defined for an argument.
	Succeeds func(function string, argument ast.Value) bool
	// Documents is the data beside the policies.
	Documents map[string]any
	// Reads are the references into data of all modules, for CheckTests.
	Reads []ast.Ref
}

// problem is a mistake at a place.
type problem struct {
	at      *ast.Location
	message string
}

// checker collects the mistakes of the policies.
type checker struct {
	Policies
	// calls are the calls of each function of the policies, by the path of the function.
	calls map[string][]call
	found []problem
}

// call is a call in a rule.
type call struct {
	in   *scope
	args []*ast.Term
}

// Check returns the mistakes, one per line with file, line, and column; nil if there is none.
func Check(p Policies) error {
	c := &checker{Policies: p, calls: map[string][]call{}}
	var scopes []*scope
	for _, key := range p.Own {
		if module := p.Compiler.Modules[key]; module != nil {
			for _, rule := range module.Rules {
				scopes = append(scopes, c.scopesOf(rule)...)
			}
		}
	}
	for _, s := range scopes {
		c.indexCalls(s)
	}
	for _, s := range scopes {
		c.checkReferences(s)
		c.checkCalls(s)
	}
	c.checkParameters(scopes)
	c.checkComparisons(scopes)
	return c.err()
}

func (c *checker) fail(at *ast.Location, format string, args ...any) {
	p := problem{at, fmt.Sprintf(format, args...)}
	if at != nil && !slices.ContainsFunc(c.found, func(other problem) bool { return other.at.Equal(at) && other.message == p.message }) {
		c.found = append(c.found, p)
	}
}

func (c *checker) err() error {
	slices.SortStableFunc(c.found, func(a, b problem) int {
		return cmp.Or(strings.Compare(a.at.File, b.at.File), cmp.Compare(a.at.Row, b.at.Row), cmp.Compare(a.at.Col, b.at.Col))
	})
	var all []error
	for _, p := range c.found {
		all = append(all, fmt.Errorf("%s:%d:%d: %s", p.at.File, p.at.Row, max(p.at.Col, 1), p.message))
	}
	return errors.Join(all...)
}

// scope is a rule with what its variables are.
type scope struct {
	rule *ast.Rule
	// definitions are the terms that a variable is equal to, and outputs the calls whose result it is.
	definitions map[ast.Var][]*ast.Term
	outputs     map[ast.Var][]*ast.Expr
	exprs       []*ast.Expr
}

// scopesOf returns a rule and its else branches.
func (c *checker) scopesOf(rule *ast.Rule) []*scope {
	var all []*scope
	for ; rule != nil; rule = rule.Else {
		all = append(all, newScope(rule))
	}
	return all
}

func newScope(rule *ast.Rule) *scope {
	s := &scope{rule: rule, definitions: map[ast.Var][]*ast.Term{}, outputs: map[ast.Var][]*ast.Expr{}}
	visit := func(e *ast.Expr) bool {
		s.exprs = append(s.exprs, e)
		s.define(e)
		return false
	}
	ast.WalkExprs(rule.Head, visit)
	ast.WalkExprs(rule.Body, visit)
	return s
}

// define takes note of what an expression gives its variables.
func (s *scope) define(e *ast.Expr) {
	if e.Negated || !e.IsCall() {
		return
	}
	if e.IsEquality() {
		a, b := e.Operand(0), e.Operand(1)
		for _, pair := range [][2]*ast.Term{{a, b}, {b, a}} {
			if v, is := pair[0].Value.(ast.Var); is {
				s.definitions[v] = append(s.definitions[v], pair[1])
			}
		}
		return
	}
	last, is := e.Operand(len(e.Operands()) - 1).Value.(ast.Var)
	if is {
		s.outputs[last] = append(s.outputs[last], e)
	}
}

// argument returns the index of a variable among the arguments of the rule, if it is a function.
func (s *scope) argument(v ast.Var) (int, bool) {
	i := slices.IndexFunc(s.rule.Head.Args, func(t *ast.Term) bool { return t.Value.Compare(v) == 0 })
	return i, i >= 0
}

// indexCalls takes note of the calls of functions of policies.
func (c *checker) indexCalls(s *scope) {
	for _, e := range s.exprs {
		if !e.IsCall() {
			continue
		}
		if name := e.Operator().String(); strings.HasPrefix(name, "data.") {
			c.calls[name] = append(c.calls[name], call{s, e.Operands()})
		}
	}
}
