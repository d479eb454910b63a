package rules_test

import (
	"bytes"
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/salint/salint/rego"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/testreport"
)

func load(t *testing.T, dirs ...string) *rules.Registry {
	t.Helper()
	registry, err := rules.Load(context.Background(), rules.Options{PolicyDirs: dirs})
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// TestRego runs the unit tests of the policies, and their examples: every bad one fires its rule, and no good one does.
func TestRego(t *testing.T) {
	t.Parallel()
	report, err := rules.TestBuiltin(context.Background(), rego.Policies)
	if err != nil {
		t.Fatal(err)
	}
	if passed, failed, out := counted(t, report); failed > 0 || passed == 0 {
		t.Errorf("%d passed, %d failed:\n%s", passed, failed, out)
	}
}

// counted returns how many tests and examples passed and failed, and the report as text.
func counted(t *testing.T, report *testreport.Report) (passed, failed int, text string) {
	t.Helper()
	if report == nil {
		return 0, 0, ""
	}
	var out strings.Builder
	if err := report.Write(&out, "text", false); err != nil {
		t.Fatal(err)
	}
	return report.Count(false, testreport.Passed) + report.Count(true, testreport.Passed), report.Failures(), out.String()
}

// TestRulesAreComplete checks the requirements that building the index does not check.
func TestRulesAreComplete(t *testing.T) {
	t.Parallel()
	for _, rule := range load(t).Rules() {
		if rule.Fix.Name != "" && rule.Fix.Description == "" {
			t.Errorf("%s: custom.fix has no description", rule.Name)
		}
	}
}

// maxPolicyLines limits a policy to a readable length. Helpers go into a file beside it or into lib; so do examples.
const maxPolicyLines = 150

func TestPoliciesAreShort(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(rego.Policies, "*/*.rego")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.rego") {
			continue
		}
		source, err := fs.ReadFile(rego.Policies, name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(source, []byte("\n")); lines > maxPolicyLines {
			t.Errorf("rego/%s has %d lines, and at most %d are allowed: move helpers to a file beside it", name, lines, maxPolicyLines)
		}
	}
}

// TestPlacesOfFindingsAreDerived checks that the places of findings are derived from the helpers that a rule calls,
// directly or through others.
func TestPlacesOfFindingsAreDerived(t *testing.T) {
	t.Parallel()
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"token/secret-mounted": true, "olm/insufficient-permissions": true, "olm/permissions-grow": true,
		"olm/finalizer-permission": false, "rbac/role-not-found": false,
	} {
		if rule, _, _ := registry.Find(name); rule.Elsewhere != want {
			t.Errorf("%s: findings about other objects: %v, want %v", name, rule.Elsewhere, want)
		}
	}
}
