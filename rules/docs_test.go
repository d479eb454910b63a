package rules_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/rego"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/scaffold"
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

// TestHelpersAreDocumented checks that docs/policies.md lists every function of data.salint.lib, with its arguments, and no other. The
// files of `salint policy init` have the same functions.
func TestHelpersAreDocumented(t *testing.T) {
	t.Parallel()
	signatures := func(text string, pattern string) []string {
		var found []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
		slices.Sort(found)
		return slices.Compact(found)
	}
	var exported string
	err := fs.WalkDir(rego.Policies, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.rego") {
			return err
		}
		source, err := fs.ReadFile(rego.Policies, name)
		if strings.Contains(string(source), "\npackage salint.lib\n") {
			exported += string(source)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := signatures(exported, `(?m)^([a-z_]+\([a-z_, ]*\)) :=`)
	if diff := cmp.Diff(want, signatures(policiesPage(t), "(?m)^\\| `lib\\.([a-z_]+\\(.*?\\))`")); diff != "" || len(want) == 0 {
		t.Errorf("functions of data.salint.lib (-) and docs/policies.md (+) differ:\n%s", diff)
	}
	written, err := scaffold.ForTools()
	if err != nil {
		t.Fatal(err)
	}
	stubs := ""
	for _, f := range written {
		if strings.HasSuffix(f.Name, ".rego") {
			stubs += string(f.Text)
		}
	}
	if diff := cmp.Diff(want, signatures(stubs, `(?m)^([a-z_]+\([a-z_, ]*\)) :=`)); diff != "" {
		t.Errorf("functions of data.salint.lib (-) and the stubs of policy init (+) differ:\n%s", diff)
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
