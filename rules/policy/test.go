package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/util/channel"
)

// TestOptions limit what Test runs.
type TestOptions struct {
	// Timeout limits each test.
	Timeout time.Duration
	// Only is a regular expression for the names of the tests to run, with their packages; all are run without it.
	Only string
	// Data is the data of the policies.
	Data map[string]any
	// Cover collects the lines that tests evaluate; nil collects none.
	Cover *cover.Cover
}

// TestResult is the result of a test.
type TestResult struct {
	// File and Row are the place of the test.
	File string
	Row  int
	// Name is its name, with its package.
	Name string
	// Failed is set if the test is false, undefined, or an error, which Why names. A skipped test has not run.
	Failed, Skipped bool
	Why             string
	// Prints are what the test has printed.
	Prints string
	Time   time.Duration
}

// Test runs the rules named test_… in the modules, and returns their results in the order of the files, so that the same tests have the
// same results.
func Test(ctx context.Context, modules map[string]*ast.Module, builtins []*Builtin, o TestOptions) ([]TestResult, error) {
	runner := tester.NewRunner().
		SetCompiler(newCompiler(builtins)).
		SetModules(modules).
		SetTimeout(o.Timeout).
		SetStore(storeOf(o.Data)).
		AddCustomBuiltins(testerBuiltins(builtins)).
		CapturePrintOutput(true).
		RaiseBuiltinErrors(true).
		Filter(o.Only)
	if o.Cover != nil {
		runner = runner.SetCoverageQueryTracer(o.Cover)
	}
	ctx, stop := limitMemory(ctx)
	defer stop()
	results, err := runner.RunTests(ctx, nil)
	if err != nil {
		return nil, err
	}
	sorted := channel.Collect(results)
	if reason := new(LimitError); errors.As(context.Cause(ctx), &reason) {
		return nil, reason
	}
	slices.SortFunc(sorted, func(a, b *tester.Result) int {
		return cmp.Or(a.Location.Compare(b.Location), cmp.Compare(a.Name, b.Name))
	})
	all := make([]TestResult, 0, len(sorted))
	for _, r := range sorted {
		t := TestResult{
			File: r.Location.File, Row: r.Location.Row, Name: r.Package + "." + r.Name,
			Failed: !r.Pass() && !r.Skip, Skipped: r.Skip, Prints: string(r.Output), Time: r.Duration,
		}
		if r.Error != nil {
			t.Why = r.Error.Error()
		}
		all = append(all, t)
	}
	return all, nil
}

// Lines are the lines of a policy that evaluations can reach, and those of them that they have reached.
type Lines struct {
	Reached, Missed []int
}

// LinesOf returns the lines of modules by their files; modules that are tests have none.
func LinesOf(c *cover.Cover, modules map[string]*ast.Module) map[string]Lines {
	of := map[string]Lines{}
	for file, report := range c.Report(modules).Files {
		if strings.HasSuffix(file, "_test.rego") {
			continue
		}
		of[file] = Lines{Reached: rows(report.Covered), Missed: rows(report.NotCovered)}
	}
	return of
}

func rows(ranges []cover.Range) []int {
	var all []int
	for _, r := range ranges {
		for row := r.Start.Row; row <= r.End.Row; row++ {
			all = append(all, row)
		}
	}
	return all
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
