package vet

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// totalFunctions are functions whose result is always defined and never false, so that a call alone is no condition. Others are called to
// see whether they fail.
var totalFunctions = []string{
	ast.Count.Name, ast.Sprintf.Name, ast.Concat.Name, ast.Lower.Name, ast.Upper.Name, ast.Split.Name, ast.Sort.Name, ast.ObjectKeys.Name, ast.ArrayConcat.Name,
	ast.Trim.Name, ast.TrimPrefix.Name, ast.TrimSuffix.Name, ast.TrimSpace.Name, ast.Replace.Name, ast.IndexOf.Name,
}

// checkTruth reports a condition that is true whatever the input is: a set, also an empty one, or a number, also 0.
func (c *checker) checkTruth(s *scope, e *ast.Expr) {
	result := "the condition is always true"
	if e.Negated {
		result = "the condition is never true"
	}
	if t, is := e.Terms.(*ast.Term); is {
		if ref, isRef := t.Value.(ast.Ref); isRef && c.isCollection(ref) {
			c.fail(e.Location, "%s is a set or mapping, which is true also if it is empty, so %s: write count(…) > 0 or == 0", shownName(ref), result)
		}
		return
	}
	if name := nameOfCall(e); slices.Contains(totalFunctions, name) && len(e.Operands()) == len(ast.BuiltinMap[name].Decl.FuncArgs().Args) {
		c.fail(e.Location, "the result of %s is not compared, so %s: compare it, as in count(…) > 0", name, result)
	}
}

func nameOfCall(e *ast.Expr) string {
	if !e.IsCall() {
		return ""
	}
	return e.Operator().String()
}

// isCollection reports whether a reference leads to a set or mapping that rules add to.
func (c *checker) isCollection(ref ast.Ref) bool {
	if !ref.IsGround() {
		return false
	}
	rules := c.Compiler.GetRulesExact(ref)
	return len(rules) > 0 && !slices.ContainsFunc(rules, func(r *ast.Rule) bool {
		kind := r.Head.DocKind()
		return kind != ast.PartialSetDoc && kind != ast.PartialObjectDoc
	})
}

// shownName returns the last two steps of a reference, which authors write.
func shownName(ref ast.Ref) string {
	return constantStep(ref[len(ref)-2]) + "." + constantStep(ref[len(ref)-1])
}

// checkFormat reports a call of sprintf whose constant format takes another number of values, or values of another type.
func (c *checker) checkFormat(s *scope, e *ast.Expr) {
	if nameOfCall(e) != ast.Sprintf.Name {
		return
	}
	values, is := e.Operand(1).Value.(*ast.Array)
	if v, isVar := e.Operand(1).Value.(ast.Var); isVar && len(s.definitions[v]) == 1 {
		values, is = s.definitions[v][0].Value.(*ast.Array)
	}
	formats := c.values(s, e.Operand(0), 0)
	if !is || len(formats) != 1 {
		return
	}
	format, isText := formats[0].(ast.String)
	verbs, plain := verbsOf(string(format))
	switch {
	case !isText || !plain || c.isGivenOtherwise(s, e.Operand(0)):
	case len(verbs) != values.Len():
		c.fail(e.Location, "the format %v takes %d values, and sprintf gets %d", format, len(verbs), values.Len())
	default:
		for i, verb := range verbs {
			given := c.typesOf(s, values.Elem(i))
			if verb == 'd' && given != nil && !slices.Contains(given.types, "number") {
				c.fail(e.Location, "%%d in the format %v takes a number, and %s is a %s: write %%s", format, given.object, either(given.types))
			}
		}
	}
}

// verbsOf returns the verbs of a format; plain is false if it names its values by their numbers.
func verbsOf(format string) (verbs []byte, plain bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && slices.Contains([]byte("+-# 0123456789."), format[i]); i++ {
		}
		switch {
		case i == len(format) || format[i] == '[' || format[i] == '*':
			return nil, false
		case format[i] != '%':
			verbs = append(verbs, format[i])
		}
	}
	return verbs, true
}
