package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/salint/salint/cmd/salint/internal/completion"
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/restmap"
	"github.com/salint/salint/internal/output/schema"
)

func TestCompletion(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                           {"lint", "preflight", "bundle-diff", "can-i", "who-can", "uses", "diff", "plan", "graph", "build", "report", "lsp", "targets", "rules", "schema", "policy", "init", "demo", "version", "completion"},
		"--ver":                      {"--version"},
		"lint":                       nil, // files
		"lint a":                     nil,
		"lint --fix":                 nil,
		"lint --un":                  {"--unsafe-fixes"},
		"lint a --f":                 {"--fix", "--format", "--fail-on"},
		"lint --he":                  {"--helm-api-versions", "--help"},
		"lint --format":              {"text", "compact", "json", "sarif", "github", "gitlab", "junit", "markdown", "html"},
		"lint --fail-on":             {"error", "warning", "note", "never"},
		"lint a --color":             {"auto", "always", "never"},
		"demo --color":               {"auto", "always", "never"},
		"lint --progress":            {"auto", "always", "never"},
		"lint --grant":               {"carry-over", "group", "least-privilege", "role="},
		"lint --baseline":            nil,
		"who-can --format":           {"text", "json", "mermaid"},
		"diff --format":              {"text", "markdown", "json", "html", "sarif", "github"},
		"diff --fail-on":             {"error", "warning", "note", "never"},
		"graph --format":             {"mermaid", "dot", "json"},
		"report --format":            {"text", "markdown", "html", "json", "csv", "ndjson", "sarif", "manifest"},
		"report --fail-on":           {"error", "warning", "note", "never"},
		"report":                     nil, // files
		"schema":                     schema.Names(),
		"plan --format":              {"text", "markdown", "json", "html"},
		"can-i get":                  restmap.Arguments(),
		"can-i get pods":             nil,
		"who-can get --namespace x":  restmap.Arguments(),
		"lint --color=":              {"--color=auto", "--color=always", "--color=never"},
		"lint --color=a":             {"--color=auto", "--color=always"},
		"lint --color =":             {"auto", "always", "never"}, // as bash divides it
		"lint --baseline=":           nil,
		"lint --group":               {"cause", "file", "rule", "none"},
		"lint --output":              {"text=", "compact=", "json=", "sarif=", "github=", "gitlab=", "junit=", "markdown=", "html="},
		"can-i --as ada --list":      access.Verbs(),
		"policy":                     {"init", "test", "eval"},
		"policy test":                nil,
		"init":                       {"grafana", "access-policy"},
		"init grafana":               nil,
		"init grafana --role":        {"Viewer", "Editor", "Admin"},
		"init grafana --na":          {"--name", "--namespace"},
		"init access-policy":         nil,
		"init access-policy --pi":    {"--pin-versions"},
		"completion":                 {"bash", "zsh", "fish", "powershell"},
		"completion --generate-bash": nil,
	} {
		got := completed(t, strings.Fields(line))
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("salint %s (-want +got)\n%s", line, diff)
		}
	}
	for line, some := range map[string][]string{
		"lint --target":  {"auto", "olm-1.11", "ocp-4.20", "required", "removed"},
		"plan --to":      {"olm-1.11", "ocp-4.20", "required", "removed"},
		"plan --targets": {"olm-1.11", "ocp-4.20"},
		"lint --disable": {"olm/group-grant", "repo/unparsable"},
		"lint --enable":  {"olm/group-grant", "repo/unparsable"},
		"rules":          {"olm/group-grant", "repo/unparsable"},
		"can-i get":      {"pods", "deployments.apps", "clusterextensions.olm.operatorframework.io"},
	} {
		got := completed(t, strings.Fields(line))
		for _, want := range some {
			if !slices.Contains(got, want) {
				t.Errorf("salint %s: %s is not offered: %q", line, want, got)
			}
		}
	}
}

// completed returns what a shell is offered after the words.
func completed(t *testing.T, words []string) []string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := &command{Stdout: &stdout, Stderr: &stderr, Dir: t.TempDir()}
	if code := c.Main(append(words, completion.Flag)); code != exitOK || stderr.Len() > 0 {
		t.Errorf("%q: exit code %d: %s", words, code, &stderr)
	}
	return strings.Fields(stdout.String())
}

// The scripts ask the program: they contain no list that could become outdated, and no output is executed by a shell.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range completion.Shells {
		script, err := completion.Script(shell)
		if err != nil || !strings.Contains(script, completion.Flag) || strings.Contains(script, "`") {
			t.Errorf("%s: %v\n%s", shell, err, script)
		}
	}
	for _, shell := range []string{"", "ksh"} {
		if _, err := completion.Script(shell); err == nil || !strings.Contains(err.Error(), "bash, zsh, fish, or powershell") {
			t.Errorf("%q: %v", shell, err)
		}
	}
}
