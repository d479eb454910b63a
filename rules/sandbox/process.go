package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	_ "time/tzdata" // the process cannot open the files of time zones

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/modules"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/vet"
)

// Main runs the process that evaluates policies of users if args, without the program's name, are those with which it is
// started, and returns the exit code. Programs, and the test programs of packages that use such policies, call it first.
func Main(args []string, in io.Reader, out io.Writer) (code int, isChild bool) {
	isChild, err := child.IsChild(args, childFlag)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return child.ExitFault, true
	}
	if !isChild {
		return 0, false
	}
	policy.LimitCosts()
	return (&sandboxChild{parent: child.NewParent[toChild](in, out)}).serve(), true
}

// sandboxChild is the state of the process.
type sandboxChild struct {
	parent    *child.Parent[toChild]
	policies  []Source
	documents []metadata.Document
	data      map[string]any // of the documents; nil before it is read
	reads     []ast.Ref      // of data, by the policies and their tests
	compiler  *ast.Compiler  // nil before the first evaluation
	queries   map[string]*policy.Query
	known     *knownValues
	// answers are those of the parent in the current evaluation, by the functions and their arguments; nil for an undefined one.
	answers map[string]ast.Value
	cover   *cover.Cover // nil unless reached lines are wanted
}

func (c *sandboxChild) serve() int {
	for {
		message := c.parent.Receive()
		if message.Policies != nil || c.known == nil {
			*c = sandboxChild{
				parent: c.parent, policies: message.Policies, documents: message.Documents,
				queries: map[string]*policy.Query{}, known: newKnownValues(),
			}
			continue
		}
		result, err := c.result(message)
		if limit := new(policy.LimitError); errors.As(err, &limit) {
			result = sandboxResult{Limit: limit}
		} else if err != nil {
			result = sandboxResult{Error: err.Error()}
		}
		if err := c.parent.Send(fromChild{Result: &result}); err != nil {
			return child.ExitFault
		}
	}
}

// result processes a request. A panic of a library becomes an error.
func (c *sandboxChild) result(message toChild) (result sandboxResult, err error) {
	err = policy.Contain(func() (err error) {
		result, err = c.respond(message)
		return err
	})
	return result, err
}

func (c *sandboxChild) respond(message toChild) (result sandboxResult, err error) {
	switch {
	case message.Parse != nil:
		module, err := policy.Parse(message.Parse.Name, []byte(message.Parse.Source))
		if err != nil {
			return result, policy.Explain(err, builtins.All())
		}
		outline := metadata.OutlineOf(module)
		return sandboxResult{Outline: &outline}, nil
	case message.Check:
		return result, c.check()
	case message.Evaluate != nil:
		return c.evaluate(*message.Evaluate)
	case message.Violations != nil:
		return c.violations(*message.Violations)
	case message.Test != nil:
		return c.test(*message.Test)
	case message.Lines:
		return c.lines()
	}
	return result, errors.New("the request is empty")
}

// maxDefinitions limits the rules of Rego in a file, because the compiler reads the schema of the input again for each.
const maxDefinitions = 10_000

// withBuiltIn returns the modules of the user with those of salint, and the names of the user's. If mocked is true, tests can set data that no
// file defines.
func (c *sandboxChild) withBuiltIn(policies []Source, mocked bool) (all *modules.Set, keys []string, err error) {
	if c.data == nil {
		if c.data, err = merge(c.documents); err != nil {
			return nil, nil, err
		}
	}
	all = modules.New(modules.NewCache())
	for _, p := range policies {
		module, err := policy.ParseWithoutAnnotations(p.Name, []byte(p.Source))
		if err != nil {
			return nil, nil, policy.Explain(err, builtins.All())
		}
		if n := len(module.Rules); n > maxDefinitions {
			return nil, nil, fmt.Errorf("%s: a policy can have at most %d definitions, and this one has %d: put data into data.json beside it", p.Name, maxDefinitions, n)
		}
		if err := checkHelpers(module); err != nil {
			return nil, nil, err
		}
		if err := p.annotate(module); err != nil {
			return nil, nil, err
		}
		if mocked {
			c.reads = append(c.reads, modules.DataReads(module)...)
		}
		if err := readOptional(module, c.data, mocked); err != nil {
			return nil, nil, err
		}
		all.Add(userPrefix+p.Name, module)
		keys = append(keys, userPrefix+p.Name)
	}
	return all, keys, nil
}

