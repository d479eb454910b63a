package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pullRequest makes a repository with a branch on which files differ from main; nil removes a file.
func pullRequest(t *testing.T, before, after map[string]string, removed ...string) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(files map[string]string) {
		t.Helper()
		for name, text := range files {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(before)
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "first")
	git("checkout", "-q", "-b", "change")
	write(after)
	for _, name := range removed {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	git("add", "-A", "-f")
	git("commit", "-q", "--allow-empty", "-m", "second")
	return dir
}

const reportsAll = `package salint.rules.custom.sample

import data.salint.lib

report contains finding if {
	input.resource.kind == "ConfigMap"
	finding := lib.finding(["metadata"], "Found.")
}
`

// samplePolicyThatReports is samplePolicy with a finding in every ConfigMap.
var samplePolicyThatReports = strings.Replace(strings.Split(samplePolicy, "package ")[0], "v1/ConfigMap", "ConfigMap", 1) + "#   fix: none\n#   examples:\n" +
	"#     - bad: \"{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\"\n#     - good: \"{apiVersion: v1, kind: Secret, metadata: {name: a}}\"\n" + reportsAll

// TestSettingsChanged turns a check green in all the ways that a pull request can.
func TestSettingsChanged(t *testing.T) {
	t.Parallel()
	const line = "lint --target olm-1.11 --changed-since main"
	const takeFromMain = "Review the change, or run with --config-from main."
	bad := extensionNamed("ext")
	policyLine := 1 + strings.Count(strings.Split(samplePolicyThatReports, "ConfigMap\"")[0], "\n")
	for name, c := range map[string]struct {
		before, after map[string]string
		removed       string
		flags         string
		line          int
		advice        string
	}{
		"exclude":                  {nil, map[string]string{".salint.yaml": "exclude: ['**']\n"}, "", "", 1, takeFromMain},
		"never":                    {nil, map[string]string{".salint.yaml": "failOn: never\n"}, "", "", 1, takeFromMain},
		"rules off":                {nil, map[string]string{".salint.yaml": "rules: {'*': off}\n"}, "", "", 1, takeFromMain},
		"file size":                {nil, map[string]string{".salint.yaml": "limits: {fileSize: 1}\n"}, "", "", 1, takeFromMain},
		"note off":                 {nil, map[string]string{".salint.yaml": "rules: {repo/settings-changed: off}\n"}, "", "", 1, takeFromMain},
		"git ignore":               {nil, map[string]string{".gitignore": "*.yaml\n"}, "", "", 1, "Review the change."},
		"git ignore with the flag": {map[string]string{".gitignore": "# a\n"}, map[string]string{".gitignore": "# a\n*.yaml\n"}, "", " --config-from main", 2, "Review the change, which --config-from does not cover."},
		"chart ignore":             {nil, map[string]string{"c/.helmignore": "*\n"}, "", "", 1, "Review the change."},
		"baseline":                 {map[string]string{"base.json": `{"schemaVersion": "2", "findings": []}`}, map[string]string{"base.json": `{"schemaVersion": "2", "findings":[]}`}, "", " --baseline base.json", 1, "Review the change."},
		"configuration":            {map[string]string{"c.yaml": "failOn: error\n"}, map[string]string{"c.yaml": "failOn: never\n"}, "", " --config c.yaml", 1, "Review the change."},
		"removed":                  {map[string]string{".salint.yaml": "failOn: note\n"}, nil, ".salint.yaml", "", 1, takeFromMain},
		"policy":                   {map[string]string{".salint.yaml": "policies: [p]\n", "p/p.rego": samplePolicyThatReports}, map[string]string{"p/p.rego": strings.ReplaceAll(samplePolicyThatReports, "kind == \"ConfigMap\"", "metadata.name == \"b\"")}, "", "", policyLine, takeFromMain},
		"with the flag":            {map[string]string{".salint.yaml": "target: olm-1.11\n"}, map[string]string{".salint.yaml": "target: olm-1.11\nfailOn: never\n"}, "", " --config-from main", 2, "from main, from which the configuration was taken: the change does not count"},
		"with another revision":    {nil, map[string]string{".salint.yaml": "failOn: never\n"}, "", " --config-from HEAD", 1, "The configuration was taken from HEAD instead."},
		"lines removed":            {map[string]string{".salint.yaml": "target: olm-1.11\nfailOn: note\n"}, map[string]string{".salint.yaml": "target: olm-1.11\n"}, "", "", 1, takeFromMain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := map[string]string{"e.yaml": bad}
			for file, text := range c.before {
				before[file] = text
			}
			var removed []string
			if c.removed != "" {
				removed = append(removed, c.removed)
			}
			dir := pullRequest(t, before, c.after, removed...)
			for _, format := range []string{"text", "compact", "json", "sarif", "github", "junit", "markdown"} {
				out := runLine(dir, line+c.flags+" --format "+format)
				if !strings.Contains(out, "settings-changed") || !strings.Contains(out, c.advice) {
					t.Errorf("%s does not report that the settings changed:\n%s", format, out)
				}
				if format == "text" && !strings.Contains(out, fmt.Sprintf(":%d:1: note: ", c.line)) {
					t.Errorf("the first change is in line %d:\n%s", c.line, out)
				}
			}
			if out := runLine(dir, strings.Replace(line, "changed-since", "settings-since", 1)+c.flags); !strings.Contains(out, "settings-changed") || !strings.Contains(out, c.advice) {
				t.Errorf("--settings-since does not report that the settings changed:\n%s", out)
			}
			if out := runLine(dir, strings.Replace(line, "main", "HEAD", 1)+c.flags); strings.Contains(out, "settings-changed") {
				t.Errorf("nothing changed since HEAD:\n%s", out)
			}
		})
	}
}

