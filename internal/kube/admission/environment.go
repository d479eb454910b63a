package admission

import (
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	admissionv1 "k8s.io/api/admissionregistration/v1"
)

// costLimit limits the cost of one expression, in CEL's units.
const costLimit = 100_000

// environment is the environment in which expressions are parsed, and checked unless they use a function that only
// Kubernetes has. Such an expression is unknown, but not the whole policy.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	options := append(authorizerOptions(),
		cel.OptionalTypes(), ext.Strings(), ext.Sets(), ext.TwoVarComprehensions(),
		cel.CrossTypeNumericComparisons(true), cel.DefaultUTCTimeZone(true),
		cel.Variable("request.dryRun", cel.BoolType),
		cel.Variable("request.userInfo.groups", cel.ListType(cel.StringType)),
		cel.Variable("request.userInfo.extra", cel.MapType(cel.StringType, cel.ListType(cel.StringType))),
	)
	for _, name := range []string{"object", "oldObject", "request", "namespaceObject", "authorizer", "authorizer.requestResource", presence["object"], presence["oldObject"]} {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	for _, name := range []string{"operation", "name", "namespace", "subResource", "userInfo.username", "userInfo.uid"} {
		options = append(options, cel.Variable("request."+name, cel.StringType))
	}
	return cel.NewEnv(options...)
})

// compiler compiles the expressions of one policy, in order.
type compiler struct {
	env     *cel.Env
	problem string
	// usesUserName is true if an expression so far can depend on the user's name.
	usesUserName bool
}

func newCompiler(spec *admissionv1.ValidatingAdmissionPolicySpec) *compiler {
	env, err := environment()
	if err == nil && spec.ParamKind != nil {
		env, err = env.Extend(cel.Variable("params", cel.DynType))
	}
	if err != nil {
		return &compiler{problem: "has no environment: " + err.Error()}
	}
	return &compiler{env: env}
}

const (
	noExpression = "is not a valid expression"
	refused      = "is refused by the API server: unknown name or wrong type"
)

// decision compiles an expression that must be boolean, or returns what is wrong with it.
func (c *compiler) decision(expression string) (program cel.Program, problem string) {
	program, resultType, problem := c.compile(expression)
	if problem == "" && resultType != nil && !resultType.IsExactType(cel.BoolType) {
		return nil, refused
	}
	return program, problem
}

// variable compiles a variable, which later expressions can use.
func (c *compiler) variable(name, expression string) (program cel.Program, problem string) {
	program, resultType, problem := c.compile(expression)
	if problem != "" {
		return nil, problem
	}
	if resultType == nil {
		resultType = cel.DynType
	}
	env, err := c.env.Extend(cel.Variable("variables."+name, resultType))
	if err != nil {
		return nil, refused
	}
	c.env = env
	return program, ""
}

// compile also returns the type of the result, nil if it is unknown.
func (c *compiler) compile(expression string) (program cel.Program, resultType *cel.Type, problem string) {
	if c.problem != "" {
		return nil, nil, c.problem
	}
	c.usesUserName = c.usesUserName || strings.Contains(expression, "username")
	parsed, issues := c.env.Parse(expression)
	if issues.Err() != nil {
		return nil, nil, noExpression
	}
	replacePresence(parsed)
	program, err := c.env.Program(parsed, boundedProgram, cel.EvalOptions(cel.OptPartialEval), cel.CostLimit(costLimit), cel.InterruptCheckFrequency(1))
	if err != nil {
		return nil, nil, noExpression
	}
	// The check modifies its argument, so it comes last.
	if !slices.ContainsFunc(functionsIn(parsed), func(name string) bool { return !c.env.HasFunction(name) }) {
		checked, issues := c.env.Check(parsed)
		if issues.Err() != nil {
			return nil, nil, refused
		}
		resultType = checked.OutputType()
	}
	return program, resultType, ""
}

// presence are variables that replace objects in comparisons with null. The content of an object is unknown, but its
// existence is known.
var presence = map[string]string{"object": "@object", "oldObject": "@oldObject"}

// replacePresence inserts these variables.
func replacePresence(parsed *cel.Ast) {
	factory := ast.NewExprFactory()
	ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.Equals && e.AsCall().FunctionName() != operators.NotEquals {
			return
		}
		args := e.AsCall().Args()
		for i, arg := range args {
			other := args[1-i]
			isNull := other.Kind() == ast.LiteralKind && other.AsLiteral() == types.NullValue
			if stands, ok := presence[arg.AsIdent()]; ok && isNull {
				arg.SetKindCase(factory.NewIdent(arg.ID(), stands))
			}
		}
	}))
}

func functionsIn(parsed *cel.Ast) (names []string) {
	ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind {
			names = append(names, e.AsCall().FunctionName())
		}
	}))
	return names
}
