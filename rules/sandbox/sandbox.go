package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
)

const (
	// childFlag is the argument of the process that evaluates policies of users.
	childFlag = "--policy-child="
	// sandboxMemory is the memory of this process, which the kernel limits on Linux.
	sandboxMemory = 512 << 20
	// userMemory limits the growth of its heap during one evaluation. It is far enough below sandboxMemory that most evaluations
	// are stopped before they end the process.
	userMemory = 192 << 20
	// sandboxOutput limits what the process sends during one evaluation, in bytes.
	sandboxOutput = 16 << 20
	// grace is the time after which an evaluation that did not stop at its limit is stopped with the process.
	grace = time.Second
	// parseTime limits the time to parse the policies, compileTime that to compile them, and testTime that of all their tests.
	parseTime   = 10 * time.Second
	compileTime = 10 * time.Second
	testTime    = 5 * time.Minute
	// maxKnown is how many objects of the repository the process keeps.
	maxKnown = 4000
)

// Sandbox evaluates the policies of users in child processes, because OPA cannot stop every evaluation in time. It is safe for
// concurrent use; as many evaluations run at a time as there are processors.
type Sandbox struct {
	// Observe is set if the remarks of evaluations are wanted, and Explain if their traces are, too. They are set before the first request.
	Observe, Explain bool

	policies  []Source
	documents []metadata.Document

	pool    pool
	mu      sync.Mutex
	process *child.Process // nil before the first request, and after a failure
	known   *knownValues
	parsing time.Duration // until now
}

// Source is a Rego file of a user.
type Source struct {
	Name, Source string
	// OfUnit is set for a rule about deployment units, whose input has no resource.
	OfUnit bool
	// Rule is the name of a rule, and IsRule is set for one. Parameters is the JSON Schema of its parameters; nil if it has none.
	IsRule     bool
	Rule       string          `json:",omitempty"`
	Parameters json.RawMessage `json:",omitempty"`
	// Kinds are the kinds of its objects, without groups; nil for all kinds.
	Kinds []string `json:",omitempty"`
}

type (
	// toChild is a message to the process: first the policies, then requests, and answers to its queries.
	toChild struct {
		Policies   []Source
		Documents  []metadata.Document
		Parse      *Source
		Check      bool
		Evaluate   *evaluateRequest
		Violations *violationsRequest
		Test       *testRequest
		// Lines asks for the lines that were reached.
		Lines  bool
		Answer *functionAnswer
	}
	evaluateRequest struct {
		// Rule is the file of a rule, and Query is evaluated in it.
		Rule, Query string
		Input       wire
		Time        time.Duration
		// Observe also returns remarks, and Explain the trace.
		Observe, Explain bool
		// Forget is true if the objects of former requests are not needed.
		Forget bool
	}
	// testRequest runs the tests of the files whose names match Run, or only the one named Alone.
	testRequest struct {
		Tests      []Source
		Run, Alone string
		// Cover collects from now on the lines that tests and evaluations reach.
		Cover bool
	}
	// functionAnswer is the result of a built-in function; without a value, it is undefined.
	functionAnswer struct {
		Value wire
		Error string
	}
	// fromChild is a query for a built-in function that needs the repository, or the result of a request.
	fromChild struct {
		Query  *functionQuery
		Result *sandboxResult
	}
	functionQuery struct {
		Function string
		Args     []wire
	}
	sandboxResult struct {
		Outline  *metadata.Outline
		Value    wire
		Remarks  []policy.Remark
		Violates []bool
		Error    string
		Limit    *policy.LimitError
		// Steps is the trace of an evaluation.
		Steps string
		Tests []policy.TestResult
		Lines map[string]policy.Lines
	}
)

// parse sets the outline of a policy. After an error that is not about mistakes in it, no further ones are parsed.
func (s *Sandbox) parse(ctx context.Context, p *metadata.File) (mistakes, stop error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	source := SourceOf(p)
	begin := time.Now()
	result, err := s.exchange(ctx, toChild{Parse: &source}, parseTime-s.parsing, nil)
	s.parsing += time.Since(begin)
	var limit *policy.LimitError
	switch {
	case errors.As(err, &limit):
		if limit.Time {
			limit.Reason = fmt.Sprintf("parsing the policies took longer than %v", parseTime)
		}
		return nil, fmt.Errorf("%s: the policy cannot be parsed: %w", p.Name, err)
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return err, nil
	case result.Outline == nil:
		return nil, errors.New("internal error: a policy without an outline")
	}
	p.Outline = *result.Outline
	return nil, nil
}

// Check compiles policies, which are evaluated from then on with the data of documents. The error lists the mistakes.
func (s *Sandbox) Check(ctx context.Context, policies []Source, documents []metadata.Document) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pool.close()
	s.policies, s.documents = policies, documents
	// A new process gets the policies when it starts, and has not spent memory on parsing.
	if isLarge(policies) || s.process != nil && s.process.Send(toChild{Policies: policies, Documents: documents}) != nil {
		s.end()
	}
	_, err := s.exchange(ctx, toChild{Check: true}, compileTime, nil)
	var limit *policy.LimitError
	if errors.As(err, &limit) {
		return fmt.Errorf("the policies cannot be compiled: %w", err)
	}
	return err
}

// isLarge reports whether parsing policies leaves much behind in memory.
func isLarge(policies []Source) bool {
	size := 0
	for _, p := range policies {
		size += len(p.Source)
	}
	return size > 256<<10
}

// Evaluated is the result of an evaluation.
type Evaluated struct {
	// Value is that of the rule's report; nil if it is undefined.
	Value ast.Value
	// Remarks are what the evaluation printed, and what failed in it. Steps is its trace as text, without data of Secrets.
	Remarks []policy.Remark
	Steps   string
	// Time is that of the evaluation, without that in which it waited for others.
	Time time.Duration
}

