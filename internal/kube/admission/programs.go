package admission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admissionregistration/v1"
)

// Time limits for all expressions of a policy, for one attempt and for all attempts: manifests can be hostile.
const (
	timeLimit      = time.Second
	totalTimeLimit = 5 * time.Second
)

// programs are the expressions of one policy.
type programs struct {
	spec *admissionv1.ValidatingAdmissionPolicySpec
	// spent is the total time of evaluation, in nanoseconds.
	spent atomic.Int64

	once    sync.Once
	problem error
	// usesUserName is true if the user's name matters.
	usesUserName bool
	// userOnly is true if the match conditions depend only on the user, and last is their last result.
	userOnly    bool
	last        lastAnswer
	variables   []cel.Program
	conditions  []cel.Program
	validations []cel.Program
}

func (p *programs) compile() error {
	p.once.Do(func() {
		c := newCompiler(p.spec)
		p.userOnly = true
		defer func() { p.usesUserName = c.usesUserName }()
		for _, v := range p.spec.Variables {
			program, problem := c.variable(v.Name, v.Expression)
			p.variables = append(p.variables, p.checked("variable "+v.Name, program, problem))
		}
		for _, condition := range p.spec.MatchConditions {
			program, problem := c.decision(condition.Expression)
			p.userOnly = p.userOnly && dependsOnUserOnly(condition.Expression)
			p.conditions = append(p.conditions, p.checked("match condition "+condition.Name, program, problem))
		}
		for i, v := range p.spec.Validations {
			program, problem := c.decision(v.Expression)
			p.validations = append(p.validations, p.checked(validation(i), program, problem))
		}
	})
	return p.problem
}

// checked keeps the first problem.
func (p *programs) checked(called string, program cel.Program, problem string) cel.Program {
	if problem != "" && p.problem == nil {
		p.problem = errors.New(called + " " + problem)
	}
	return program
}

func validation(i int) string { return fmt.Sprintf("validation %d", i+1) }

// judge evaluates the expressions for an attempt with an unknown object.
func (p *programs) judge(who Requester, attempt Attempt, given params) (State, string) {
	const tooLong = "takes too long to evaluate"
	if len(p.spec.Validations) == 0 {
		return Open, "has no validations, so it denies nothing"
	}
	if err := p.compile(); err != nil {
		return Unknown, "cannot be evaluated: " + err.Error()
	}
	if p.spent.Load() > int64(totalTimeLimit) {
		return Unknown, tooLong
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	start := time.Now()
	state, why := p.decide(ctx, who, attempt, given)
	if who.OtherMember != "" && p.usesUserName {
		member := who
		member.User = who.OtherMember
		if of, _ := p.decide(ctx, member, attempt, given); of != state {
			state, why = Unknown, "distinguishes members of "+who.Label+" by name"
		}
	}
	p.spent.Add(int64(time.Since(start)))
	if ctx.Err() != nil {
		p.spent.Add(int64(totalTimeLimit))
		return Unknown, tooLong
	}
	if state == Open && who.Templated {
		return Unknown, why + ", but its name contains placeholders"
	}
	return state, why
}

func (p *programs) decide(ctx context.Context, who Requester, attempt Attempt, given params) (State, string) {
	if state, why, known := p.last.load(who); known && state != Limited {
		return state, why
	}
	in := newInput(who, attempt, given)
	if !p.userOnly {
		p.setVariables(ctx, in)
	}
	state, why := p.judgeConditions(ctx, in)
	if p.userOnly && ctx.Err() == nil {
		p.last.store(who, state, why)
	}
	if state != Limited {
		return state, why
	}
	if p.userOnly {
		p.setVariables(ctx, in)
	}
	state, why = p.judgeValidations(ctx, in)
	if state == Limited && given.optional {
		return Unknown, "allows everything if its parameters do not exist (parameterNotFoundAction: Allow), and it is unknown whether they do"
	}
	return state, why
}

func (p *programs) setVariables(ctx context.Context, in *input) {
	for i, variable := range p.variables {
		in.setVariable(p.spec.Variables[i].Name, in.evaluate(ctx, variable))
	}
}

// judgeConditions reports whether a policy applies to the subject. One false condition decides, whatever the others are.
func (p *programs) judgeConditions(ctx context.Context, in *input) (State, string) {
	state, why := Limited, ""
	for i, condition := range p.conditions {
		name := p.spec.MatchConditions[i].Name
		switch value := in.evaluate(ctx, condition); {
		case value == types.True:
		case value == types.False:
			return Open, fmt.Sprintf("excludes %s (match condition %s)", in.who.Label, name)
		case types.IsUnknown(value):
			state, why = Unknown, fmt.Sprintf("has a match condition, %s, that depends on more than the user", name)
		default:
			state, why = Unknown, fmt.Sprintf("has a match condition, %s, that cannot be evaluated here", name)
		}
	}
	return state, why
}

// judgeValidations reports whether one of the validations can deny. A validation that is true for every object denies
// nothing.
func (p *programs) judgeValidations(ctx context.Context, in *input) (State, string) {
	depends, failed := false, ""
	for i, program := range p.validations {
		switch value := in.evaluate(ctx, program); {
		case value == types.True:
		case value == types.False:
			return Limited, ""
		case types.IsUnknown(value):
			depends = true
		default:
			failed = cmp.Or(failed, validation(i))
		}
	}
	switch {
	case !depends && failed != "":
		return Unknown, "cannot be evaluated here: " + failed + " fails, or uses an unknown function"
	case !depends:
		return Open, fmt.Sprintf("has validations that are true for %s with any object", in.who.Label)
	case cmp.Or(deref(p.spec.FailurePolicy), admissionv1.Fail) == admissionv1.Ignore:
		return Unknown, "allows every object for which an expression fails (failurePolicy: Ignore), and it is unknown whether there are any"
	}
	return Limited, ""
}

// lastAnswer is the last result of the match conditions, with its requester: there are many attempts of one requester in a
// row, and conditions are most of the work if there are many policies.
type lastAnswer struct {
	mu     sync.Mutex
	called string
	user   string
	state  State
	why    string
}

func (l *lastAnswer) load(who Requester) (state State, why string, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state, l.why, l.state != "" && l.called == who.Label && l.user == who.User
}

func (l *lastAnswer) store(who Requester, state State, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.called, l.user, l.state, l.why = who.Label, who.User, state, why
}

// dependsOnUserOnly reports whether an expression can only depend on the name and the groups of the user.
func dependsOnUserOnly(expression string) bool {
	rest := strings.NewReplacer("request.userInfo.username", "", "request.userInfo.groups", "").Replace(expression)
	return !slices.ContainsFunc([]string{"request", "bject", "params", "authorizer", "variables"}, func(name string) bool { return strings.Contains(rest, name) })
}
