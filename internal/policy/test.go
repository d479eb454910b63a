package policy

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"
)

// Test runs every rule named test_… in the modules and prints what failed. A test fails when it is false, undefined or
// an error; timeout limits each one.
func Test(ctx context.Context, modules map[string]*ast.Module, builtins []*Builtin, timeout time.Duration, w io.Writer) (passed, failed int, err error) {
	runner := tester.NewRunner().
		SetCompiler(newCompiler(builtins)).
		SetModules(modules).
		SetTimeout(timeout).
		AddCustomBuiltins(testerBuiltins(builtins)).
		RaiseBuiltinErrors(true)
	results, err := runner.RunTests(ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	counted := make(chan *tester.Result)
	go func() {
		defer close(counted)
		for r := range results {
			if r.Pass() || r.Skip {
				passed++
			} else {
				failed++
			}
			r.Duration = 0
			counted <- r
		}
	}()
	var report strings.Builder
	err = tester.PrettyReporter{Output: &report, FailureLine: true}.Report(counted)
	if err != nil {
		return passed, failed, err
	}
	_, err = io.WriteString(w, strings.ReplaceAll(report.String(), " (0s)", "")) // the same tests print the same text
	return passed, failed, err
}

func testerBuiltins(builtins []*Builtin) []*tester.Builtin {
	out := make([]*tester.Builtin, 0, len(builtins))
	for _, b := range builtins {
		out = append(out, &tester.Builtin{Decl: b.declaration(), Func: b.Option()})
	}
	return out
}
