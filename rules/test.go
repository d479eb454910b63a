package rules

import (
	"context"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/policy"
)

// testTimeout limits one Rego test.
const testTimeout = 5 * time.Second

// TestPolicies runs the Rego tests below the root of policies and prints what failed.
func TestPolicies(ctx context.Context, policies fs.FS, w io.Writer) (passed, failed int, err error) {
	modules, err := parseAll(policies)
	if err != nil {
		return 0, 0, err
	}
	return policy.Test(ctx, modules, builtins(), testTimeout, w)
}

func parseAll(policies fs.FS) (map[string]*ast.Module, error) {
	modules := map[string]*ast.Module{}
	err := fs.WalkDir(policies, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path.Base(name), ".rego") {
			return err
		}
		source, err := fs.ReadFile(policies, name)
		if err != nil {
			return err
		}
		modules[name], err = policy.Parse(name, source)
		return err
	})
	return modules, err
}
