package admission

import (
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/ext"
)

// costLimit is what one expression may cost, in CEL's own units.
const costLimit = 100_000

// environment is what expressions are parsed in, and checked where they have no function that only Kubernetes knows. Those
// leave their expression without a value, and not the whole policy.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	options := append(authorizerOptions(),
		cel.OptionalTypes(), ext.Strings(), ext.Sets(), ext.TwoVarComprehensions(),
		cel.CrossTypeNumericComparisons(true), cel.DefaultUTCTimeZone(true),
	)
	for _, name := range []string{"object", "oldObject", "request", "namespaceObject", "variables", "authorizer", "authorizer.requestResource"} {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	return cel.NewEnv(options...)
})

// withParams is for policies that have a paramKind.
var withParams = sync.OnceValues(func() (*cel.Env, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	return env.Extend(cel.Variable("params", cel.DynType))
})

// compiled makes a program of an expression, or says what is wrong with it. One that decides must be true or false.
func compiled(expression string, params, decides bool) (program cel.Program, problem string) {
	get := environment
	if params {
		get = withParams
	}
	env, err := get()
	if err != nil {
		return nil, "has no environment: " + err.Error()
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil, "is no expression"
	}
	if !accepted(env, parsed, decides) {
		return nil, "is refused by the API server: it names what there is not, or its types do not fit"
	}
	program, err = env.Program(parsed, boundedProgram, cel.EvalOptions(cel.OptPartialEval), cel.CostLimit(costLimit), cel.InterruptCheckFrequency(1))
	if err != nil {
		return nil, "is no expression"
	}
	return program, ""
}

// accepted tells whether the API server's check of types would let an expression pass, as far as it is known. It knows the
// fields of the request and of variables besides.
func accepted(env *cel.Env, parsed *cel.Ast, decides bool) bool {
	if !slices.ContainsFunc(functionsIn(parsed), func(name string) bool { return !env.HasFunction(name) }) {
		checked, issues := env.Check(parsed)
		return issues.Err() == nil && (!decides || checked.OutputType().IsExactType(cel.BoolType) || checked.OutputType().IsExactType(cel.DynType))
	}
	return true
}

func functionsIn(parsed *cel.Ast) (names []string) {
	ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind {
			names = append(names, e.AsCall().FunctionName())
		}
	}))
	return names
}
