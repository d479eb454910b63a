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
	const parameters = "# METADATA\n# title: t\n# description: d\n# custom:\n#   severity: error\n#   kinds: [ConfigMap]\n#   fix: none\n" +
		"#   parameters: {type: object, properties: {most: {type: integer, default: 1}, names: {type: array, default: [a]}, nested: {type: object, default: {}, properties: {a: {}}}, open: {type: object, default: {}}}}\n" +
		"#   examples:\n#     - bad: '{apiVersion: v1, kind: ConfigMap}'\n#     - good: '{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}'\n"
	const start = header + "package salint.rules.acme.x\n\nimport data.salint.lib\n\n"
	found := func(condition string) string {
		return start + "report contains lib.finding([], \"found\") if {\n\t" + condition + "\n}\n"
	}
	typedData := map[string]string{"data.yaml": "port: '80'\nlimit: 3\nstrict: false\nports: [80, 443]\nmixed: [a, 1]\nnone: []\n"}
	data := map[string]string{"data.json": `{"owners": ["a"], "patterns": ["^a$", "b["], "nested": {"list": [{"pattern": "["}]}}`, "teams/data.yaml": "good: ['^a']\n"}
	for _, test := range []struct {
		name, source, want string
		more               map[string]string
	}{
		{"a field of the input", found(`input.resouce.metadata.name == "a"`), `x.rego:16:2: undefined ref: input.resouce`, nil},
		{"a field of the unit", found(`input.unit.path == "a"`), `undefined ref: input.unit.path`, nil},
		{"a field of a transform", found(`some t in input.unit.transforms` + "\n\t" + `t.feild == "a"`), `undefined ref`, nil},
		{"fields of the input", found(`input.unit.kind == "plain"` + "\n\tinput.unit.partial\n\tsome r in input.unit.remotes\n\tr.field == \"resources\""), "", nil},
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
		{"an internal helper", strings.Replace(found(`pods.alias(input.resource) == "a"`), "import data.salint.lib\n", "import data.salint.helpers.pods\nimport data.salint.lib\n", 1), "x.rego:13: salint.helpers.pods is internal to salint and can change in each version: use salint.pods and salint.admission", nil},
		{"an internal helper by its whole name", found(`data.salint.helpers.called(input.resource) == "a"`), "x.rego:16: salint.helpers.called is internal to salint", nil},
		{"an internal helper of a helper", found(`data.salint.lib.y.a`), "y.rego:3: salint.helpers.rbac.x is internal to salint", map[string]string{"y.rego": "package salint.lib.y\n\na := data.salint.helpers.rbac.x\n"}},
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

		{"a number with a text", found(`count(input.resource.data) > "1"`), "x.rego:16:2: count returns a number, and is compared with \"1\", which is a string: the result is always the same", nil},
		{"a number with a text in a variable", found("n := count(input.resource.data)\n\tmost := \"1\"\n\tn == most"), "match error", nil},
		{"a text with a number", found(`lower(input.resource.metadata.name) == 3`), "match error", nil},
		{"a number with a text that is not equal", found(`count(input.resource.data) != "1"`), "count returns a number", nil},
		{"numbers and texts", found("count(input.resource.data) > 1\n\tlower(input.resource.metadata.name) == \"a\"\n\tinput.resource.data.n == 3\n\tinput.resource.data.n > \"3\"\n\tto_number(input.resource.data.m) > 2"), "", nil},
		{"a member of a text", found(`input.resource.metadata.name in "abc"`), "`in` looks for members, and \"abc\" has none", nil},
		{"a member of a constant", start + "names := \"abc\"\n\nreport contains lib.finding([], \"found\") if input.resource.metadata.name in names\n", "`in` looks for members", nil},
		{"a member of a list", found(`input.resource.metadata.name in ["abc"]`), "", nil},

		{"data with a number", found(`input.resource.data.a == "a"` + "\n\tdata.port == 80"), `x.rego:17:2: data.port is a string, and is compared with 80, which is a number: the result is always the same`, typedData},
		{"data with its type", found(`data.port == "80"` + "\n\tdata.limit < 4\n\tdata.strict == true\n\tdata.port != null\n\tdata.mixed[_] == \"a\"\n\tdata.mixed[_] == 1"), "", typedData},
		{"data of a list", found("some p in data.ports\n\tp == \"80\""), `data.ports[_] is a number, and is compared with "80"`, typedData},
		{"data that is ordered", found("data.limit > \"3\""), `data.limit is a number, and is compared with "3"`, typedData},
		{"data in a variable", found("p := data.port\n\tp == 80"), `data.port is a string, and is compared with 80`, typedData},
		{"data with data", found("data.port == data.limit"), `data.port is a string, and is compared with data.limit, which is a number`, typedData},
		{"a member of data", found(`"80" in data.ports`), "`in` compares \"80\", which is a string, with members of the type number: the result is always the same", typedData},
		{"a name among numbers", found(`input.resource.metadata.name in data.ports`), "`in` compares input.resource.metadata.name, which is a string, with members of the type number", typedData},
		{"members of data", found("80 in data.ports\n\tinput.resource.metadata.name in data.mixed\n\tinput.resource.data.port in data.ports\n\tinput.resource.metadata.name in data.none"), "", typedData},
		{"an argument of another type", found(`startswith(input.resource.metadata.name, data.limit)`), `data.limit is a number, and startswith takes a string: the call always fails`, typedData},
		{"arguments of the same type", found("startswith(input.resource.metadata.name, data.port)\n\tabs(data.limit) > 1"), "", typedData},
		{"data that the rule replaces", start + "limited if data.port == 80\n\nreport contains lib.finding([], \"found\") if {\n\tdata.port == 80 with data.port as 80\n}\n", "x.rego:15:", typedData},
		{"a name with a number", found(`input.resource.metadata.name == 3`), `x.rego:16:2: input.resource.metadata.name is a string, and is compared with 3, which is a number: the result is always the same`, nil},
		{"a label with true", found(`input.resource.metadata.labels.on == true`), `input.resource.metadata.labels.on is a string, and is compared with true, which is a boolean`, nil},
		{"an annotation of another object", found(`some o in salint.find({"kind": "ConfigMap"})` + "\n\to.resource.metadata.annotations[\"a.example/n\"] > 3"), `is a string, and is compared with 3`, nil},
		{"a kind with a number", found(`input.resource.kind != 3`), `input.resource.kind is a string, and is compared with 3`, nil},
		{"a time with a number", found(`input.now > 1700000000`), `input.now is a string, and is compared with 1700000000`, nil},
		{"fields with their types", found("input.resource.metadata.name == \"a\"\n\tinput.resource.metadata.labels.on == \"true\"\n\tinput.resource.metadata.labels == {}\n\tinput.resource.metadata.generation == 3\n\tinput.resource.metadata.namespace != null\n\tinput.resource.spec.name == 3\n\tobject.get(input.resource, [\"metadata\", \"labels\", \"on\"], false) == false\n\tis_number(input.resource.metadata.name)"), "", nil},
		{"a set as a condition", start + "names contains input.resource.metadata.name\n\nreport contains lib.finding([], \"found\") if names\n", "x.names is a set or mapping, which is true also if it is empty, so the condition is always true", nil},
		{"a number as a condition", found(`not count(input.resource.data)`), "the result of count is not compared, so the condition is never true", nil},
		{"other conditions", found("to_number(input.resource.data.a)\n\tcount(input.resource.data) > 0\n\tnot regex.match(\"a\", input.resource.metadata.name)\n\tinput.resource.data"), "", nil},
		{"too few values of a format", found(`sprintf("%s %s", [input.resource.metadata.name]) == "a b"`), `the format "%s %s" takes 2 values, and sprintf gets 1`, nil},
		{"too many values of a format", found(`sprintf("%s", ["a", input.resource.metadata.name]) == "a b"`), `takes 1 values, and sprintf gets 2`, nil},
		{"a number in a format", found(`sprintf("%d", [input.resource.metadata.name]) == "a"`), `%d in the format "%d" takes a number, and input.resource.metadata.name is a string: write %s`, nil},
		{"formats", found(`sprintf("100%% of %5.1f %-8s %v %d", [1.5, input.resource.metadata.name, input.resource.data, count(input.resource.data)]) == "a"` + "\n\tsprintf(\"%[2]s %[1]s\", [\"a\", input.resource.metadata.name]) == \"b\"\n\tvalues := [x | some x in input.resource.data]\n\tsprintf(\"%s %s\", values) == \"a b\""), "", nil},
		{"a time of salint", found(`salint.seconds("2026-01-31") > 0`), `x.rego:16:2: salint.seconds is never defined for "2026-01-31"`, nil},
		{"a time in RFC 3339", found(`salint.seconds("2026-01-31T00:00:00Z") > 0`), "", nil},
		{"a time that is made", found(`salint.seconds(concat("", [input.resource.data.day, "T00:00:00Z"])) > 0`), "", nil},

		{"a kind with its group", found(`input.resource.kind == "Deployment.apps"`), `x.rego:16:2: the kind of an object is never "Deployment.apps": compare with "Deployment"`, nil},
		{"a kind in a set", found(`input.resource.kind in {"ConfigMap", "configmaps"}`), `the kind of an object is never "configmaps"`, nil},
		{"a kind by a variable", found("r := input.resource\n\tr.kind == \"deployment\""), `the kind of an object is never "deployment"`, nil},
		{"a kind in a function", start + "is_app(o) if o.kind == \"Deployment.apps\"\n\nreport contains lib.finding([], \"found\") if is_app(input.resource)\n", `the kind of an object is never "Deployment.apps"`, nil},
		{"the kind of another rule", found(`input.resource.kind == "Secret"`), `input.resource.kind is never "Secret": custom.kinds of the rule has ConfigMap`, nil},
		{"its kind", found(`input.resource.kind == "ConfigMap"`), "", nil},
		{"its kind or another", found(`input.resource.kind in {"ConfigMap", "Secret"}` + "\n\tnot input.resource.kind == \"Secret\"\n\tinput.resource.kind != \"Pod\""), "", nil},
		{"the kind of a subject", found(`input.resource.subject.kind == "a.b"`), "", nil},
		{"an apiVersion", found(`input.resource.apiVersion == "apps"`), `the apiVersion of an object is never "apps"`, nil},
		{"a good apiVersion", found(`input.resource.apiVersion in {"v1", "apps/v1", "cert-manager.io/v1alpha2"}`), "", nil},
		{"a kind of units", found(`input.unit.kind == "Kustomization"`), `input.unit.kind is never "Kustomization": did you mean kustomization?`, nil},
		{"a model", found(`input.model == "syntetic"`), `input.model is never "syntetic": did you mean synthetic?`, nil},
		{"a good model", found(`input.model in {"synthetic", "required"}`), "", nil},

		{"a group in a query", found(`count(salint.find({"kind": "Deployment", "group": "app"})) > 0`), `x.rego:16:8: salint.find never finds Deployment in the group "app": there is no group app: write Deployment.apps`, nil},
		{"a kind in a query", found(`count(salint.anywhere({"kind": "Deployment.apps"})) > 0`), `salint.anywhere never finds the kind "Deployment.apps"`, nil},
		{"a query in a variable", found(`query := {"kind": "ClusterExtension", "group": "olm.operatorframework.com"}` + "\n\tcount(salint.lookup(query)) > 0"), `salint.lookup never finds ClusterExtension`, nil},
		{"queries", found(`count(salint.find({"kind": "ConfigMap", "group": ""})) > 0` + "\n\tcount(salint.find({\"kind\": \"Oven\", \"group\": \"bakery.example\"})) == 0\n\tcount(salint.find({\"kind\": input.resource.data.kind, \"group\": \"apps\"})) == 0"), "", nil},
		{"the kind of a subject of bindings", found(`count(salint.bindings_of({"kind": "serviceaccount", "name": "a", "namespace": "b"})) > 0`), `salint.bindings_of is never defined for a subject of the kind "serviceaccount"`, nil},

		{"a key twice", found(`input.resource.metadata.name in data.a`), `data.yaml:2: key "a" already set in map`, map[string]string{"data.yaml": "a: [b]\na: [c]\n"}},
		{"a key twice in JSON", found(`input.resource.metadata.name in data.a.b`), `data.json:2: the key "b" is in the object twice`, map[string]string{"data.json": "{\"a\": {\"b\": [],\n\"b\": []}}\n"}},
		{"a second document", found(`input.resource.metadata.name in data.a`), `data.yaml:2: a file of data has one document, and this one has 2`, map[string]string{"data.yaml": "a: [b]\n---\nc: [d]\n"}},
		{"one document", found(`input.resource.metadata.name in data.a`), "", map[string]string{"data.yaml": "# names\n---\na: [b]\n"}},
		{"one key in two mappings", found(`input.resource.metadata.name in data.a.b`), "", map[string]string{"data.json": `{"a": {"b": []}, "c": {"b": 1}}`}},
		{"a list that is read by a name", found(`data.owners[input.resource.metadata.namespace].team == "a"`), `data.owners is a list, and is read by a name`, map[string]string{"data.yaml": "owners: []\n"}},
		{"the same by a variable", found("n := input.resource.metadata.name\n\tdata.owners[n]"), `data.owners is a list, and is read by a name`, map[string]string{"data.yaml": "owners: [a]\n"}},
		{"null that is read", found("some o in data.owners\n\to == \"a\""), `data.owners is null in the data`, map[string]string{"data.yaml": "owners:\n"}},
		{"a text that is read as a list", found(`input.resource.metadata.name in data.owners`), `data.owners is a single value`, map[string]string{"data.yaml": "owners: a\n"}},
		{"items without fields", found("some o in data.owners\n\to.name == \"a\""), "", map[string]string{"data.yaml": "owners: []\n"}},
		{"empty data", found("not data.owners[input.resource.metadata.name]\n\tnot input.resource.metadata.name in data.names"), "", map[string]string{"data.yaml": "owners: {}\nnames: []\n"}},

		{"a parameter of a helper", parameters + found(`limit(input.parameters)`)[len(header):] + "\nlimit(p) if p.mosst == 3\n", `input.parameters.mosst is read for the rule acme/x, which does not declare it: did you mean most?`, nil},
		{"a parameter with a default", parameters + found(`object.get(input.parameters, "mosst", 1) == 3`)[len(header):], `input.parameters.mosst is read for the rule acme/x`, nil},
		{"a parameter of a library", parameters + "package salint.rules.acme.x\n\nimport data.salint.lib\nimport data.salint.lib.limits\n\nreport contains lib.finding([], \"found\") if limits.reached\n", `lib/limits.rego:3:12: input.parameters.nested.b is read for the rule acme/x, which does not declare it: did you mean a?`,
			map[string]string{"lib/limits.rego": "package salint.lib.limits\n\nreached if input.parameters.nested.b == 1\n"}},
		{"a parameter of a library without any", found(`data.salint.lib.limits.reached`), "input.parameters is read for the rule acme/x, which declares no parameters",
			map[string]string{"lib/limits.rego": "package salint.lib.limits\n\nreached if input.parameters.most == 1\n"}},
		{"a library that the rule does not use", found(`input.resource`), "", map[string]string{"lib/limits.rego": "package salint.lib.limits\n\nreached if input.parameters.most == 1\n"}},
		{"parameters", parameters + found("limit(input.parameters)\n\tobject.get(input.parameters, [\"nested\", \"a\"], 1) == 3\n\tinput.parameters.open.x\n\tinput.parameters.names[_] == \"a\"")[len(header):] + "\nlimit(p) if p.most == 3\n\nlimit(p) if p.nested.a\n", "", nil},

		{"a rule in a file of tests", found(`input.resource`), `y_test.rego:11: files named …_test.rego hold tests, so this rule would never be evaluated`, map[string]string{"y_test.rego": header + "package salint.rules.acme.y\n\nreport contains 1\n"}},
		{"a rule in a package of helpers", found(`input.resource`), `y.rego:11: packages below salint.lib hold helpers`, map[string]string{"y.rego": header + "package salint.lib.y\n\nreport contains 1\n"}},
		{"tests and helpers with METADATA", found(`input.resource`), "", map[string]string{"x_test.rego": "# METADATA\n# title: Tests\npackage salint.rules.acme.x_test\n\ntest_a if 1 == 1\n", "y.rego": "# METADATA\n# title: Helpers\npackage salint.lib.y\n\na := 1\n"}},
		{"examples of no rule", found(`input.resource`), `z_examples.txtar: there is no rule in z.rego, so these examples would never be run`, map[string]string{"z_examples.txtar": "-- bad --\na: b\n"}},
		{"a target of an example", strings.Replace(found(`input.resource`), "#     - good:", "#     - target: olm-9.99\n#       good:", 1), `example 2:`, nil},
		{"a known target of an example", strings.Replace(found(`input.resource`), "#     - good:", "#     - target: synthetic\n#       good:", 1), "", nil},

		{"a bundle of other kinds", strings.Replace(found(`input.resource`), "fix: none", "fix: none\n#   needs: bundle", 1), "x.rego:8: METADATA: custom.needs: only extensions have a bundle, and the rule neither checks nor reads them", nil},
		{"an example without a bundle", strings.ReplaceAll(strings.Replace(found(`input.resource`), "fix: none", "fix: none\n#   needs: bundle", 1), "ConfigMap", "ClusterExtension.olm.operatorframework.io"), "custom.needs: bad example 1: it has no bundle", nil},
		{"the bundle of an extension that is read", strings.Replace(strings.Replace(found(`input.resource`), "fix: none", "fix: none\n#   needs: bundle\n#   reads: [ClusterExtension.olm.operatorframework.io]", 1), "{name: bad}}\"", "{name: bad}}\"\n#       bundle: '{apiVersion: v1, kind: ConfigMap, metadata: {name: y}}'", 1), "", nil},

		{"a byte order mark", "\xef\xbb\xbf" + found(`input.resource`), "", nil},
		{"kinds as a text", strings.Replace(found(`input.resource`), "kinds: [ConfigMap]", "kinds: ConfigMap", 1), "x.rego:6: METADATA: custom: kinds must be a list, as in kinds: [A, B]", nil},
		{"a fixer of other kinds", strings.Replace(found(`input.resource`), "fix: none", "fix: {name: unmount-token, kind: unsafe}", 1), "x.rego:7: METADATA: custom.fix: it is never made: unmount-token changes workloads, and no ConfigMap", nil},
		{"a field that is never changed", strings.Replace(found(`input.resource`), "fix: none", "fix: {name: remove-field, kind: unsafe, args: {path: [metadata, ownerReferences]}}", 1), "custom.fix: it is never made: metadata.ownerReferences is not changed by a general fix", nil},
		{"a field that can be changed", strings.Replace(found(`input.resource`), "fix: none", "fix: {name: remove-field, kind: unsafe, args: {path: [data, a]}}", 1), "", nil},
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
