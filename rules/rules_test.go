package rules_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/salint/salint/rego"
	"github.com/salint/salint/rules"
)

func load(t *testing.T, dirs ...string) *rules.Registry {
	t.Helper()
	registry, err := rules.Load(context.Background(), rules.Options{PolicyDirs: dirs})
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// The list that start-up reads, and the documentation, are those that the METADATA gives.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	t.Parallel()
	index, texts, err := rules.BuildIndex(rego.Policies)
	if err != nil {
		t.Fatal(err)
	}
	page, err := rules.BuildPage(rego.Policies)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]byte{"index.json": index, "texts.json": texts, "../docs/rules.md": page} {
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate ./rules", file)
		}
	}
}

// The unit tests of the policies, and their examples: every bad one fires its rule, and no good one does.
func TestRego(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	passed, failed, err := rules.TestBuiltin(context.Background(), rego.Policies, &out)
	if err != nil {
		t.Fatal(err)
	}
	if failed > 0 || passed == 0 {
		t.Errorf("%d passed, %d failed:\n%s", passed, failed, &out)
	}
}

// Building the index fails for a rule that lacks a part of its METADATA; here is what only a test can demand.
func TestRulesAreComplete(t *testing.T) {
	t.Parallel()
	for _, rule := range load(t).Rules() {
		if rule.Fix.Name != "" && rule.Fix.Description == "" {
			t.Errorf("%s: custom.fix has no description", rule.Name)
		}
	}
}

// maxPolicyLines keeps a policy readable at one sitting. Helpers go into a file beside it or into lib; so do examples.
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
