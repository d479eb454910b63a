package policy

import (
	"context"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

// noData is the store of queries without data: policies only see their input and the results of the built-in functions.
var noData = inmem.NewWithOpts(inmem.OptRoundTripOnWrite(false))

// storeOf returns a store with data, which it does not copy.
func storeOf(data map[string]any) storage.Store {
	if len(data) == 0 {
		return noData
	}
	return inmem.NewFromObjectWithOpts(data, inmem.OptRoundTripOnWrite(false), inmem.OptReturnASTValuesOnRead(true))
}

// Query is a prepared query. It can be evaluated many times, also concurrently.
type Query struct {
	prepared rego.PreparedEvalQuery
	compiler *ast.Compiler
	// Observer gets what an evaluation prints, and what fails in it; nil if that is not asked for. A query with one is not safe for concurrent use.
	Observer *Observer
}

// Prepare returns a query over compiled modules and data, as in data.salint.rules.custom.my_rule.report.
func Prepare(ctx context.Context, compiler *ast.Compiler, query string, builtins []*Builtin, data map[string]any) (*Query, error) {
	options := []func(*rego.Rego){
		rego.Compiler(compiler),
		rego.Capabilities(compiler.Capabilities()),
		rego.Store(storeOf(data)),
		rego.Query(query),
		// The result is not converted: most evaluations have none, and the rest is read field by field.
		rego.GenerateJSON(func(t *ast.Term, _ *rego.EvalContext) (any, error) { return t.Value, nil }),
	}
	for _, b := range builtins {
		options = append(options, b.Option())
	}
	prepared, err := rego.New(options...).PrepareForEval(ctx)
	if err != nil {
		return nil, err
	}
	return &Query{prepared: prepared, compiler: compiler}, nil
}

// Evaluate returns the value of the query for an input; nil if it is undefined. An evaluation that exceeds a limit is
// stopped with a *LimitError. A panic of OPA or of a function is the caller's to contain. The context is passed to the built-in functions. Known, which can be nil, is for all queries with
// this input.
func (q *Query) Evaluate(ctx context.Context, input ast.Value, known *Known, limits Limits) (value ast.Value, err error) {
	guard := watch(ctx, limits)
	done := false
	defer func() {
		_ = guard.stop() // also after a panic of a function
		if err != nil || !done {
			known.forget()
		}
	}()
	options := []rego.EvalOption{
		rego.EvalParsedInput(input),
		rego.EvalMetrics(metrics.NoOp()),
		rego.EvalExternalCancel(guard.cancel),
		rego.EvalVirtualCache(known.of(q.compiler)),
	}
	results, err := q.prepared.Eval(context.WithValue(ctx, guardKey{}, guard), append(options, q.Observer.options()...)...)
	q.Observer.finish()
	done = true
	if reason := guard.stop(); err != nil && reason != nil {
		return nil, reason
	}
	if err != nil {
		return nil, explainRuntime(err)
	}
	if len(results) == 0 {
		return nil, nil
	}
	value, _ = results[0].Expressions[0].Value.(ast.Value)
	return value, nil
}