func (c *sandboxChild) compile(compile modules.CompileFunc) (*ast.Compiler, error) {
	all, keys, err := c.withBuiltIn(c.policies, false)
	if err != nil {
		return nil, err
	}
	return all.Compile(keys, compile)
}

// check compiles the policies, and looks for mistakes that the compiler accepts.
func (c *sandboxChild) check() error {
	compiler, err := c.compile(policy.CompileForInput)
	if err != nil {
		return err
	}
	checked := vet.Policies{Compiler: compiler, Documents: c.data, Succeeds: succeeds, Rules: rulesOf(c.policies)}
	for _, p := range c.policies {
		checked.Own = append(checked.Own, userPrefix+p.Name)
	}
	return vet.Check(checked)
}

func rulesOf(policies []Source) []vet.Rule {
	var list []vet.Rule
	for _, p := range policies {
		if p.IsRule {
			list = append(list, vet.Rule{Key: userPrefix + p.Name, Name: p.Rule, Parameters: p.Parameters, Kinds: p.Kinds})
		}
	}
	return list
}

// succeeds reports whether a function of salint that needs no repository is defined for an argument.
func succeeds(function string, argument ast.Value) bool {
	i := slices.IndexFunc(builtins.All(), func(b *policy.Builtin) bool { return b.Name == function })
	if i < 0 {
		return true
	}
	value, needsParent, err := evaluateHere(context.Background(), builtins.All()[i], []*ast.Term{ast.NewTerm(argument)})
	return needsParent || value != nil && err == nil
}

func (c *sandboxChild) evaluate(request evaluateRequest) (result sandboxResult, err error) {
	if request.Forget {
		c.known = newKnownValues()
	}
	input, err := c.known.decode(request.Input)
	if err != nil {
		return result, err
	}
	query, err := c.query(request)
	if err != nil {
		return result, err
	}
	c.answers = map[string]ast.Value{}
	query.Observer = nil
	if request.Observe {
		query.Observer = &policy.Observer{Trace: request.Explain, Cover: c.cover}
	}
	value, err := query.Evaluate(context.Background(), input, nil, policy.Limits{Time: request.Time, Memory: userMemory})
	if request.Observe {
		result.Remarks, result.Steps = c.known.withoutSecrets(query.Observer.Remarks, query.Observer.Steps)
	}
	if err != nil || value == nil {
		return result, err
	}
	result.Value, err = c.known.encode(value, nil)
	return result, err
}

// query returns the prepared query of a rule. All rules are compiled when the first one is evaluated.
func (c *sandboxChild) query(request evaluateRequest) (*policy.Query, error) {
	if q := c.queries[request.Rule]; q != nil {
		return q, nil
	}
	var err error
	if c.compiler == nil {
		compile := policy.CompileChecked
		if request.Observe {
			compile = policy.CompilePrinting
		}
		if c.compiler, err = c.compile(compile); err != nil {
			return nil, err
		}
	}
	q, err := policy.Prepare(context.Background(), c.compiler, request.Query, c.functions(), c.data)
	if err != nil {
		return nil, policy.Explain(err, builtins.All())
	}
	c.queries[request.Rule] = q
	return q, nil
}

