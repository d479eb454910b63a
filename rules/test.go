package rules

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/policy"
)

// testTimeout limits one Rego test.
const testTimeout = 5 * time.Second

// TestPolicies checks a folder of the user's policies as a lint run would, runs their tests (rules named test_… in files
// named …_test.rego) and the examples of their METADATA, and prints the failures. An error means that the policies are
// invalid, and nothing was run.
func TestPolicies(ctx context.Context, dir string, open OpenDir, w io.Writer) (passed, failed int, err error) {
	registry, err := Load(ctx, Options{PolicyDirs: []string{dir}, OpenDir: open})
	if err != nil {
		return 0, 0, err
	}
	files, err := parseDir(dir, open)
	if err != nil {
		return 0, 0, err
	}
	var keys []string
	for _, f := range files {
		if f.isTest() {
			registry.sources.add(userKey(f.name), f.module)
		}
		keys = append(keys, userKey(f.name))
	}
	modules, err := registry.sources.closure(keys)
	if err != nil {
		return 0, 0, err
	}
	if passed, failed, err = runTests(ctx, modules, w); err != nil {
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
	files, err := parsePolicies(policies, builtinDir)
	if err != nil {
		return 0, 0, err
	}
	modules := map[string]*ast.Module{}
	for _, f := range files {
		modules[f.name] = f.module
	}
	if passed, failed, err = runTests(ctx, modules, w); err != nil {
		return 0, 0, err
	}
	registry := newRegistry(list, func() map[string]Texts { return textsOf(list) }, newPolicyCache(policies))
	good, bad, err := registry.testExamples(ctx, w, false)
	return passed + good, failed + bad, err
}

func runTests(ctx context.Context, modules map[string]*ast.Module, w io.Writer) (passed, failed int, err error) {
	passed, failed, err = policy.Test(ctx, modules, builtins(), testTimeout, w)
	if err != nil {
		return 0, 0, policy.Explain(err, builtins())
	}
	if passed+failed == 0 {
		_, err = fmt.Fprintln(w, "no tests: write rules named test_… in files named …_test.rego")
	}
	return passed, failed, err
}
