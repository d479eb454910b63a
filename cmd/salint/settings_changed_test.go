package main

import (
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
	bad := extensionNamed("ext")
	for name, c := range map[string]struct {
		before, after map[string]string
		removed       string
		flags         string
	}{
		"exclude":       {nil, map[string]string{".salint.yaml": "exclude: ['**']\n"}, "", ""},
		"never":         {nil, map[string]string{".salint.yaml": "failOn: never\n"}, "", ""},
		"rules off":     {nil, map[string]string{".salint.yaml": "rules: {'*': off}\n"}, "", ""},
		"file size":     {nil, map[string]string{".salint.yaml": "limits: {fileSize: 1}\n"}, "", ""},
		"note off":      {nil, map[string]string{".salint.yaml": "rules: {repo/settings-changed: off}\n"}, "", ""},
		"git ignore":    {nil, map[string]string{".gitignore": "*.yaml\n"}, "", ""},
		"chart ignore":  {nil, map[string]string{"c/.helmignore": "*\n"}, "", ""},
		"baseline":      {map[string]string{"base.json": `{"schemaVersion": "1", "findings": []}`}, map[string]string{"base.json": `{"schemaVersion": "1", "findings":[]}`}, "", " --baseline base.json"},
		"configuration": {map[string]string{"c.yaml": "failOn: error\n"}, map[string]string{"c.yaml": "failOn: never\n"}, "", " --config c.yaml"},
		"removed":       {map[string]string{".salint.yaml": "failOn: note\n"}, nil, ".salint.yaml", ""},
		"policy":        {map[string]string{".salint.yaml": "policies: [p]\n", "p/p.rego": samplePolicyThatReports}, map[string]string{"p/p.rego": strings.ReplaceAll(samplePolicyThatReports, "ConfigMap\"", "Secret\"")}, "", ""},
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
			for _, format := range []string{"text", "json", "sarif", "github", "junit", "markdown"} {
				if out := runLine(dir, line+c.flags+" --format "+format); !strings.Contains(out, "settings-changed") || !strings.Contains(out, "--config-from main") {
					t.Errorf("%s does not report that the settings changed:\n%s", format, out)
				}
			}
			if out := runLine(dir, strings.Replace(line, "main", "HEAD", 1)+c.flags); strings.Contains(out, "settings-changed") {
				t.Errorf("nothing changed since HEAD:\n%s", out)
			}
		})
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
