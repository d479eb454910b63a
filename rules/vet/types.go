package vet

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
)

var comparisons = []string{
	ast.Equality.Name, ast.Equal.Name, ast.NotEqual.Name, ast.LessThan.Name, ast.LessThanEq.Name, ast.GreaterThan.Name, ast.GreaterThanEq.Name,
}

// checkTypes reports comparisons of the result of a function with a constant of another type, as in count(x) > "1", and `in` with a
// constant that has no members. OPA orders values of all types, so the result of such a comparison is always the same.
func (c *checker) checkTypes(s *scope, e *ast.Expr, name string) {
	switch {
	case len(e.Operands()) < 2:
	case name == ast.Member.Name:
		if values := c.values(s, e.Operand(1), 0); len(values) > 0 && !slices.ContainsFunc(values, hasMembers) {
			c.fail(e.Location, "`in` looks for members, and %v has none: write a list or set, as in [%v]", values[0], values[0])
		}
	case slices.Contains(comparisons, name):
		a, b := e.Operand(0), e.Operand(1)
		c.checkTypesOf(s, e, a, b)
		c.checkTypesOf(s, e, b, a)
	}
}

func hasMembers(v ast.Value) bool {
	switch v.(type) {
	case *ast.Array, ast.Object, ast.Set:
		return true
	}
	return false
}

func (c *checker) checkTypesOf(s *scope, e *ast.Expr, called, constant *ast.Term) {
	result, from := s.resultType(called)
	values := c.values(s, constant, 0)
	if result == "" || len(values) == 0 {
		return
	}
	if !slices.ContainsFunc(values, func(v ast.Value) bool { return ast.ValueName(v) == result }) {
		c.fail(e.Location, "%s returns a %s, and is compared with %v, which is a %s: the result is always the same", from, result, values[0], ast.ValueName(values[0]))
	}
}

// resultType returns the type of a term that is the result of a function, as ast.ValueName, and the function; "" if it is none, or has several types.
func (s *scope) resultType(t *ast.Term) (result, function string) {
	v, is := t.Value.(ast.Var)
	if !is || len(s.outputs[v]) != 1 {
		return "", ""
	}
	function = s.outputs[v][0].Operator().String()
	builtin := ast.BuiltinMap[function]
	if builtin == nil {
		return "", ""
	}
	switch builtin.Decl.Result().(type) {
	case types.Number:
		return "number", function
	case types.String:
		return "string", function
	}
	return "", ""
}
