package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/builtins"
)

func policiesPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestFunctionsAreDocumented checks that docs/policies.md has a section for every built-in function, with its signature and
// description, and no other.
func TestFunctionsAreDocumented(t *testing.T) {
	t.Parallel()
	page := policiesPage(t)
	known := map[string]bool{}
	for _, f := range builtins.All() {
		known[f.Signature()] = true
		section := "### " + f.Signature() + "\n\n" + strings.TrimSuffix(f.Description, ".")
		if !strings.Contains(page, section) {
			t.Errorf("docs/policies.md lacks the section\n\n%s", section)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^### (salint\..*)$`).FindAllStringSubmatch(page, -1) {
		if !known[m[1]] {
			t.Errorf("docs/policies.md has a section %s, and there is no such function", m[1])
		}
	}
}

// TestExamplesOfThePageCompile loads and tests every example of the page as a user's policy. Those without a package are
// helpers.
func TestExamplesOfThePageCompile(t *testing.T) {
	t.Parallel()
	blocks := regexp.MustCompile("(?s)```rego\n(.*?)```").FindAllStringSubmatch(policiesPage(t), -1)
	if len(blocks) < len(builtins.All()) {
		t.Fatalf("only %d examples", len(blocks))
	}
	dir := t.TempDir()
	for i, block := range blocks {
		source, name := block[1], fmt.Sprintf("example%d", i)
		switch {
		case strings.Contains(source, "_test\n\n"):
			name += "_test"
		case !regexp.MustCompile(`(?m)^package `).MatchString(source):
			source = fmt.Sprintf("package salint.lib.example%d\n\n%s", i, source)
		}
		write(t, filepath.Join(dir, name+".rego"), source)
	}
	report, err := rules.TestPolicies(t.Context(), dir, rules.TestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if passed, failed, out := counted(t, report); failed > 0 || passed == 0 {
		t.Errorf("%d passed, %d failed:\n%s", passed, failed, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
