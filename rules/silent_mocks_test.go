package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/rules"
)

// mocked is a rule that reads data, optional data, and a parameter.
const mocked = `# METADATA
# title: t
# description: d
# custom:
#   severity: error
#   kinds: [ConfigMap]
#   fix: none
#   parameters: {type: object, properties: {most: {type: integer, default: 1}}}
#   examples:
#     - bad: '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}'
#     - good: '{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}'
package salint.rules.acme.x

import data.acme as company
import data.salint.lib

report contains lib.finding([], "found") if {
	input.resource.metadata.name in company.names
	not input.resource.metadata.name in object.get(data, ["acme", "exceptions"], [])
	not data.teams[input.resource.metadata.namespace].closed
	input.parameters.most > 0
	input.target.name != "olm-0"
}
`

// Mocks of tests that have no effect, and definitions that are no tests, are errors.
func TestNoMockIsSilent(t *testing.T) {
	t.Parallel()
	const start = "package salint.rules.acme.x_test\n\nimport data.salint.rules.acme.x\n\n"
	for _, test := range []struct{ name, source, want string }{
		{"data", `test_a if count(x.report) == 0 with data.acme.nams as ["b"]`, "x_test.rego:5:37: nothing reads data.acme.nams, so the mock has no effect: did you mean data.acme.names?"},
		{"optional data", `test_a if count(x.report) == 0 with data.acme.exeptions as ["b"]`, "nothing reads data.acme.exeptions, so the mock has no effect: did you mean data.acme.exceptions?"},
		{"other data", `test_a if count(x.report) == 0 with data.kimds as ["b"]`, "nothing reads data.kimds, so the mock has no effect: correct its name, or remove it"},
		{"data that is read", `test_a if count(x.report) == 0 with data.acme.names as ["b"] with data.acme.exceptions as ["c"] with data.acme as {} with data.teams.b.closed as true with data.teams.b.owner as "c"`, ""},
		{"input", `test_a if count(x.report) == 0 with input.resorce as {}`, "x_test.rego:5:37: no rule gets input.resorce, so the mock has no effect: did you mean resource?"},
		{"an object as input", `test_a if count(x.report) == 0 with input as {"metadata": {"name": "a"}}`, "no rule gets input.metadata, so the mock has no effect: the object is input.resource"},
		{"a field in input", `test_a if count(x.report) == 0 with input.target as {"nam": "b"}`, "no rule gets input.target.nam, so the mock has no effect: did you mean name?"},
		{"input in a variable", "test_a if {\n\tmocked := {\"resorce\": {}}\n\tcount(x.report) == 0 with input as mocked\n}", "x_test.rego:7:28: no rule gets input.resorce"},
		{"input of a definition", "mocked := {\"resource\": {\"metadata\": {\"lables\": {}}}}\n\ntest_a if count(x.report) == 0 with input as mocked", "x_test.rego:7:37: the metadata of an object has no field lables"},
		{"input of a function", "account(metadata) := {\"kind\": \"ConfigMap\", \"metadata\": metadata}\n\ntest_a if count(x.report) == 0 with input.resource as account({\"nam\": \"a\"})", "the metadata of an object has no field nam"},
		{"a parameter", `test_a if count(x.report) == 0 with input.parameters.mos as 3`, "no rule declares input.parameters.mos, so the mock has no effect: did you mean most?"},
		{"parameters", `test_a if count(x.report) == 0 with input.parameters as {"mots": 3}`, "no rule declares input.parameters.mots"},
		{"input that rules get", `test_a if count(x.report) == 0 with input.resource as {"spec": {"metdata": 1}, "metadata": {"name": "a", "labels": {"lables": "b"}}} with input.parameters.most as 3 with input.target.name as "olm-1.11" with input.now as "2026-01-31T00:00:00Z"`, ""},
		{"a set as a condition", `test_a if x.report with input.resource as {}`, "x_test.rego:5:11: x.report is a set or mapping, which is true also if it is empty, so the condition is always true: write count(…) > 0 or == 0"},
		{"a set that is not", `test_a if not x.report with input.resource as {}`, "so the condition is never true"},
		{"a number as a condition", `test_a if count(x.report) with input.resource as {}`, "the result of count is not compared, so the condition is always true"},
		{"conditions", "test_a if {\n\t\"a\" in {\"a\"}\n\tx.report == set() with input.resource as {}\n\tto_number(\"1\")\n}", ""},
		{"two tests of one name", "test_a if count(x.report) == 0 with input.resource as {}\n\ntest_a if count(x.report) == 1 with input.resource as {}", "x_test.rego:7:1: line 5 defines test_a, too, so it passes if one of them is true: choose another name"},
		{"a name that is no test", "tets_a if count(x.report) == 0\n\ntest_b if count(x.report) == 0 with input.resource as {}", "x_test.rego:5:1: nothing refers to tets_a, and it is not a test: the name of a test begins with test_"},
		{"definitions and skipped tests", "name := \"a\"\n\nnames contains name\n\nto(n) := n\n\ntodo_test_c if count(x.report) == 5\n\ntest_a if names == {to(\"a\")}", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, "x.rego"), mocked)
			write(t, filepath.Join(dir, "data.yaml"), "acme: {names: [a]}\nteams: {}\n")
			write(t, filepath.Join(dir, "x_test.rego"), start+test.source+"\n")
			_, err := rules.TestPolicies(t.Context(), dir, rules.TestOptions{})
			got := ""
			if err != nil {
				got = strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
			}
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("the error is %q, want %q", got, test.want)
			}
		})
	}
}
