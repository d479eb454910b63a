package rules

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/salint/salint/rules/examples"
	"github.com/salint/salint/rules/index"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/modules"
	"github.com/salint/salint/rules/parameters"
	"github.com/salint/salint/rules/sandbox"
)

// TestPolicies checks a folder of the user's policies as a lint run would, runs their tests (rules named test_… in files
// named …_test.rego) and the examples of their METADATA, and prints the failures. An error means that the policies are
// invalid, and nothing was run.
func TestPolicies(ctx context.Context, dir string, open sandbox.OpenDir, w io.Writer) (passed, failed int, err error) {
	registry, err := Load(ctx, Options{PolicyDirs: []string{dir}, OpenDir: open, Observe: true})
	if err != nil {
		return 0, 0, err
	}
	defer registry.Close()
	files, _, err := registry.sandbox.ParseDir(ctx, dir, open)
	if err != nil {
		return 0, 0, err
	}
	if passed, failed, err = registry.sandbox.RunTests(ctx, files, w); err != nil {
		return 0, 0, err
	}
	good, bad, err := registry.testExamples(ctx, w, true)
	return passed + good, failed + bad, err
}

// testExamples runs the examples of the user's rules, or of the built-in ones, and prints those with an unexpected result.
func (r *Registry) testExamples(ctx context.Context, w io.Writer, ofUser bool) (passed, failed int, err error) {
	for _, rule := range r.Rules() {
		if rule.User != ofUser {
			continue
		}
		for i, example := range rule.Examples {
			wrong := r.CheckExample(ctx, rule, example)
			if wrong == nil {
				passed++
				continue
			}
			failed++
			if _, err := fmt.Fprintf(w, "%s: example %d of %s: %v\n", rule.File, i+1, rule.Name, wrong); err != nil {
				return passed, failed, err
			}
		}
	}
	return passed, failed, nil
}

// TestBuiltin does the same as TestPolicies for salint's own policies, which include the shared helpers.
func TestBuiltin(ctx context.Context, policies fs.FS, w io.Writer) (passed, failed int, err error) {
	list, err := index.Derive(policies)
	if err != nil {
		return 0, 0, err
	}
	files, err := metadata.ParseFiles(policies, metadata.BuiltinDir, metadata.ParseHere)
	if err != nil {
		return 0, 0, err
	}
	if passed, failed, err = modules.Test(ctx, metadata.Modules(files), nil, "", w); err != nil {
		return 0, 0, err
	}
	registry := newRegistry(list, func() map[string]metadata.Texts { return index.TextsOf(list) }, modules.NewCacheOf(policies))
	good, bad, err := registry.testExamples(ctx, w, false)
	return passed + good, failed + bad, err
}

// CheckExample runs an example of a rule. It returns an error if the result differs from the METADATA.
func (r *Registry) CheckExample(ctx context.Context, rule metadata.Rule, example metadata.Example) error {
	if rule.Scope == metadata.ScopeProgram {
		return nil
	}
	evaluator, err := r.Evaluator(ctx, []string{rule.Name})
	if err != nil {
		return err
	}
	evaluator.Parameters = func(rule *metadata.Rule, _ string) (map[string]any, error) {
		return parameters.Complete(rule.Parameters, example.With)
	}
	return examples.Check(ctx, evaluator, example)
}
