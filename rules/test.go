package rules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/policy"
)

const (
	// testTimeout limits one Rego test.
	testTimeout = 5 * time.Second
	// aloneTimeout limits a test that runs alone, to find the one that filled the memory: it may come later than before.
	aloneTimeout = 30 * time.Second
)

// TestPolicies checks a folder of the user's policies as a lint run would, runs their tests (rules named test_… in files
// named …_test.rego) and the examples of their METADATA, and prints the failures. An error means that the policies are
// invalid, and nothing was run.
func TestPolicies(ctx context.Context, dir string, open OpenDir, w io.Writer) (passed, failed int, err error) {
	registry, err := Load(ctx, Options{PolicyDirs: []string{dir}, OpenDir: open})
	if err != nil {
		return 0, 0, err
	}
	defer registry.Close()
	box := registry.sandbox
	if box == nil { // there are only tests
		box = &sandbox{}
		defer box.close()
	}
	files, err := box.parseDir(ctx, dir, open)
	if err != nil {
		return 0, 0, err
	}
	if passed, failed, err = box.testPolicies(ctx, files, w); err != nil {
		return 0, 0, err
	}
	good, bad, err := registry.testExamples(ctx, w, true)
	return passed + good, failed + bad, err
}

// testPolicies runs the tests in files. The error names the test that exceeded a limit.
func (s *sandbox) testPolicies(ctx context.Context, files []*policyFile, w io.Writer) (passed, failed int, err error) {
	var request testRequest
	var tests []*policyFile
	for _, f := range files {
		if f.isTest() {
			tests = append(tests, f)
			request.Tests = append(request.Tests, f.userSource())
		}
	}
	result, err := s.test(ctx, request)
	var limit *policy.LimitError
	if errors.As(err, &limit) {
		return 0, 0, fmt.Errorf("%s%w", s.testThatFails(ctx, tests, request), err)
	}
	if err != nil {
		return 0, 0, err
	}
	_, err = io.WriteString(w, result.Output)
	return result.Passed, result.Failed, err
}

// testThatFails returns the name and the place of the first test that exceeds a limit when it runs alone, for the beginning of an
// error.
func (s *sandbox) testThatFails(ctx context.Context, files []*policyFile, request testRequest) string {
	for _, f := range files {
		for _, test := range f.Tests {
			request.Only = test.Name
			var limit *policy.LimitError
			if _, err := s.test(ctx, request); errors.As(err, &limit) {
				return fmt.Sprintf("%s:%d: %s: ", f.name, test.Row, test.Name)
			}
		}
	}
	return "the tests were "
}

// testExamples runs the examples of the user's rules, or of the built-in ones, and prints those with an unexpected result.
func (r *Registry) testExamples(ctx context.Context, w io.Writer, ofUser bool) (passed, failed int, err error) {
	for _, rule := range r.Rules() {
		if rule.User != ofUser {
			continue
		}
		for i := range rule.Examples {
			wrong := r.CheckExample(ctx, rule, i)
			if wrong == nil {
				passed++
				continue
			}
			failed++
			if _, err := fmt.Fprintln(w, wrong); err != nil {
				return passed, failed, err
			}
		}
	}
	return passed, failed, nil
}

// TestBuiltin does the same as TestPolicies for salint's own policies, which include the shared helpers.
func TestBuiltin(ctx context.Context, policies fs.FS, w io.Writer) (passed, failed int, err error) {
	list, err := readRules(policies)
	if err != nil {
		return 0, 0, err
	}
	files, err := parsePolicies(policies, builtinDir, parseHere)
	if err != nil {
		return 0, 0, err
	}
	modules := map[string]*ast.Module{}
	for _, f := range files {
		modules[f.name] = f.module
	}
	if passed, failed, err = runTests(ctx, modules, "", w); err != nil {
		return 0, 0, err
	}
	registry := newRegistry(list, func() map[string]Texts { return textsOf(list) }, newPolicyCache(policies))
	good, bad, err := registry.testExamples(ctx, w, false)
	return passed + good, failed + bad, err
}

// runTests runs all tests of the modules, or only the one of a name.
func runTests(ctx context.Context, modules map[string]*ast.Module, only string, w io.Writer) (passed, failed int, err error) {
	options := policy.TestOptions{Timeout: testTimeout, Only: only}
	if only != "" {
		options.Timeout = aloneTimeout
	}
	passed, failed, err = policy.Test(ctx, modules, builtins(), options, w)
	if err != nil {
		return 0, 0, policy.Explain(err, builtins())
	}
	if passed+failed == 0 {
		_, err = fmt.Fprintln(w, "no tests: write rules named test_… in files named …_test.rego")
	}
	return passed, failed, err
}
