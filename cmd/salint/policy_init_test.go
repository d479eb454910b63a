package main

import (
	"os"
	"os/exec"
	"path/filepath"
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

// TestPolicyInitStaysInside checks that files are not written through a symlink of the repository.
func TestPolicyInitStaysInside(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "policy")); err != nil {
		t.Skip(err)
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