// TestSettingsSince checks that the flag adds notes, and limits nothing.
func TestSettingsSince(t *testing.T) {
	t.Parallel()
	dir := pullRequest(t, map[string]string{"e.yaml": extensionNamed("ext")}, map[string]string{".salint.yaml": "failOn: error\n"})
	const line = "lint --target olm-1.11 --format compact"
	plain, since := runLine(dir, line), runLine(dir, line+" --settings-since main")
	if !strings.Contains(plain, "e.yaml:7") || !strings.Contains(since, "e.yaml:7") || !strings.Contains(since, ".salint.yaml:1:1: note: .salint.yaml differs from main") {
		t.Errorf("without the flag:\n%s\nwith it:\n%s", plain, since)
	}
	for flags, want := range map[string]string{
		"--settings-since nothing":                   "git does not know the revision",
		"--settings-since main --changed-since main": "cannot be used together",
		"--settings-since main -":                    "cannot be used with standard input",
	} {
		if out := runLine(dir, "lint "+flags); !strings.Contains(out, want) || !strings.Contains(out, "[exit code 2]") {
			t.Errorf("%s: %s", flags, out)
		}
	}
}

// TestConfigFrom takes the configuration and policies from the base revision, also in a folder and where the change removes them.
func TestConfigFrom(t *testing.T) {
	t.Parallel()
	before := map[string]string{
		"e.yaml": extensionNamed("ext"), "a/c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		".salint.yaml": "policies: [p]\n", "p/p.rego": samplePolicyThatReports,
	}
	dir := pullRequest(t, before, map[string]string{".salint.yaml": "exclude: ['**']\n", "p/p.rego": samplePolicy})
	for _, flags := range []string{"", " a/c.yaml"} {
		if out := runLine(dir, "lint --target olm-1.11 --config-from main"+flags); !strings.Contains(out, "custom/sample") || !strings.Contains(out, "[exit code 1]") {
			t.Errorf("%q: %s", flags, out)
		}
	}
	if out := runLine(dir, "lint --target olm-1.11"); strings.Contains(out, "custom/sample") {
		t.Errorf("without the flag: %s", out)
	}
	for line, want := range map[string]string{
		"lint --config-from nothing":                    "git does not know the revision",
		"lint --config-from main --config .salint.yaml": "cannot be used together",
		"lint --config-from main -":                     "cannot be used with standard input",
	} {
		if out := runLine(dir, line); !strings.Contains(out, want) || !strings.Contains(out, "[exit code 2]") {
			t.Errorf("%s: %s", line, out)
		}
	}
}

// TestIgnoresAdded checks that ignore comments and annotations of a change are visible, and those of the base revision are not.
func TestIgnoresAdded(t *testing.T) {
	t.Parallel()
	const line = "lint --target olm-1.11 --now 2026-11-23T00:00:00Z "
	const comment = "  # salint:ignore olm/service-account-deprecated until=2027-01-31 not yet\n  serviceAccount:"
	plain := extensionNamed("ext")
	ignored := strings.Replace(plain, "  serviceAccount:", comment, 1)
	annotated := strings.Replace(plain, "  name: ext\n", "  name: ext\n  annotations: {salint/ignore: olm/service-account-deprecated}\n", 1)
	for name, c := range map[string]struct{ before, after, want string }{
		"in a new file":     {"", ignored, "e.yaml:7:3: note: The comment salint:ignore olm/service-account-deprecated was added since main"},
		"in a changed file": {plain, ignored, "e.yaml:7:3: note: The comment salint:ignore olm/service-account-deprecated was added since main"},
		"whole file":        {plain, "# salint:ignore-file olm/* not yet\n" + plain, "e.yaml:1:1: note: The comment salint:ignore-file olm/* was added"},
		"annotation":        {plain, annotated, "note: The annotation salint/ignore: olm/service-account-deprecated was added since main"},
		"not new":           {ignored, "# changed\n" + ignored, ""},
		"moved": {ignored + "---\n" + extensionNamed("other"), plain + "---\n" + strings.Replace(extensionNamed("other"), "  serviceAccount:", comment, 1),
			"note: The comment salint:ignore olm/service-account-deprecated was added"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := map[string]string{"e.yaml": c.before}
			if c.before == "" {
				before = map[string]string{"other.yaml": "a: 1\n"}
			}
			dir := pullRequest(t, before, map[string]string{"e.yaml": c.after})
			for _, flags := range []string{
				"--changed-since main", "--changed-since main --config-from main", "--changed-since main --disable repo/settings-changed",
				"--changed-since main --diff", "--settings-since main", "--settings-since main --diff",
			} {
				out := runLine(dir, line+flags)
				if c.want == "" && strings.Contains(out, "settings-changed") || !strings.Contains(out, c.want) {
					t.Errorf("%s%s: want %q:\n%s", line, flags, c.want, out)
				}
			}
		})
	}
}
