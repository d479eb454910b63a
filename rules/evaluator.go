package rules

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/policy"
)

// Evaluator evaluates a set of rules on objects. It may be used by several goroutines at once. Policies are compiled
// when the first object of a kind that they judge is met: a run that meets none compiles none.
type Evaluator struct {
	// Skippable tells of a rule with conditions (Rule.SkipUnless) and a document that none of them holds: it is not evaluated on the
	// objects of the document. It is set before the first evaluation; nil tells it of none.
	Skippable func(rule string, doc *manifest.Document) bool

	registry *Registry
	timeout  time.Duration
	byKind   map[string][]*program // ScopeObject, by Kind.group
	ofUnits  []*program            // ScopeUnit
	programs []*program            // all, by name
	values   valueCache

	compiling sync.Mutex
	modules   atomic.Int64
}

// program is one rule on its way from source to prepared query.
type program struct {
	rule  Rule
	words [][]byte
	// reads are the kinds, without group, that are sure to be read when the rule is evaluated.
	reads map[string]bool
	// query is nil until the rule is compiled. It is stored once, before any evaluation reads it.
	query atomic.Pointer[policy.Query]
	// stopped is set once the rule has run into a limit: it is not tried again on every further object.
	stopped     atomic.Bool
	evaluations atomic.Int64
	// lists keeps what mayFire found out about documents with several objects.
	lists sync.Map // *manifest.Document to bool
}

// Evaluator makes an evaluator of the rules of these names. A name that does not exist is an error.
func (r *Registry) Evaluator(_ context.Context, enabled []string) (*Evaluator, error) {
	e := &Evaluator{registry: r, timeout: r.timeout, byKind: map[string][]*program{}}
	names := slices.Sorted(slices.Values(enabled))
	for _, name := range slices.Compact(names) {
		rule := r.find(name)
		if rule == nil {
			return nil, r.unknown(name)
		}
		e.add(newProgram(*rule))
	}
	return e, nil
}

func newProgram(rule Rule) *program {
	p := &program{rule: rule, reads: map[string]bool{}}
	for _, word := range rule.Words {
		p.words = append(p.words, []byte(word))
	}
	for _, kind := range slices.Concat(rule.Reads, rule.ReadsAll) {
		p.reads[bareKind(kind)] = true
	}
	if len(rule.Words) > 0 {
		// Of the kinds it judges, only the documents with one of the words are.
		return p
	}
	for _, kind := range rule.Kinds {
		p.reads[bareKind(kind)] = true
	}
	return p
}

func (e *Evaluator) add(p *program) {
	switch p.rule.Scope {
	case ScopeProgram:
		return
	case ScopeUnit:
		e.ofUnits = append(e.ofUnits, p)
	default:
		for _, kind := range p.rule.Kinds {
			e.byKind[kind] = append(e.byKind[kind], p)
		}
	}
	e.programs = append(e.programs, p)
}

// Prepare compiles the rules that have something to say about any of the objects, all at once: cheaper than one by one
// as objects are met. It is never needed.
func (e *Evaluator) Prepare(ctx context.Context, objects []*objects.Object) error {
	kinds, wanted := map[string]bool{}, map[*program]bool{}
	for _, o := range objects {
		key := kindKey(o.Kind, o.Group)
		kinds[key] = true
		for _, p := range e.byKind[key] {
			if !wanted[p] && e.mayFire(p, o) {
				wanted[p] = true
			}
		}
	}
	for _, p := range e.ofUnits {
		wanted[p] = slices.ContainsFunc(p.rule.Kinds, func(kind string) bool { return kinds[kind] })
	}
	return e.ensure(ctx, slices.DeleteFunc(slices.Clone(e.programs), func(p *program) bool { return !wanted[p] }))
}

// ensure compiles those of the programs that are not compiled yet.
func (e *Evaluator) ensure(ctx context.Context, programs []*program) error {
	if !slices.ContainsFunc(programs, (*program).pending) {
		return nil
	}
	e.compiling.Lock()
	defer e.compiling.Unlock()
	var pending []*program
	var rules []Rule
	for _, p := range programs {
		if p.pending() {
			pending = append(pending, p)
			rules = append(rules, p.rule)
		}
	}
	queries, modules, err := e.registry.queriesOf(ctx, rules)
	if err != nil {
		return err
	}
	e.modules.Add(int64(modules))
	for _, p := range pending {
		p.query.Store(queries[p.rule.key()])
	}
	return nil
}

func (p *program) pending() bool { return p.query.Load() == nil }

type compileFunc = func(map[string]*ast.Module, []*policy.Builtin) (*ast.Compiler, error)

// compile compiles the modules of the files and everything they refer to.
func (r *Registry) compile(files []string, compile compileFunc) (*ast.Compiler, error) {
	modules, err := r.sources.closure(files)
	if err != nil {
		return nil, err
	}
	compiler, err := compile(modules, builtins())
	return compiler, policy.Explain(err, builtins())
}

// Counters say how much work was done.
type Counters struct {
	// Modules is the number of Rego files that were compiled; a file that was compiled twice counts twice, and one whose
	// rule was in the PolicyCache does not count.
	Modules int
	// Evaluations is the number of evaluations of each rule that was evaluated at all.
	Evaluations map[string]int
}

// Counters gives the work done so far.
func (e *Evaluator) Counters() Counters {
	c := Counters{Modules: int(e.modules.Load()), Evaluations: map[string]int{}}
	for _, p := range e.programs {
		if n := p.evaluations.Load(); n > 0 {
			c.Evaluations[p.rule.Name] = int(n)
		}
	}
	return c
}