// Evaluate evaluates a rule.
func (s *Sandbox) Evaluate(ctx context.Context, evaluation *evalcontext.Evaluation, rule *metadata.Rule, input ast.Value, limit time.Duration) (out Evaluated, err error) {
	s, release := s.acquire()
	defer release()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func(start time.Time) { out.Time = time.Since(start) }(time.Now())
	if err := s.start(); err != nil {
		return out, err
	}
	request := &evaluateRequest{Rule: userPrefix + rule.File, Query: rule.Package() + ".report", Time: limit, Observe: s.Observe, Explain: s.Explain}
	if len(s.known.objects) > maxKnown {
		request.Forget, s.known = true, newKnownValues()
	}
	if request.Input, err = s.known.encode(input, evaluation.Values.Has); err != nil {
		return out, err
	}
	result, err := s.exchange(ctx, toChild{Evaluate: request}, limit, func(q functionQuery) functionAnswer { return s.answer(ctx, evaluation, q) })
	if result != nil {
		out.Remarks, out.Steps = result.Remarks, result.Steps
	}
	if err != nil || len(result.Value) == 0 {
		return out, err
	}
	out.Value, err = s.known.decode(result.Value)
	return out, err
}

// answer calls a built-in function.
func (s *Sandbox) answer(ctx context.Context, evaluation *evalcontext.Evaluation, q functionQuery) functionAnswer {
	value, err := s.call(ctx, evaluation, q)
	if err != nil {
		return functionAnswer{Error: err.Error()}
	}
	return functionAnswer{Value: value}
}

// call returns the result of a built-in function; nil if it is undefined.
func (s *Sandbox) call(ctx context.Context, evaluation *evalcontext.Evaluation, q functionQuery) (wire, error) {
	i := slices.IndexFunc(builtins.All(), func(b *policy.Builtin) bool { return b.Name == q.Function })
	if i < 0 || len(q.Args) != len(builtins.All()[i].Decl.NamedFuncArgs().Args) {
		return nil, errors.New("there is no such function")
	}
	args := make([]*ast.Term, len(q.Args))
	for i, arg := range q.Args {
		value, err := s.known.decode(arg)
		if err != nil {
			return nil, err
		}
		args[i] = ast.NewTerm(value)
	}
	value, err := builtins.All()[i].Eval(evaluation.Attach(ctx), args)
	if value == nil || err != nil {
		return nil, err
	}
	return s.known.encode(value, evaluation.Values.Has)
}

// test runs the tests of files, or only one of them.
func (s *Sandbox) test(ctx context.Context, request testRequest) (*sandboxResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exchange(ctx, toChild{Test: &request}, testTime, nil)
}

// Close ends the process. The sandbox can be used again afterwards.
func (s *Sandbox) Close() {
	s.pool.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

func (s *Sandbox) end() {
	if s.process != nil {
		s.process.Kill()
	}
	s.process, s.known = nil, nil
}

// start starts the process if there is none.
func (s *Sandbox) start() error {
	if s.process != nil {
		return nil
	}
	p, err := child.Start(childFlag, sandboxMemory)
	if err != nil {
		return err
	}
	s.process, s.known = p, newKnownValues()
	return p.Send(toChild{Policies: s.policies, Documents: s.documents})
}

// exchange sends a request and answers queries until the result arrives. The limit does not include the time of answers. After
// an error that ends the process, the next request starts another.
func (s *Sandbox) exchange(ctx context.Context, request toChild, limit time.Duration, reply func(functionQuery) functionAnswer) (*sandboxResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.start(); err != nil {
		return nil, err
	}
	p := s.process
	var late atomic.Bool
	timer := time.AfterFunc(limit+grace, func() {
		late.Store(true)
		p.Kill()
	})
	defer timer.Stop()
	defer context.AfterFunc(ctx, p.Kill)()
	p.LimitOutput(sandboxOutput)
	left, resumed := limit+grace, time.Now()
	answered := false
	defer func() {
		if !answered { // a function panicked, and the process waits for its result
			s.end()
		}
	}()
	result, err := talk(p, request, func(q functionQuery) functionAnswer {
		timer.Stop()
		left -= time.Since(resumed)
		defer func() {
			resumed = time.Now()
			timer.Reset(left)
		}()
		return reply(q)
	})
	answered = true
	if err == nil && ctx.Err() == nil {
		return result, result.err()
	}
	s.end()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case late.Load():
		return nil, &policy.LimitError{Reason: fmt.Sprintf("it took longer than %v", limit), Time: true}
	case errors.Is(err, child.ErrOutput):
		return nil, &policy.LimitError{Reason: fmt.Sprintf("its findings, or what it passes to functions, have more than %d MiB", sandboxOutput>>20)}
	}
	return nil, &policy.LimitError{Reason: p.Crash().Reason}
}

func talk(p *child.Process, request toChild, reply func(functionQuery) functionAnswer) (*sandboxResult, error) {
	if err := p.Send(request); err != nil {
		return nil, err
	}
	for {
		var message fromChild
		if err := p.Receive(&message); err != nil {
			return nil, err
		}
		if message.Result != nil {
			return message.Result, nil
		}
		if message.Query == nil {
			return nil, errors.New("unexpected message")
		}
		sent := reply(*message.Query)
		if err := p.Send(toChild{Answer: &sent}); err != nil {
			return nil, err
		}
	}
}

func (r *sandboxResult) err() error {
	switch {
	case r.Limit != nil:
		return r.Limit
	case r.Error != "":
		return errors.New(r.Error)
	}
	return nil
}
