package rules

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"

	"github.com/salint/salint/rules/evaluate"
	"github.com/salint/salint/rules/examples"
	"github.com/salint/salint/rules/index"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/modules"
	"github.com/salint/salint/rules/parameters"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/sandbox"
	"github.com/salint/salint/rules/testreport"
)

// TestOptions say what TestPolicies runs.
type TestOptions struct {
	// OpenDir opens the folder; with nil, it can lie anywhere.
	OpenDir sandbox.OpenDir
	// Run is a regular expression for the names of tests and examples; "" runs all.
	Run string
	// Coverage also reports which lines the tests and examples reach.
	Coverage bool
	// Repository lints an example that is a repository with one rule; nil fails such examples.
	Repository func(context.Context, *Registry, metadata.Rule, metadata.Example) (RepositoryResult, error)
	// Cache keeps compiled policies; nil compiles them for this run.
	Cache *modules.Cache
}

// RepositoryResult is what a rule found in an example that is a repository.
type RepositoryResult struct {
	// Messages are those of its findings, and Remarks what it printed.
	Messages, Remarks []string
}

// TestPolicies checks a folder of the user's policies as a lint run would, and runs their tests (rules named test_… in files named
// …_test.rego) and the examples of their METADATA. An error means that the policies are invalid, and nothing was run.
func TestPolicies(ctx context.Context, dir string, o TestOptions) (*testreport.Report, error) {
	if _, err := regexp.Compile(o.Run); err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	registry, err := Load(ctx, Options{PolicyDirs: []string{dir}, OpenDir: o.OpenDir, Observe: true, PolicyCache: o.Cache})
	if err != nil {
		return nil, err
	}
	defer registry.Close()
	files, _, err := registry.sandbox.ParseDir(ctx, dir, o.OpenDir)
	if err != nil {
		return nil, err
	}
	report := &testreport.Report{Untested: true, Selected: o.Run != "", Notes: registry.Notes()}
	for _, f := range files {
		report.Untested = report.Untested && !(f.IsTest() && len(f.Tests) > 0)
	}
	tests, err := registry.sandbox.RunTests(ctx, files, o.Run, o.Coverage)
	if err != nil {
		return nil, err
	}
	report.AddTests(tests)
	if err := registry.testExamples(ctx, report, o, true); err != nil {
		return nil, err
	}
	if o.Coverage {
		lines, err := registry.sandbox.Lines(ctx)
		if err != nil {
			return nil, err
		}
		report.AddCoverage(lines)
	}
	return report, nil
}

// testExamples runs the examples of the user's rules, or of the built-in ones.
func (r *Registry) testExamples(ctx context.Context, report *testreport.Report, o TestOptions, ofUser bool) error {
	selected := regexp.MustCompile(o.Run)
	for _, rule := range r.Rules() {
		if rule.User != ofUser {
			continue
		}
		if len(rule.Examples) == 0 && rule.Scope != metadata.ScopeProgram {
			report.Results = append(report.Results, testreport.Result{
				Name: rule.Name + ": examples", Example: true, File: rule.File, Outcome: testreport.Skipped,
				Message: "it has no examples here, because opa build leaves them out, so whether it finds anything is not checked: test the folder of the bundle",
			})
		}
		for i, example := range rule.Examples {
			result := testreport.Result{Name: nameOfExample(&rule, i), Example: true, File: rule.File, Outcome: testreport.Passed}
			if !selected.MatchString(result.Name) {
				continue
			}
			remarks, wrong := r.checkExample(ctx, rule, example, o)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if result.Output = remarks; wrong != nil {
				result.Outcome, result.Message = testreport.Failed, wrong.Error()
			}
			report.Results = append(report.Results, result)
		}
	}
	return nil
}

func nameOfExample(rule *metadata.Rule, i int) string {
	kind := "good"
	if rule.Examples[i].Bad {
		kind = "bad"
	}
	return fmt.Sprintf("%s: example %d (%s)", rule.Name, i+1, kind)
}

// TestBuiltin does the same as TestPolicies for salint's own policies, which include the shared helpers.
func TestBuiltin(ctx context.Context, policies fs.FS) (*testreport.Report, error) {
	list, err := index.Derive(policies)
	if err != nil {
		return nil, err
	}
	files, err := metadata.ParseFiles(policies, metadata.BuiltinDir, metadata.ParseHere)
	if err != nil {
		return nil, err
	}
	tests, err := modules.Test(ctx, metadata.Modules(files), policy.TestOptions{}, "")
	if err != nil {
		return nil, err
	}
	report := &testreport.Report{}
	report.AddTests(tests)
	registry := newRegistry(list, func() map[string]metadata.Texts { return index.TextsOf(list) }, modules.NewCacheOf(policies))
	return report, registry.testExamples(ctx, report, TestOptions{}, false)
}

// CheckExample runs an example of a rule. It returns an error if the result differs from the METADATA.
func (r *Registry) CheckExample(ctx context.Context, rule metadata.Rule, example metadata.Example) error {
	_, err := r.checkExample(ctx, rule, example, TestOptions{})
	return err
}

// checkExample does the same, and also returns what the rule printed.
func (r *Registry) checkExample(ctx context.Context, rule metadata.Rule, example metadata.Example, o TestOptions) (remarks []string, err error) {
	if rule.Scope == metadata.ScopeProgram {
		return nil, nil
	}
	if example.Files != nil {
		return r.checkRepository(ctx, rule, example, o)
	}
	evaluator, err := r.Evaluator(ctx, []string{rule.Name})
	if err != nil {
		return nil, err
	}
	evaluator.Parameters = func(rule *metadata.Rule, _ string) (map[string]any, error) {
		return parameters.Complete(rule.Parameters, example.With)
	}
	err = examples.Check(ctx, evaluator, example)
	if failed, other := evaluate.Failures(err); len(failed) > 0 && other == nil {
		err = failed[0].Err
	}
	return evaluator.Remarks(), err
}

// checkRepository runs an example that is a repository.
func (r *Registry) checkRepository(ctx context.Context, rule metadata.Rule, example metadata.Example, o TestOptions) ([]string, error) {
	if o.Repository == nil {
		return nil, fmt.Errorf("an example with files needs a repository, which is not available here")
	}
	result, err := o.Repository(ctx, r, rule, example)
	if err != nil {
		return nil, err
	}
	return result.Remarks, examples.CheckMessages(example, result.Messages)
}

// With returns the same rules with the parameters of another configuration. They share the process that evaluates the user's rules.
func (r *Registry) With(p Parameters) *Registry {
	other := *r
	other.parameters = p
	return &other
}
