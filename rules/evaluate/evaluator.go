package evaluate

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/wordfilter"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/modules"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/sandbox"
	"github.com/salint/salint/rules/values"
)

// Evaluator evaluates a set of rules on objects. It is safe for concurrent use. Policies are compiled when the first object
// of one of their kinds is evaluated, so a run without such objects compiles none.
type Evaluator struct {
	// Skippable reports whether none of the conditions of a rule (Rule.SkipUnless) holds for a document of a file, and no kustomization
	// changes the fields that they concern: the rule is then not evaluated on its objects, built or not. It is set before the first
	// evaluation; nil skips no document.
	Skippable func(rule string, doc *manifest.Document) bool
	// All also evaluates rules on objects for which none of their conditions (Rule.EvaluateIf) holds: for tests of these conditions.
	All bool

	// Parameters returns the parameters of a user's rule for objects of a file; nil for a rule without parameters.
	Parameters func(rule *metadata.Rule, file string) (map[string]any, error)

	// Inspect is called with each evaluation, also at the same time; nil if none are inspected.
	Inspect func(Inspection)

	modules  *modules.Set
	sandbox  *sandbox.Sandbox
	timeout  time.Duration
	byKind   map[string][]*program // ScopeObject, by Kind.group
	ofAll    []*program            // ScopeObject, of every kind
	ofUnits  []*program            // ScopeUnit
	programs []*program            // all, by name
	values   values.Cache
	remarks  remarks

	compiling sync.Mutex
	compiled  atomic.Int64 // the number of modules
}

// program is one rule, from its source to its prepared query.
type program struct {
	rule  metadata.Rule
	words [][]byte
	// reads are the kinds, without group, that are certainly read when the rule is evaluated.
	reads map[string]bool
	// query is nil until the rule is compiled. It is stored once, before any evaluation reads it.
	query atomic.Pointer[policy.Query]
	// stopped is set once the rule has exceeded a limit: it is not evaluated on further objects.
	stopped     atomic.Bool
	evaluations atomic.Int64
	// nanoseconds is the time of the evaluations. Those that run at the same time are added up.
	nanoseconds atomic.Int64
	// lists caches the result of mayFire for documents with several objects.
	lists sync.Map // *manifest.Document to bool
}

// New returns an evaluator of rules, sorted by name. The sandbox evaluates those of users; the timeout limits one evaluation of
// one rule.
func New(rules []metadata.Rule, modules *modules.Set, box *sandbox.Sandbox, timeout time.Duration) *Evaluator {
	e := &Evaluator{modules: modules, sandbox: box, timeout: timeout, byKind: map[string][]*program{}}
	for _, rule := range rules {
		e.add(newProgram(rule))
	}
	return e
}

func newProgram(rule metadata.Rule) *program {
	p := &program{rule: rule, reads: map[string]bool{}}
	for _, word := range rule.Words {
		p.words = append(p.words, []byte(word))
	}
	for _, kind := range slices.Concat(rule.Reads, rule.ReadsAll) {
		p.reads[metadata.BareKind(kind)] = true
	}
	if len(rule.Words) > 0 {
		// Of the kinds it judges, only documents with one of the words are read.
		return p
	}
	for _, kind := range rule.Kinds {
		p.reads[metadata.BareKind(kind)] = true
	}
	if rule.All {
		p.reads[wordfilter.AnyKind] = true
	}
	return p
}

func (e *Evaluator) add(p *program) {
	switch p.rule.Scope {
	case metadata.ScopeProgram:
		return
	case metadata.ScopeUnit:
		e.ofUnits = append(e.ofUnits, p)
	case metadata.ScopeObject:
		if p.rule.All {
			e.ofAll = append(e.ofAll, p)
			break
		}
		for _, kind := range p.rule.Kinds {
			e.byKind[kind] = append(e.byKind[kind], p)
		}
	}
	e.programs = append(e.programs, p)
}

// Compile compiles the rules of selections, all at once, which is cheaper than one by one.
func (e *Evaluator) Compile(ctx context.Context, selections ...*Selection) error {
	wanted := map[*program]bool{}
	for _, selected := range selections {
		if selected == nil {
			continue
		}
		for _, p := range selected.programs {
			if p.pending() {
				wanted[p] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	e.compiling.Lock()
	defer e.compiling.Unlock()
	var missing []*program
	var rules []metadata.Rule
	for _, p := range e.programs {
		if wanted[p] && p.pending() {
			missing = append(missing, p)
			rules = append(rules, p.rule)
		}
	}
	queries, modules, err := e.modules.Queries(ctx, rules)
	if err != nil {
		return err
	}
	e.compiled.Add(int64(modules))
	for _, p := range missing {
		p.query.Store(queries[p.rule.File])
	}
	return nil
}

// pending reports whether the program has to be compiled here. The sandbox compiles those of users.
func (p *program) pending() bool { return !p.rule.User && p.query.Load() == nil }

// Counters count the work that was done.
type Counters struct {
	// Modules is the number of Rego files that were compiled; a file that was compiled twice counts twice, and one whose
	// rule was in the cache does not count.
	Modules int
	// Evaluations is the number of evaluations by rule.
	Evaluations map[string]int
	// Times is the time of the evaluations by rule; those that run at the same time are added up.
	Times map[string]time.Duration
	// Remarks are what evaluations of the user's rules have printed, and what failed in them.
	Remarks []string
}

// Counters returns the work done so far.
func (e *Evaluator) Counters() Counters {
	c := Counters{Modules: int(e.compiled.Load()), Evaluations: map[string]int{}, Times: map[string]time.Duration{}, Remarks: e.Remarks()}
	for _, p := range e.programs {
		if n := p.evaluations.Load(); n > 0 {
			c.Evaluations[p.rule.Name] = int(n)
			c.Times[p.rule.Name] = time.Duration(p.nanoseconds.Load())
		}
	}
	return c
}

// Forget drops the answers that this evaluator keeps with units. It is called after the last evaluation: what is kept with a unit lives
// as long as the unit, which fixes still need.
func (e *Evaluator) Forget(units []*objects.Unit) { evalcontext.Forget(units, &e.values) }
