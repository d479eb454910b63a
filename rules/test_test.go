package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/rules"
)

func TestTestPolicies(t *testing.T) {
	t.Parallel()
	const tests = `package salint.rules.custom.x_test

import data.salint.rules.custom.x

test_right if count(x.report) == 1 with input.resource.metadata.name as "bad"

test_wrong if {
	print("the report is", x.report)
	count(x.report) == 1
}

test_repository if salint.find({"kind": "ConfigMap"})
`
	swapped := strings.NewReplacer("bad: \"{", "good: \"{", "good: \"{", "bad: \"{")
	cases := []struct {
		name           string
		policies       map[string]string
		passed, failed int
		output         []string
		err            string
	}{
		{"all right", map[string]string{"a.rego": variant("x")}, 2, 0, []string{"no tests: write rules named test_"}, ""},
		{"failures", map[string]string{"a.rego": variant("x"), "a_test.rego": tests}, 3, 2, []string{
			"/a_test.rego:7: data.salint.rules.custom.x_test.test_wrong: FAILED\n", "the report is set()",
			"/a_test.rego:12:", "x_test.test_repository: FAILED: ", "needs the repository, which a test does not have",
		}, ""},
		{"examples", map[string]string{"a.rego": swapped.Replace(variant("x"))}, 0, 2, []string{
			"/a.rego: custom/x: example 1 (good): FAILED: it is marked good, but the rule reports: bad",
			"/a.rego: custom/x: example 2 (bad): FAILED: it is marked bad, but the rule reports nothing",
		}, ""},
		{"example of nothing", map[string]string{"a.rego": variant("x", "metadata: {name: good}}", "metadata: {name: good}", "kind: ConfigMap, metadata: {name: bad}", "name: bad")},
			0, 0, nil, "a.rego:8: METADATA: custom.examples: example 1: it contains no Kubernetes object"},
		{"broken test", map[string]string{"a.rego": variant("x"), "a_test.rego": "package salint.rules.custom.x_test\n\ntest_a if nothing()\n"},
			0, 0, nil, "a_test.rego:3:11: undefined function nothing"},
		{"broken policy", map[string]string{"a.rego": "package salint.rules.custom.x"}, 0, 0, nil, "a.rego:1: no METADATA"},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, source := range test.policies {
				write(t, filepath.Join(dir, name), source)
			}
			report, err := rules.TestPolicies(t.Context(), dir, rules.TestOptions{})
			passed, failed, out := counted(t, report)
			if passed != test.passed || failed != test.failed {
				t.Errorf("%d passed, %d failed; want %d and %d\n%s", passed, failed, test.passed, test.failed, out)
			}
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("the error is %v, want %q", err, test.err)
			}
			for _, want := range test.output {
				if !strings.Contains(out, want) {
					t.Errorf("the output is\n%s\nand lacks %q", out, want)
				}
			}
		})
	}
}
