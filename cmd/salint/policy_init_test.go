package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/rules/scaffold"
)

// TestPolicyInit checks that what `salint policy init` writes passes salint's tests and, where they are installed, OPA's tools with the
// command lines that it prints; and that a second run keeps the user's files.
func TestPolicyInit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, code := runIn(t, dir, "policy", "init", "policy"); code != exitOK {
		t.Fatal(out)
	}
	out, code := runIn(t, dir, "policy", "test", "policy")
	if want := "tests: 2 passed, 0 failed\nexamples: 4 passed, 0 failed\n"; code != exitOK || out != want {
		t.Errorf("policy test ends with %d:\n%s", code, out)
	}
	checkWithTools(t, dir)

	own := filepath.Join(dir, "policy", "owner_label.rego")
	changed := []byte("package salint.lib.owners\n")
	if err := os.WriteFile(own, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ = runIn(t, dir, "policy", "init", "policy")
	if kept, _ := os.ReadFile(own); !cmp.Equal(kept, changed) || !strings.Contains(out, "kept policy/.regal/config.yaml") {
		t.Errorf("the second run changed the policy:\n%s", out)
	}
}

// checkWithTools runs the command lines for OPA's tools on the folder policy, if they are installed.
func checkWithTools(t *testing.T, dir string) {
	t.Helper()
	for _, line := range scaffold.Commands("policy")[1:] {
		words := strings.Fields(line)
		if _, err := exec.LookPath(words[0]); err != nil {
			t.Logf("%s is not installed: %s", words[0], line)
			continue
		}
		tool := exec.Command(words[0], words[1:]...)
		tool.Dir = dir
		if out, err := tool.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

// TestPoliciesOfExamples checks the twelve rules in examples/policies: their tests and examples pass, also with OPA's tools, and each of the
// rules has a row in the page that describes them.
func TestPoliciesOfExamples(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples/policies")); err != nil {
		t.Fatal(err)
	}
	if out, code := runIn(t, dir, "policy", "test", "policy"); code != exitOK || !strings.Contains(out, " 0 failed\nexamples: ") {
		t.Errorf("policy test ends with %d:\n%s", code, out)
	}
	if out, code := runIn(t, dir, "policy", "init", "policy"); code != exitOK {
		t.Fatal(out)
	}
	checkWithTools(t, dir)

	list, _ := runIn(t, dir, "rules", "bakery/*")
	rows := regexp.MustCompile("(?m)^bakery/[a-z-]+").FindAllString(list, -1)
	page := readPage(t, "../../docs/conftest.md")
	for _, rule := range rows {
		if !strings.Contains(page, "\n| `"+rule+"` | ") {
			t.Errorf("docs/conftest.md has no row for %s", rule)
		}
	}
	if len(rows) != 12 {
		t.Errorf("there are %d rules:\n%s", len(rows), list)
	}
}

// TestPolicyInitStaysInside checks that files are not written through a symlink of the repository.
func TestPolicyInitStaysInside(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "policy")); err != nil {
		t.Skipf("this file system has no symbolic links: %v", err)
	}
	out, code := runIn(t, dir, "policy", "init", "policy")
	written, _ := os.ReadDir(outside)
	if code != exitError || len(written) > 0 {
		t.Errorf("the exit code is %d, and %v was written:\n%s", code, written, out)
	}
}

// runIn runs the program in a folder, and returns what it prints.
func runIn(t *testing.T, dir string, args ...string) (string, int) {
	t.Helper()
	var out strings.Builder
	c := newCommand()
	c.Stdout, c.Stderr, c.Dir = &out, &out, dir
	code := c.Main(args)
	return out.String(), code
}
