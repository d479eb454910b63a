package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
)

// withoutExamples is the policy of these tests without the examples in its METADATA.
func withoutExamples() string {
	text := variant("x")
	return text[:strings.Index(text, "#   examples:")] + text[strings.Index(text, "package "):]
}

const goodExample = "-- good --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n"

func TestExamplesFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.rego"), withoutExamples())
	write(t, filepath.Join(dir, "x_examples.txtar"), `Ignored.
-- bad (olm-1.11): two of them --
kind: ConfigMap
metadata: {name: bad}
---
kind: ConfigMap

-- bundle --
a: 1
-- base --
a: 2
`+goodExample)
	rule, _, _ := load(t, dir).Find("custom/x")
	want := []metadata.Example{
		{
			Bad: true, Text: "kind: ConfigMap\nmetadata: {name: bad}\n---\nkind: ConfigMap\n",
			Target: "olm-1.11", Why: "two of them", Bundle: "a: 1\n", Base: "a: 2\n",
		},
		{Text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n"},
	}
	if diff := cmp.Diff(want, rule.Examples); diff != "" {
		t.Error(diff)
	}
}

func TestExamplesFileIsRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.rego"), withoutExamples())
	write(t, filepath.Join(dir, "x_examples.txtar"), strings.ReplaceAll(goodExample, "good", "bad")+strings.ReplaceAll(goodExample, "name: good", "name: bad"))
	report, err := rules.TestPolicies(t.Context(), dir, rules.TestOptions{})
	passed, failed, out := counted(t, report)
	if passed != 1 || failed != 1 || err != nil || !strings.Contains(out, "custom/x: example 2 (good): FAILED") {
		t.Errorf("%d passed, %d failed, error %v:\n%s", passed, failed, err, out)
	}
}

func TestLoadRefusesBrokenExamplesFile(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, policy, examples, want string }{
		{"unknown section", withoutExamples(), goodExample + "-- worse --\n", `/x_examples.txtar:5: section "worse": write `},
		{"bundle of nothing", withoutExamples(), "\n-- bundle --\n", `/x_examples.txtar:2: section "bundle": `},
		{"two bundles", withoutExamples(), goodExample + "-- bundle --\n-- bundle --\n", `/x_examples.txtar:6: section "bundle": `},
		{"no bad one", withoutExamples(), goodExample, "/x_examples.txtar: at least one bad and one good example are required, but there are 0 and 1"},
		{"examples in two places", variant("x"), goodExample, "/x.rego:8: METADATA: custom.examples: the examples are in "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, "x.rego"), test.policy)
			write(t, filepath.Join(dir, "x_examples.txtar"), test.examples)
			_, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{dir}})
			if err == nil || !strings.Contains(filepath.ToSlash(err.Error()), test.want) {
				t.Errorf("the error is %v, want %s", err, test.want)
			}
		})
	}
}
