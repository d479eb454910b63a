package evaluate

import (
	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/sandbox"
)

// outcome is the result of an evaluation, with its value.
type outcome struct {
	sandbox.Evaluated
	reports []Report
}

// Inspection is an evaluation of a rule as its author wants to see it.
type Inspection struct {
	Rule string
	Unit *objects.Unit
	// Object is nil for a rule about units. Asked is set if the user asked about it, or about something in the unit.
	Object *objects.Object
	Asked  bool
	Input  ast.Value
	// Evaluated has the value of the rule's report; nil if it is undefined. What was printed, and the trace, are only known of the user's rules.
	sandbox.Evaluated
	Reports []Report
	// Err is why the rule failed.
	Err error
}

func (e *Evaluator) inspect(s *evalcontext.Evaluation, p *program, input ast.Value, out outcome, err error) {
	if e.Inspect != nil {
		e.Inspect(Inspection{p.rule.Name, s.Unit, s.Object, !s.NotAsked, input, out.Evaluated, out.reports, err})
	}
}
