package rules

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/policy"
)

// testTimeout limits one Rego test.
const testTimeout = 5 * time.Second

// TestPolicies checks the policies below a folder as a lint run would, runs their Rego tests and prints what failed.
func TestPolicies(ctx context.Context, dir string, w io.Writer) (passed, failed int, err error) {
	sources, err := readPolicies(os.DirFS(dir))
	if err != nil {
		return 0, 0, err
	}
	modules := map[string]*ast.Module{}
	var problems []error
	for name, source := range sources {
		module, err := policy.Parse(name, source)
		if err == nil && isRule(name, module) {
			_, err = readRule(name, source, module)
		}
		problems = append(problems, err)
		modules[name] = module
	}
	if err := errors.Join(problems...); err != nil {
		return 0, 0, err
	}
	return policy.Test(ctx, modules, builtins(), testTimeout, w)
}

// isRule tells policies from their tests and from helpers, which live in package salint.lib.
func isRule(name string, module *ast.Module) bool {
	return !strings.HasSuffix(name, "_test.rego") && !strings.HasPrefix(module.Package.Path.String(), "data.salint.lib")
}

// readPolicies reads all Rego files below a root, keyed by their path.
func readPolicies(root fs.FS) (map[string][]byte, error) {
	sources := map[string][]byte{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".rego" {
			return err
		}
		sources[name], err = fs.ReadFile(root, name)
		return err
	})
	return sources, err
}
