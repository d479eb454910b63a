package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/rules"
)

// header is the METADATA of the rules of these tests.
const header = `# METADATA
# title: A test
# description: It tests.
# custom:
#   severity: warning
#   kinds: [ConfigMap]
#   fix: none
#   examples:
#     - bad: "{apiVersion: v1, kind: ConfigMap, metadata: {name: bad}}"
#     - good: "{apiVersion: v1, kind: ConfigMap, metadata: {name: good}}"
`

// body fires on objects that are named bad.
const body = `
import data.salint.lib

report contains lib.finding(["metadata", "name"], "bad") if input.resource.metadata.name == "bad"
`

func TestLoadRefusesBrokenPolicies(t *testing.T) {
	t.Parallel()
	rule := func(pkg string) string { return header + "package " + pkg + "\n" + body }
	without := func(line string) string {
		return strings.Replace(rule("salint.rules.custom.x"), line, "", 1)
	}
	with := func(old, new string) string {
		return strings.Replace(rule("salint.rules.custom.x"), old, new, 1)
	}
	tests := []struct {
		name, source string
		want         []string
	}{
		{"no rego", "hello {", []string{"x.rego:1:7: unexpected eof token\n\thello {"}},
		{"ends early", with(`== "bad"`, `== {`), []string{"x.rego:16:1: unexpected eof token"}},
		{"no metadata", "package salint.rules.custom.x\n" + body, []string{"x.rego:1: no METADATA", "# METADATA\n# title:", "examples:"}},
		{"metadata is not YAML", with("# title: A test", "# title: [A test"), []string{"x.rego:", "yaml"}},
		{"other package", rule("custom.x"), []string{"x.rego:11: package custom.x", "salint.rules.<family>.<rule>"}},
		{"package too deep", rule("salint.rules.custom.x.y"), []string{"x.rego:11: package salint.rules.custom.x.y"}},
		{"package of a family", rule("salint.rules.custom"), []string{"x.rego:11: package salint.rules.custom:"}},
		{"package of the helpers", "package salint.lib\n\nfoo := 1\n", []string{"x.rego:1: package salint.lib is salint's own"}},
		{"package of internal helpers", "package salint.helpers.mine\n\nfoo := 1\n", []string{"x.rego:1: package salint.helpers.mine is salint's own"}},
		{"package of a helper beside a built-in rule", "package salint.helpers.grafana.schema_values\n\nfoo := 1\n",
			[]string{"x.rego:1: package salint.helpers.grafana.schema_values is salint's own"}},
		{"name of a built-in rule", rule("salint.rules.olm.service_account_deprecated"),
			[]string{"x.rego:11: the rule olm/service-account-deprecated already exists (built in)", "salint.rules.custom.service_account_deprecated"}},
		{"no title", without("# title: A test\n"), []string{"x.rego:1: METADATA: title is missing"}},
		{"no description", without("# description: It tests.\n"), []string{"x.rego:1: METADATA: description is missing"}},
		{"severity", with("severity: warning", "severity: bad"), []string{`x.rego:5: METADATA: custom.severity: "bad" is not one of error, warning, note`}},
		{"severity off", with("severity: warning", "severity: \"off\""), []string{"x.rego:5: METADATA: custom.severity"}},
		{"no kinds", without("#   kinds: [ConfigMap]\n"), []string{"x.rego:1: METADATA: custom.kinds is missing"}},
		{"kinds", with("kinds: [ConfigMap]", "kinds: ConfigMap"), []string{"x.rego:6: METADATA: custom: kinds must be a list"}},
		{"unknown key", with("kinds:", "kindz:"), []string{"x.rego:6: METADATA: unknown key custom.kindz; did you mean kinds?"}},
		{"scope", with("fix: none", "fix: none\n#   scope: file"), []string{`x.rego:8: METADATA: custom.scope: "file" is not one of object, unit, program`}},
		{"no fix", without("#   fix: none\n"), []string{"x.rego:1: METADATA: custom.fix: write `fix: none`"}},
		{"fix", with("fix: none", "fix: {name: mend}"), []string{"x.rego:7: METADATA: custom.fix: write `fix: none`"}},
		{"no good example", without("#     - good: \"{apiVersion: v1, kind: ConfigMap, metadata: {name: good}}\"\n"),
			[]string{"x.rego:8: METADATA: custom.examples: at least one bad and one good", "there are 1 and 0"}},
		{"no report", with("report contains", "reports contains"), []string{"x.rego:11: ", "report contains finding if"}},
		{"report is no set", with(`report contains lib.finding(["metadata", "name"], "bad") if`, `report := lib.finding(["metadata", "name"], "bad") if`),
			[]string{"x.rego:15:1: ", "report contains finding if"}},
		{"unused variable", with(`if input`, `if { a := 1; input`) + "}", []string{"x.rego:15:", "assigned var a unused; remove it"}},
		{"function switched off", with(`== "bad"`, `== http.send({}).body`), []string{"x.rego:15:", "undefined function http.send; it is switched off"}},
		{"function misspelled", with(`== "bad"`, `== salint.identty("a").user`), []string{"x.rego:15:", "undefined function salint.identty; did you mean salint.identity?"}},
		{"helper misspelled", with(`lib.finding(`, `lib.findin(`), []string{"x.rego:15:17: undefined function data.salint.lib.findin; check the import of its package"}},
		{"field misspelled", with(`== "bad"`, `== salint.identity("a").usr`), []string{"x.rego:15:", "undefined ref: salint.identity", "salint policy test DIR"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, "sub", "x.rego"), test.source)
			_, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{dir}})
			if err == nil {
				t.Fatal("the policy is accepted")
			}
			message := strings.ReplaceAll(err.Error(), filepath.ToSlash(dir)+"/sub/", "")
			for _, want := range test.want {
				if !strings.Contains(message, want) {
					t.Errorf("the error is\n%s\nand lacks %q", message, want)
				}
			}
		})
	}
}
