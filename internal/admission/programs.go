package admission

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	admissionv1 "k8s.io/api/admissionregistration/v1"
)

// What an expression may cost, and how long all those of one policy may take: manifests are hostile.
const (
	costLimit = 100_000
	timeLimit = time.Second
)

// environment is what expressions are parsed in. Types are not checked, so that functions which Kubernetes knows and this
// package does not leave their expression without a value, and not the whole policy.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(append(authorizerOptions(),
		cel.OptionalTypes(), ext.Strings(), ext.Sets(), ext.TwoVarComprehensions(),
		cel.CrossTypeNumericComparisons(true), cel.DefaultUTCTimeZone(true),
	)...)
})

// programs are the expressions of one policy.
type programs struct {
	spec *admissionv1.ValidatingAdmissionPolicySpec

	once        sync.Once
	problem     error
	variables   []cel.Program
	conditions  []cel.Program
	validations []cel.Program
}

func (p *programs) compile() error {
	p.once.Do(func() {
		for _, v := range p.spec.Variables {
			p.variables = append(p.variables, p.program("variable "+v.Name, v.Expression))
		}
		for _, c := range p.spec.MatchConditions {
			p.conditions = append(p.conditions, p.program("match condition "+c.Name, c.Expression))
		}
		for i, v := range p.spec.Validations {
			p.validations = append(p.validations, p.program(fmt.Sprintf("validation %d", i+1), v.Expression))
		}
	})
	return p.problem
}

func (p *programs) program(called, expression string) cel.Program {
	program, err := compiled(expression)
	if err != nil && p.problem == nil {
		p.problem = fmt.Errorf("%s is no expression", called)
	}
	return program
}

func compiled(expression string) (cel.Program, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	return env.Program(parsed, cel.EvalOptions(cel.OptPartialEval), cel.CostLimit(costLimit), cel.InterruptCheckFrequency(1000))
}

// judge evaluates the expressions for somebody who attempts something with an object that is not known.
func (p *programs) judge(who Who, attempt Attempt, given params) (State, string) {
	if len(p.spec.Validations) == 0 {
		return Open, "has no validations, so that it denies nothing"
	}
	if err := p.compile(); err != nil {
		return Unknown, "cannot be evaluated: " + err.Error()
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	in := newInput(who, attempt, given)
	for i, variable := range p.variables {
		in.setVariable(p.spec.Variables[i].Name, in.evaluate(ctx, variable))
	}
	if state, why := p.judgeConditions(ctx, in); state != Limited {
		return state, why
	}
	if given.optional {
		return Unknown, "allows everything where its parameters do not exist (parameterNotFoundAction: Allow), and whether they do is not known"
	}
	return p.judgeValidations(ctx, in)
}

// judgeConditions tells whether a policy looks at the subject. A condition that is false decides, whatever the others are.
func (p *programs) judgeConditions(ctx context.Context, in *input) (State, string) {
	state, why := Limited, ""
	for i, condition := range p.conditions {
		name := p.spec.MatchConditions[i].Name
		switch in.evaluate(ctx, condition) {
		case types.True:
		case types.False:
			return Open, fmt.Sprintf("leaves %s out (match condition %s)", in.who.Called, name)
		default:
			state, why = Unknown, fmt.Sprintf("has a match condition, %s, that depends on more than who writes", name)
		}
	}
	return state, why
}

// judgeValidations tells whether one of the validations can deny. One that is true whatever the object denies nothing.
func (p *programs) judgeValidations(ctx context.Context, in *input) (State, string) {
	depends := false
	for _, validation := range p.validations {
		switch in.evaluate(ctx, validation) {
		case types.True:
		case types.False:
			return Limited, ""
		default:
			depends = true
		}
	}
	switch {
	case !depends:
		return Open, fmt.Sprintf("has validations that are true for %s whatever is written", in.who.Called)
	case cmp.Or(deref(p.spec.FailurePolicy), admissionv1.Fail) == admissionv1.Ignore:
		return Unknown, "lets in every object on which an expression fails (failurePolicy: Ignore), and whether there are such objects is not known"
	}
	return Limited, ""
}

// input is what expressions see.
type input struct {
	who     Who
	values  map[string]any
	unknown []*cel.AttributePatternType
}

func newInput(who Who, attempt Attempt, given params) *input {
	in := &input{who: who, values: map[string]any{
		"request": request(who, attempt), "variables": map[string]any{}, "namespaceObject": nil,
		"authorizer": newAuthorizer(who),
	}}
	in.leaveOpen("object")
	in.leaveOpen("oldObject")
	if attempt.Operation == string(admissionv1.Create) {
		in.values["oldObject"], in.unknown = nil, in.unknown[:1]
	}
	switch {
	case given.declared && given.null:
		in.values["params"] = nil
	case given.declared:
		in.leaveOpen("params")
	}
	in.leaveOpen("authorizer.requestResource")
	for _, field := range []string{"dryRun", "options"} {
		in.leaveOpen("request", field)
	}
	if attempt.Name == "" {
		in.leaveOpen("request", "name")
	}
	for _, field := range []string{"uid", "extra"} {
		in.leaveOpen("request", "userInfo", field)
	}
	return in
}

// leaveOpen says that a variable, or a field of it, has a value that nobody knows.
func (in *input) leaveOpen(name string, fields ...string) {
	pattern := cel.AttributePattern(name)
	for _, field := range fields {
		pattern = pattern.QualString(field)
	}
	in.unknown = append(in.unknown, pattern)
}

func (in *input) setVariable(name string, value ref.Val) {
	if value == nil || types.IsUnknownOrError(value) {
		in.leaveOpen("variables", name)
		return
	}
	in.values["variables"].(map[string]any)[name] = value
}

// evaluate gives an unknown value for everything that cannot be known, errors included.
func (in *input) evaluate(ctx context.Context, program cel.Program) ref.Val {
	vars, err := cel.PartialVars(in.values, in.unknown...)
	if err != nil {
		return nil
	}
	value, _, err := program.ContextEval(ctx, vars)
	if err != nil {
		return nil
	}
	return value
}

// request is what admission knows of a write by somebody. Its fields all exist, as in the API server.
func request(who Who, attempt Attempt) map[string]any {
	resource := map[string]any{"group": attempt.Group, "version": servedVersion, "resource": attempt.Resource}
	kind := map[string]any{"group": attempt.Group, "version": servedVersion, "kind": kinds[attempt.Resource]}
	return map[string]any{
		"operation": attempt.Operation, "resource": resource, "requestResource": resource, "kind": kind, "requestKind": kind,
		"subResource": "", "requestSubResource": "", "namespace": "", "name": attempt.Name,
		"userInfo": map[string]any{"username": who.User, "groups": who.Groups},
	}
}

// kinds are those behind the resources by which OLM is told what to install.
var kinds = map[string]string{
	"clusterextensions": "ClusterExtension", "clusterobjectsets": "ClusterObjectSet", "clustercatalogs": "ClusterCatalog",
}
