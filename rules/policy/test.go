package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/util/channel"
)

// TestOptions limit what Test runs.
type TestOptions struct {
	// Timeout limits each test.
	Timeout time.Duration
	// Only is the name of the one test to run, with its package; all are run without it.
	Only string
	// Data is the data of the policies.
	Data map[string]any
}

// Test runs every rule named test_… in the modules and prints the failures, in the order of the files, so that the same
// tests print the same text. A test fails if it is false, undefined, or an error.
func Test(ctx context.Context, modules map[string]*ast.Module, builtins []*Builtin, o TestOptions, w io.Writer) (passed, failed int, err error) {
	runner := tester.NewRunner().
		SetCompiler(newCompiler(builtins)).
		SetModules(modules).
		SetTimeout(o.Timeout).
		SetStore(storeOf(o.Data)).
		AddCustomBuiltins(testerBuiltins(builtins)).
		RaiseBuiltinErrors(true)
	if o.Only != "" {
		runner = runner.Filter("^" + regexp.QuoteMeta(o.Only) + "$")
	}
	ctx, stop := limitMemory(ctx)
	defer stop()
	results, err := runner.RunTests(ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	sorted := channel.Collect(results)
	if reason := new(LimitError); errors.As(context.Cause(ctx), &reason) {
		return 0, 0, reason
	}
	slices.SortFunc(sorted, func(a, b *tester.Result) int {
		return cmp.Or(a.Location.Compare(b.Location), cmp.Compare(a.Name, b.Name))
	})
	counted := make(chan *tester.Result, len(sorted))
	for _, r := range sorted {
		if r.Pass() || r.Skip {
			passed++
		} else {
			failed++
		}
		r.Duration = 0
		counted <- r
	}
	close(counted)
	var report strings.Builder
	err = tester.PrettyReporter{Output: &report, FailureLine: true}.Report(counted)
	if err != nil {
		return passed, failed, err
	}
	_, err = io.WriteString(w, strings.ReplaceAll(report.String(), " (0s)", ""))
	return passed, failed, err
}

// testMemory limits the growth of the heap while tests run, in bytes.
const testMemory = 192 << 20

// limitMemory returns a context that ends with a *LimitError when the heap has grown by testMemory.
func limitMemory(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	before := heapSize()
	go func() {
		for ticker := time.NewTicker(lookInterval); ; {
			select {
			case <-ctx.Done():
				ticker.Stop()
				return
			case <-ticker.C:
			}
			if heapSize() > before+testMemory {
				cancel(&LimitError{Reason: fmt.Sprintf("it needed more than %d MiB of memory", testMemory>>20)})
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

func testerBuiltins(builtins []*Builtin) []*tester.Builtin {
	out := make([]*tester.Builtin, 0, len(builtins))
	for _, b := range builtins {
		out = append(out, &tester.Builtin{Decl: b.declaration(), Func: b.Option()})
	}
	return out
}
