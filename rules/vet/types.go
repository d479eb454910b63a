package vet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/internal/base/words"
)

var comparisons = []string{
	ast.Equality.Name, ast.Equal.Name, ast.NotEqual.Name, ast.LessThan.Name, ast.LessThanEq.Name, ast.GreaterThan.Name, ast.GreaterThanEq.Name,
}

// typed is a term whose types are known.
type typed struct {
	// subject is the term as the beginning of a sentence, and object within one.
	subject, object string
	// types are the types of its values, as ast.ValueName, and values these values if they are known.
	types  []string
	values []ast.Value
}

// checkTypes reports comparisons of values that have different types, as in count(x) > "1", and `in` with a constant that has no such
// members. OPA orders values of all types, so the result of such a comparison is always the same.
func (c *checker) checkTypes(s *scope, e *ast.Expr, name string) {
	if len(e.Operands()) < 2 || len(e.With) > 0 {
		return
	}
	switch {
	case name == ast.Member.Name:
		c.checkMembers(s, e, e.Operand(0), e.Operand(1))
	case slices.Contains(comparisons, name):
		c.checkComparedTypes(s, e, e.Operand(0), e.Operand(1))
	default:
		c.checkArgumentTypes(s, e, name)
	}
}

func (c *checker) checkMembers(s *scope, e *ast.Expr, member, collection *ast.Term) {
	values := c.values(s, collection, 0)
	if len(values) == 0 {
		return
	}
	if !slices.ContainsFunc(values, hasMembers) {
		c.fail(e.Location, "`in` looks for members, and %v has none: write a list or set, as in [%v]", values[0], values[0])
		return
	}
	looked, of := c.typesOf(s, member), typesOfMembers(values)
	if looked != nil && len(of) > 0 && !meet(looked.types, of) && !c.isGivenOtherwise(s, collection) {
		c.fail(e.Location, "`in` compares %s, which is a %s, with members of the type %s: the result is always the same", looked.object, either(looked.types), either(of))
	}
}

func typesOfMembers(collections []ast.Value) []string {
	var of []string
	for _, collection := range collections {
		each(collection, func(t *ast.Term) { of = words.AddOnce(of, ast.ValueName(t.Value)) })
	}
	return of
}

func hasMembers(v ast.Value) bool {
	switch v.(type) {
	case *ast.Array, ast.Object, ast.Set:
		return true
	}
	return false
}

func (c *checker) checkComparedTypes(s *scope, e *ast.Expr, left, right *ast.Term) {
	a, b := c.typesOf(s, left), c.typesOf(s, right)
	if a == nil || b == nil || meet(a.types, b.types) {
		return
	}
	if a.subject == "" {
		a, b = b, a
	}
	if a.subject == "" {
		return // the compiler reports it
	}
	c.fail(e.Location, "%s, and is compared with %s, which is a %s: the result is always the same", a.subject, b.object, b.types[0])
}

// meet reports whether values of some types can be equal. A comparison with null asks whether there is a value.
func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(one string) bool { return one == "null" || slices.Contains(b, one) || slices.Contains(b, "null") })
}

// checkArgumentTypes reports a call of a function of OPA with data of another type than it takes. At run time, such a call is undefined.
func (c *checker) checkArgumentTypes(s *scope, e *ast.Expr, name string) {
	builtin := ast.BuiltinMap[name]
	if builtin == nil {
		return
	}
	for i, argument := range builtin.Decl.FuncArgs().Args {
		want := nameOfType(argument)
		if want == "" || i >= len(e.Operands()) {
			continue
		}
		if given := c.typesOf(s, e.Operand(i)); given != nil && given.subject != "" && !slices.Contains(given.types, want) {
			c.fail(e.Location, "%s, and %s takes a %s: the call always fails", given.subject, name, want)
		}
	}
}

// typesOf returns the types that a term can have; nil if they are not known.
func (c *checker) typesOf(s *scope, t *ast.Term) *typed {
	if result, function := s.resultType(t); result != "" {
		return &typed{subject: fmt.Sprintf("%s returns a %s", function, result), object: function + "(…)", types: []string{result}}
	}
	for _, ref := range s.equalTo(t) {
		if of := c.typesOfRef(s, ref); of != nil {
			of.subject, of.object = fmt.Sprintf("%s is a %s", written(ref), either(of.types)), written(ref)
			return of
		}
	}
	if c.isGivenOtherwise(s, t) {
		return nil
	}
	values := c.values(s, t, 0)
	if len(values) == 0 {
		return nil
	}
	return &typed{object: values[0].String(), types: namesOf(values), values: values}
}

// equalTo returns the references that are equal to a term.
func (s *scope) equalTo(t *ast.Term) []ast.Ref {
	switch v := t.Value.(type) {
	case ast.Ref:
		return s.expand(v, 0)
	case ast.Var:
		return s.expand(ast.Ref{t}, 0)
	}
	return nil
}

// isGivenOtherwise reports whether a term is the argument of a function that also gets values that are not known.
func (c *checker) isGivenOtherwise(s *scope, t *ast.Term) bool {
	v, is := t.Value.(ast.Var)
	if !is {
		return false
	}
	i, is := s.argument(v)
	return is && slices.ContainsFunc(c.calls[s.rule.Ref().GroundPrefix().String()], func(made call) bool {
		return i < len(made.args) && len(c.values(made.in, made.args[i], 1)) == 0
	})
}

func (c *checker) typesOfRef(s *scope, ref ast.Ref) *typed {
	if ref[0].Equal(ast.DefaultRootDocument) {
		if values := c.valuesOfData(s, ref, 1); len(values) > 0 {
			return &typed{types: namesOf(values), values: values}
		}
		return nil
	}
	if of := typeOfField(ref); of != "" {
		return &typed{types: []string{of}}
	}
	return nil
}

func either(names []string) string { return strings.Join(names, " or ") }

func namesOf(values []ast.Value) []string {
	var names []string
	for _, v := range values {
		names = words.AddOnce(names, ast.ValueName(v))
	}
	return names
}

// written returns a reference as an author writes it, without the variables of the compiler.
func written(ref ast.Ref) string {
	shown := ref.Copy()
	for i, step := range shown {
		if v, is := step.Value.(ast.Var); is && i > 0 && v.IsGenerated() {
			shown[i] = ast.VarTerm("_")
		}
	}
	return shown.String()
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
	return nameOfType(builtin.Decl.Result()), function
}

// nameOfType returns the only type of values, as ast.ValueName; "" if there are several.
func nameOfType(t types.Type) string {
	switch t := t.(type) {
	case *types.NamedType:
		return nameOfType(t.Type)
	case types.Number:
		return "number"
	case types.String:
		return "string"
	}
	return ""
}
