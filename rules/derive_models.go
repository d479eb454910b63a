package rules

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/olm"
)

// olmModels are the values of input.model.
var olmModels = []olm.Model{olm.Required, olm.Synthetic, olm.Ignored, olm.Removed, olm.Unknown}

// silentUnder returns the models under which none of the rules that create findings can be true, because each of them requires another
// model. A condition that this cannot decide may be true.
func silentUnder(compiler *ast.Compiler, report []*ast.Rule) []olm.Model {
	var silent []olm.Model
	for _, model := range olmModels {
		m := modelConditions{compiler: compiler, model: ast.String(model)}
		if len(report) > 0 && !slices.ContainsFunc(report, m.mayHold) {
			silent = append(silent, model)
		}
	}
	return silent
}

// modelConditions decides conditions on input.model. It reads compiled policies, in which conditions are references and calls, and
// their arguments are constants, variables, or references.
type modelConditions struct {
	compiler *ast.Compiler
	model    ast.String
}

// truth is what is known about a condition.
type truth int

const (
	undecided truth = iota
	never
	always
)

func (t truth) negated() truth {
	switch t {
	case never:
		return always
	case always:
		return never
	}
	return undecided
}

// mayHold reports whether a rule, or one of those after `else`, can have a value.
func (m modelConditions) mayHold(rule *ast.Rule) bool {
	if rule.Default || m.body(rule.Body) != never {
		return true
	}
	return rule.Else != nil && m.mayHold(rule.Else)
}

// isTrue reports whether a rule is always true.
func (m modelConditions) isTrue(rule *ast.Rule) bool {
	return rule.Head.Value != nil && rule.Head.Value.Equal(ast.InternedTerm(true)) && !rule.Default && m.body(rule.Body) == always
}

func (m modelConditions) body(body ast.Body) truth {
	result := always
	copies := map[ast.Var]bool{}
	for _, expr := range body {
		switch m.expr(expr, copies) {
		case never:
			return never
		case undecided:
			result = undecided
		}
	}
	return result
}

// expr decides one condition. It adds to copies the variables that hold the model.
func (m modelConditions) expr(expr *ast.Expr, copies map[ast.Var]bool) truth {
	if len(expr.With) > 0 {
		return undecided
	}
	result := undecided
	switch terms := expr.Terms.(type) {
	case *ast.Term:
		result = m.reference(terms)
	case []*ast.Term:
		result = m.call(expr, copies)
	}
	if expr.Negated {
		return result.negated()
	}
	return result
}

// reference decides whether a reference has a value that is true.
func (m modelConditions) reference(term *ast.Term) truth {
	ref, ok := term.Value.(ast.Ref)
	if !ok {
		return undecided
	}
	rules, complete, rest := m.rulesOf(ref)
	switch {
	case len(rules) == 0:
		return undecided
	case complete && len(rest) == 0 && slices.ContainsFunc(rules, m.isTrue):
		return always
	case slices.ContainsFunc(rules, m.mayHold):
		return undecided
	case !complete && len(rest) == 0: // an empty set or object has a value
		return undecided
	}
	return never
}

// rulesOf returns the rules that define the document to which a reference leads, whether it is one value, and what follows in the
// reference. There are none if the reference is about anything else.
func (m modelConditions) rulesOf(ref ast.Ref) (rules []*ast.Rule, complete bool, rest ast.Ref) {
	if !ref.HasPrefix(ast.DefaultRootRef) {
		return nil, false, nil
	}
	for end := 2; end <= len(ref) && ref[:end].IsGround(); end++ {
		rules := m.compiler.GetRulesExact(ref[:end])
		if len(rules) == 0 {
			continue
		}
		isValue := func(r *ast.Rule) bool { return r.Head.RuleKind() == ast.SingleValue && r.Ref().IsGround() }
		complete = !slices.ContainsFunc(rules, func(r *ast.Rule) bool { return !isValue(r) })
		return m.compiler.GetRulesWithPrefix(ref[:end]), complete, ref[end:]
	}
	return nil, false, nil
}

// call decides a comparison of the model with constants, an assignment of it, and whether a function and its arguments have a value.
func (m modelConditions) call(expr *ast.Expr, copies map[ast.Var]bool) truth {
	operands := expr.Operands()
	if len(operands) == 2 {
		if !expr.Negated && m.assigns(expr, copies) {
			return always
		}
		if result := m.comparison(expr.Operator().String(), operands[0], operands[1], copies); result != undecided {
			return result
		}
	}
	if rules := m.compiler.GetRulesExact(expr.Operator()); len(rules) > 0 && !slices.ContainsFunc(rules, m.mayHold) {
		return never
	}
	for _, operand := range operands {
		if rules, complete, rest := m.rulesOf(referenceOf(operand)); len(rules) > 0 && (complete || len(rest) > 0) && !slices.ContainsFunc(rules, m.mayHold) {
			return never
		}
	}
	return undecided
}

// assigns reports whether an equation gives the model to a variable of the compiler, and adds the variable to copies. If the variable
// has a value already, another condition gives it, and that one is undecided.
func (m modelConditions) assigns(expr *ast.Expr, copies map[ast.Var]bool) bool {
	variable, ok := expr.Operand(0).Value.(ast.Var)
	if !ok || !expr.IsEquality() || !variable.IsGenerated() || copies[variable] || !referenceOf(expr.Operand(1)).Equal(modelRef) {
		return false
	}
	copies[variable] = true
	return true
}

func (m modelConditions) comparison(operator string, a, b *ast.Term, copies map[ast.Var]bool) truth {
	isModel := func(t *ast.Term) bool {
		variable, _ := t.Value.(ast.Var)
		return copies[variable] || referenceOf(t).Equal(modelRef)
	}
	if operator != ast.Member.Name && isModel(b) {
		a, b = b, a
	}
	if !isModel(a) {
		return undecided
	}
	switch value := b.Value.(type) {
	case ast.String:
		return compared(operator, value == m.model)
	case ast.Set:
		if operator == ast.Member.Name && value.IsGround() {
			return compared(ast.Equality.Name, value.Contains(ast.NewTerm(m.model)))
		}
	}
	return undecided
}

// compared decides a comparison of two constants.
func compared(operator string, same bool) truth {
	holds := always
	if !same {
		holds = never
	}
	switch operator {
	case ast.Equality.Name, ast.Equal.Name:
		return holds
	case ast.NotEqual.Name:
		return holds.negated()
	}
	return undecided
}

var modelRef = ast.MustParseRef("input.model")

// referenceOf returns the reference that a term is, or none.
func referenceOf(term *ast.Term) ast.Ref {
	ref, _ := term.Value.(ast.Ref)
	return ref
}
