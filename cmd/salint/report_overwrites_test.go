//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/test/golden"
)

// TestReportsOverwriteNothing names inputs of the run, files that git tracks, and other files that are no reports as reports.
func TestReportsOverwriteNothing(t *testing.T) {
	t.Parallel()
	dir := history(t, map[string]string{
		"extension.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n", "notes.txt": "tracked\n",
		"kustomization.yaml": "resources: [extension.yaml]\n", "policies/p.rego": "package x\n", ".salint.yaml": "failOn: warning\n",
	})
	golden.WriteFolder(t, dir, map[string]string{
		"new.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: b}\n", "known.json": "{\"schemaVersion\":\"2\",\"findings\":[]}\n",
	})
	before := golden.ReadFolder(t, dir)
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	for option, want := range map[string]string{
		"--output json=notes.txt":                        "git tracks this file",
		"--output json=extension.yaml":                   "the file is a manifest",
		"--output json=new.yaml":                         "the file is a manifest",
		"--output json=kustomization.yaml":               "the file is a manifest",
		"--output json=policies/p.rego":                  "the file is a policy",
		"--output json=.salint.yaml":                     "configuration or baseline",
		"--output json=.git/config":                      "the file is in .git",
		"--output json=.git/hooks/pre-commit":            "the file is in .git",
		"--output json=.GIT/new":                         "does not exist",
		"--output json=pipe":                             "not a regular file",
		"--output json=" + os.DevNull:                    "not a regular file",
		"--write-baseline extension.yaml":                "the file is a manifest",
		"--write-baseline .git/HEAD":                     "the file is in .git",
		"--write-baseline pipe":                          "not a regular file",
		"--baseline known.json --output json=known.json": "configuration or baseline",
	} {
		out := runLine(dir, "lint "+option)
		if !strings.Contains(out, want) || !strings.Contains(out, "[exit code 2]") {
			t.Errorf("%s: want %q\n%s", option, want, out)
		}
	}
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, golden.ReadFolder(t, dir)); diff != "" {
		t.Error(diff)
	}
	for range 2 { // an earlier report is overwritten
		if out := runLine(dir, "lint --output json=report.json --output sarif=report.sarif --baseline known.json --write-baseline known.json"); strings.Contains(out, "exit code 2") {
			t.Error(out)
		}
	}
}

// TestReportFailsAfterFix checks that a run says that its fixes were written if a report cannot be.
func TestReportFailsAfterFix(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	golden.WriteFolder(t, work, repositoryOf(t, "fix/prune-in-the-same-run"))
	makeRepository(t, work)
	reports := filepath.Join(work, "reports")
	if err := os.Mkdir(reports, 0o755); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	c := testCommand(work, &stdout, &stderr)
	c.opened = func(r *repo.Repo) {
		r.Writer.Probe = func(operation, _ string) error {
			if operation == "rmdir" { // all files are written
				return os.Remove(reports)
			}
			return nil
		}
	}
	code := c.Main(strings.Fields("lint --fix --target olm-1.11 --output json=reports/report.json"))
	if code != exitError || !strings.Contains(stderr.String(), "reports does not exist: create it first; the fixes were written") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	if data, err := os.ReadFile(filepath.Join(work, "extension.yaml")); err != nil || strings.Contains(string(data), "serviceAccount") {
		t.Errorf("the fix is missing: %s%v", data, err)
	}
}
