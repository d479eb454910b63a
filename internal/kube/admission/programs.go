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

// How long all expressions of a policy may take for one attempt, and for all those that are asked about: manifests are hostile.
const (
	timeLimit = time.Second
	patience  = 5 * time.Second
)

// programs are the expressions of one policy.
type programs struct {
	spec *admissionv1.ValidatingAdmissionPolicySpec
	// spent is how long they were evaluated in all, in nanoseconds.
	spent atomic.Int64

	once    sync.Once
	problem error
	// asksForNames tells that the user's name counts.
	asksForNames bool
	// sameForAll tells that the match conditions ask for nothing but who writes, and last what they were.
	sameForAll  bool
	last        lastAnswer
	variables   []cel.Program
	conditions  []cel.Program
	validations []cel.Program
}

func (p *programs) compile() error {
	p.once.Do(func() {
		c := newCompiler(p.spec)
		p.sameForAll = true
		defer func() { p.asksForNames = c.asksForNames }()
		for _, v := range p.spec.Variables {
			program, problem := c.variable(v.Name, v.Expression)
			p.variables = append(p.variables, p.checked("variable "+v.Name, program, problem))
		}
		for _, condition := range p.spec.MatchConditions {
			program, problem := c.decision(condition.Expression)
			p.sameForAll = p.sameForAll && onlyWho(condition.Expression)
			p.conditions = append(p.conditions, p.checked("match condition "+condition.Name, program, problem))
		}
		for i, v := range p.spec.Validations {
			program, problem := c.decision(v.Expression)
			p.validations = append(p.validations, p.checked(validation(i), program, problem))
		}
	})
	return p.problem
}

// checked keeps the first problem of all.
func (p *programs) checked(called string, program cel.Program, problem string) cel.Program {
	if problem != "" && p.problem == nil {
		p.problem = errors.New(called + " " + problem)
	}
	return program
}

func validation(i int) string { return fmt.Sprintf("validation %d", i+1) }

// judge evaluates the expressions for somebody who attempts something with an object that is not known.
func (p *programs) judge(who Who, attempt Attempt, given params) (State, string) {
	const tooLong = "takes too long to evaluate"
	if len(p.spec.Validations) == 0 {
		return Open, "has no validations, so that it denies nothing"
	}
	if err := p.compile(); err != nil {
		return Unknown, "cannot be evaluated: " + err.Error()
	}
	if p.spent.Load() > int64(patience) {
		return Unknown, tooLong
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	start := time.Now()
	state, why := p.decide(ctx, who, attempt, given)
	if who.Another != "" && p.asksForNames {
		member := who
		member.User = who.Another
		if of, _ := p.decide(ctx, member, attempt, given); of != state {
			state, why = Unknown, "tells members of "+who.Called+" apart by their names"
		}
	}
	p.spent.Add(int64(time.Since(start)))
	if ctx.Err() != nil {
		p.spent.Add(int64(patience))
		return Unknown, tooLong
	}
	if state == Open && who.Templated {
		return Unknown, why + ", as it is written, and its name is filled in later"
	}
	return state, why
}

func (p *programs) decide(ctx context.Context, who Who, attempt Attempt, given params) (State, string) {
	if state, why, known := p.last.of(who); known && state != Limited {
		return state, why
	}
	in := newInput(who, attempt, given)
	if !p.sameForAll {
		p.setVariables(ctx, in)
	}
	state, why := p.judgeConditions(ctx, in)
	if p.sameForAll && ctx.Err() == nil {
		p.last.keep(who, state, why)
	}
	if state != Limited {
		return state, why
	}
	if p.sameForAll {
		p.setVariables(ctx, in)
	}
	state, why = p.judgeValidations(ctx, in)
	if state == Limited && given.optional {
		return Unknown, "allows everything where its parameters do not exist (parameterNotFoundAction: Allow), and whether they do is not known"
	}
	return state, why
}

func (p *programs) setVariables(ctx context.Context, in *input) {
	for i, variable := range p.variables {
		in.setVariable(p.spec.Variables[i].Name, in.evaluate(ctx, variable))
	}
}

// judgeConditions reports whether a policy looks at the subject. A condition that is false decides, whatever the others are.
func (p *programs) judgeConditions(ctx context.Context, in *input) (State, string) {
	state, why := Limited, ""
	for i, condition := range p.conditions {
		name := p.spec.MatchConditions[i].Name
		switch value := in.evaluate(ctx, condition); {
		case value == types.True:
		case value == types.False:
			return Open, fmt.Sprintf("leaves %s out (match condition %s)", in.who.Called, name)
		case types.IsUnknown(value):
			state, why = Unknown, fmt.Sprintf("has a match condition, %s, that depends on more than who writes", name)
		default:
			state, why = Unknown, fmt.Sprintf("has a match condition, %s, that cannot be evaluated here", name)
		}
	}
	return state, why
}

// judgeValidations reports whether one of the validations can deny. One that is true whatever the object denies nothing.
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
		return Unknown, "cannot be evaluated here: " + failed + " fails, or has a function that is not known here"
	case !depends:
		return Open, fmt.Sprintf("has validations that are true for %s whatever is written", in.who.Called)
	case cmp.Or(deref(p.spec.FailurePolicy), admissionv1.Fail) == admissionv1.Ignore:
		return Unknown, "lets in every object on which an expression fails (failurePolicy: Ignore), and whether there are such objects is not known"
	}
	return Limited, ""
}

// lastAnswer is what the match conditions were for the one who was asked about last: many attempts of one are asked about in
// a row, and conditions are most of the work where there are many policies.
type lastAnswer struct {
	mu     sync.Mutex
	called string
	user   string
	state  State
	why    string
}

func (l *lastAnswer) of(who Who) (state State, why string, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state, l.why, l.state != "" && l.called == who.Called && l.user == who.User
}

func (l *lastAnswer) keep(who Who, state State, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.called, l.user, l.state, l.why = who.Called, who.User, state, why
}

// onlyWho reports whether an expression can ask for nothing but the name and the groups of who writes.
func onlyWho(expression string) bool {
	rest := strings.NewReplacer("request.userInfo.username", "", "request.userInfo.groups", "").Replace(expression)
	return !slices.ContainsFunc([]string{"request", "bject", "params", "authorizer", "variables"}, func(name string) bool { return strings.Contains(rest, name) })
}
