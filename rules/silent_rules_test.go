package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/rules"
)

// loadPolicies loads a folder with files, and returns the error without the folder.
func loadPolicies(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	registry, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{dir}})
	if err != nil {
		return strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
	}
	registry.Close()
	return ""
}

// Mistakes with which a rule would find nothing are errors when it is loaded, and what looks like them is none.
func TestNoRuleIsSilent(t *testing.T) {
	t.Parallel()
	const start = header + "package salint.rules.acme.x\n\nimport data.salint.lib\n\n"
	found := func(condition string) string {
		return start + "report contains lib.finding([], \"found\") if {\n\t" + condition + "\n}\n"
	}
	data := map[string]string{"data.json": `{"owners": ["a"], "patterns": ["^a$", "b["], "nested": {"list": [{"pattern": "["}]}}`, "teams/data.yaml": "good: ['^a']\n"}
	for _, test := range []struct {
		name, source, want string
		more               map[string]string
	}{
		{"a field of the input", found(`input.resouce.metadata.name == "a"`), `x.rego:16:2: undefined ref: input.resouce`, nil},
		{"a field of the unit", found(`input.unit.path == "a"`), `undefined ref: input.unit.path`, nil},
		{"a field of a transform", found(`some t in input.unit.transforms` + "\n\t" + `t.feild == "a"`), `undefined ref`, nil},
		{"fields of the input", found(`input.unit.kind == "a"` + "\n\tinput.unit.partial\n\tsome r in input.unit.remotes\n\tr.field == \"resources\""), "", nil},
		{"parameters that are not declared", found(`input.parameters.owner == "a"`), `undefined ref: input.parameters.owner`, nil},
		{"a field of the metadata", found(`input.resource.metadata.lables.a`), `x.rego:16:2: the metadata of an object has no field lables: did you mean labels?`, nil},
		{"the same by a variable", found("r := input.resource\n\tm := r.metadata\n\tm.anotations.a"), `has no field anotations: did you mean annotations?`, nil},
		{"the metadata", found(`input.resource.metdata.name == "a"`), `an object has no field metdata: did you mean metadata?`, nil},
		{"the metadata of another object", found(`some o in salint.find({"kind": "ConfigMap"})` + "\n\to.resource.metadata.nam == \"a\""), `has no field nam: did you mean name?`, nil},
		{"fields of objects", found(`input.resource.metadata.labels.lables == "a"` + "\n\tinput.resource.spec.metdata\n\tinput.resource.data.metadata.foo"), "", nil},

		{"data", found(`input.resource.metadata.name in data.owners`), `x.rego:16:34: nothing defines data.owners: add it to data.json or data.yaml beside the policies`, nil},
		{"data of a file", found(`input.resource.metadata.name in data.owners`), "", data},
		{"a name in data", found(`input.resource.metadata.name in data.owner`), `nothing defines data.owner: did you mean data.owners?`, data},
		{"a name deeper in data", found(`input.resource.metadata.name in data.nested.lists`), `nothing defines data.nested.lists: did you mean data.nested.list?`, data},
		{"data of a folder", found(`input.resource.metadata.name in data.teams.good`), "", data},
		{"optional data", found(`input.resource.metadata.name in object.get(data, "owners", [])` + "\n\tnot \"b\" in object.get(data, [\"other\", \"owners\"], [])"), "", data},
		{"optional data that is not named", found(`input.resource.metadata.name in object.get(data, input.resource.metadata.name, [])`), "object.get(data, …) must name what it reads", nil},
		{"a helper that is no function", found(`input.resource.metadata.name in lib.nams`), "nothing defines data.salint.lib.nams", nil},
		{"own definitions", start + "names contains \"a\"\n\nmore := {\"x\": {\"y\": 1}}\n\nreport contains lib.finding([], \"found\") if {\n\tinput.resource.metadata.name in names\n\tdata.salint.rules.acme.x.more.x.y == 1\n}\n", "", nil},

		{"a pattern", found(`regex.match("a[", input.resource.metadata.name)`), "x.rego:16:2: regex.match always fails with \"a[\": error parsing regexp", nil},
		{"a pattern that compiles", found(`regex.match("a[b]", input.resource.metadata.name)`), "", nil},
		{"a pattern in a variable", found("p := \"a[\"\n\tregex.match(p, input.resource.metadata.name)"), "regex.match always fails", nil},
		{"a negated pattern", found(`not regex.match("a[", input.resource.metadata.name)`), "regex.match always fails", nil},
		{"a pattern that is replaced", found(`regex.replace(input.resource.metadata.name, "(", "") == "a"`), "regex.replace always fails", nil},
		{"a pattern that is made", found(`regex.match(concat("", ["^", "("]), input.resource.metadata.name)`), "regex.match always fails", nil},
		{"a pattern that is made of the input", found(`regex.match(concat("", ["^", input.resource.metadata.name]), "(")`), "", nil},
		{"a pattern in a list", found("some p in [\"a\", \"b[\"]\n\tregex.match(p, input.resource.metadata.name)"), "regex.match always fails with \"b[\"", nil},
		{"a pattern of a definition", start + "patterns := {\"a\", \"b[\"}\n\nreport contains lib.finding([], \"found\") if {\n\tsome p in patterns\n\tregex.match(p, input.resource.metadata.name)\n}\n", "regex.match always fails with \"b[\"", nil},
		{"a pattern in data", found("some p in data.patterns\n\tregex.match(p, input.resource.metadata.name)"), "regex.match always fails with \"b[\"", data},
		{"a pattern deep in data", found("some i\n\tregex.match(data.nested.list[i].pattern, input.resource.metadata.name)"), "regex.match always fails with \"[\"", data},
		{"a good pattern in data", found("some p in data.teams.good\n\tregex.match(p, input.resource.metadata.name)"), "", data},
		{"patterns that are checked", found("some p in data.patterns\n\tregex.is_valid(p)\n\tregex.match(p, input.resource.metadata.name)"), "", data},
		{"a pattern of a call", start + "matches(p) if regex.match(p, input.resource.metadata.name)\n\nreport contains lib.finding([], \"found\") if matches(\"a[\")\n", "regex.match always fails with \"a[\"", nil},
		{"a pattern in a comprehension", found(`count([1 | regex.match("a[", input.resource.metadata.name)]) > 0`), "regex.match always fails", nil},
		{"a pattern of every", found(`every k, _ in input.resource.data { regex.match("a[", k) }`), "regex.match always fails", nil},
		{"a glob", found(`glob.match("[a", ["/"], input.resource.metadata.name)`), "glob.match always fails with \"[a\"", nil},
		{"a network", found(`net.cidr_contains("10.0.0.0/64", input.resource.data.address)`), "net.cidr_contains always fails with \"10.0.0.0/64\"", nil},
		{"a version", found(`semver.compare(input.resource.data.version, "1.x") > 0`), "semver.compare always fails with \"1.x\"", nil},
		{"a time", found(`time.parse_rfc3339_ns("2026-01-31") > 0`), "time.parse_rfc3339_ns always fails", nil},

		{"a fixer", strings.Replace(found(`input.resource`), "fix: none", "fix: {name: remove-acount, kind: safe}", 1), "x.rego:7: METADATA: custom.fix: there is no fixer \"remove-acount\"", nil},
		{"a fixer of a finding", start + "report contains lib.with_fix(lib.finding([], \"found\"), \"remove-it\", \"safe\", {})\n", "there is no fixer \"remove-it\"", nil},
		{"a fixer that exists", start + "report contains lib.with_fix(lib.finding([], \"found\"), \"unmount-token\", \"safe\", {})\n", "", nil},
		{"a schema of its own", strings.Replace(found(`input.resource.data.a == "a"`), "# custom:", "# schemas:\n#   - input: {$ref: 'file:///nowhere/at/all'}\n# custom:", 1), "", nil},
		{"the resource of a unit", strings.Replace(found(`input.resource.metadata.name == "a"`), "fix: none", "fix: none\n#   scope: unit", 1), "undefined ref: input.resource", nil},
	} {
		files := map[string]string{"x.rego": test.source}
		for name, text := range test.more {
			files[name] = text
		}
		got := loadPolicies(t, files)
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