// functions are the built-in functions in the form for this process: those that need the repository are called in the parent.
func (c *sandboxChild) functions() []*policy.Builtin {
	var list []*policy.Builtin
	for _, b := range builtins.All() {
		remote := *b
		remote.Eval = func(ctx context.Context, args []*ast.Term) (ast.Value, error) {
			if value, needsParent, err := evaluateHere(ctx, b, args); !needsParent {
				return value, err
			}
			// OPA appends a variable for the result.
			return c.call(b.Name, args[:len(b.Decl.NamedFuncArgs().Args)])
		}
		list = append(list, &remote)
	}
	return list
}

// evaluateHere calls a function and reports whether it needs the repository, in which case the result counts for nothing.
func evaluateHere(ctx context.Context, b *policy.Builtin, args []*ast.Term) (value ast.Value, needsParent bool, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			if !needsParent {
				panic(fault)
			}
			value, err = nil, nil
		}
	}()
	value, err = b.Eval(evalcontext.StopOnUse(ctx, &needsParent), args)
	return value, needsParent, err
}

// call calls a function in the parent, once for the same arguments: a rule can call it for each of many objects.
func (c *sandboxChild) call(name string, args []*ast.Term) (ast.Value, error) {
	query, key := functionQuery{Function: name}, name
	for _, arg := range args {
		sent, err := c.known.encode(arg.Value, nil)
		if err != nil {
			return nil, err
		}
		query.Args = append(query.Args, sent)
		key += "\n" + string(sent)
	}
	if known, there := c.answers[key]; there {
		return known, nil
	}
	value, err := c.ask(query)
	if err == nil {
		c.answers[key] = value
	}
	return value, err
}

// ask returns the answer of the parent to a query.
func (c *sandboxChild) ask(query functionQuery) (ast.Value, error) {
	if err := c.parent.Send(fromChild{Query: &query}); err != nil {
		os.Exit(child.ExitFault)
	}
	answer := c.parent.Receive().Answer
	switch {
	case answer == nil:
		os.Exit(child.ExitFault)
	case answer.Error != "":
		return nil, errors.New(answer.Error)
	case len(answer.Value) == 0:
		return nil, nil
	}
	return c.known.decode(answer.Value)
}

func (c *sandboxChild) test(request testRequest) (result sandboxResult, err error) {
	all, keys, err := c.withBuiltIn(append(c.policies[:len(c.policies):len(c.policies)], request.Tests...), true)
	if err != nil {
		return result, err
	}
	needed, err := all.Closure(keys)
	if err != nil {
		return result, err
	}
	if err := c.checkTests(all, request.Tests); err != nil {
		return result, err
	}
	if request.Cover {
		c.cover = cover.New()
	}
	options := policy.TestOptions{Data: c.data, Only: request.Run, Cover: c.cover}
	result.Tests, err = modules.Test(context.Background(), needed, options, request.Alone)
	return result, err
}

// checkTests looks for tests of what does not exist.
func (c *sandboxChild) checkTests(all *modules.Set, tests []Source) error {
	checked := vet.Policies{Documents: c.data, Reads: c.reads, Rules: rulesOf(c.policies)}
	for _, p := range tests {
		checked.Own = append(checked.Own, userPrefix+p.Name)
	}
	var err error
	keys := slices.Clone(checked.Own)
	for _, p := range c.policies {
		keys = append(keys, userPrefix+p.Name)
	}
	if checked.Compiler, err = all.Compile(keys, policy.Compile); err != nil {
		return err
	}
	return vet.CheckTests(checked)
}

// lines returns the lines of the user's policies, and which of them were reached.
func (c *sandboxChild) lines() (result sandboxResult, err error) {
	all, keys, err := c.withBuiltIn(c.policies, false)
	if err != nil || c.cover == nil {
		return result, err
	}
	needed, err := all.Closure(keys)
	if err != nil {
		return result, err
	}
	own := map[string]*ast.Module{}
	for _, p := range c.policies {
		own[p.Name] = needed[userPrefix+p.Name]
	}
	result.Lines = policy.LinesOf(c.cover, own)
	maps.DeleteFunc(result.Lines, func(file string, _ policy.Lines) bool { return own[file] == nil })
	return result, nil
}
