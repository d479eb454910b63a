package rules

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/policy"
)

// testTimeout limits one Rego test.
const testTimeout = 5 * time.Second

// TestPolicies checks a folder of the user's policies as a lint run would, runs their tests (rules named test_… in files
// named …_test.rego) and prints what failed. Errors mean that the policies are broken, and nothing was run.
func TestPolicies(ctx context.Context, dir string, w io.Writer) (passed, failed int, err error) {
	registry, err := Load(ctx, Options{PolicyDirs: []string{dir}})
	if err != nil {
		return 0, 0, err
	}
	files, err := parseDir(dir)
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
	return runTests(ctx, modules, w)
}

// TestBuiltin does the same for salint's own policies, which bring the shared helpers themselves.
func TestBuiltin(ctx context.Context, policies fs.FS, w io.Writer) (passed, failed int, err error) {
	if _, err := readRules(policies); err != nil {
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
	return runTests(ctx, modules, w)
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
