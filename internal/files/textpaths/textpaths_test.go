package textpaths_test

import (
	"testing"

	"github.com/salint/salint/internal/files/textpaths"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file, text, target string
		want               textpaths.Place
		found              bool
	}{
		"from the root":             {"Makefile", "all:\n\tkubectl apply -f deploy/rbac.yaml\n", "deploy/rbac.yaml", at("Makefile", 2), true},
		"from the folder":           {"infra/run.sh", "kubectl apply -f ./rbac.yaml", "infra/rbac.yaml", at("infra/run.sh", 1), true},
		"above the folder":          {"ci/run.sh", "kubectl apply -f ../deploy/rbac.yaml", "deploy/rbac.yaml", at("ci/run.sh", 1), true},
		"another folder":            {"Makefile", "kubectl apply -f deploy/rbac.yaml", "other/rbac.yaml", textpaths.Place{}, false},
		"the end of a name":         {"Makefile", "kubectl apply -f deploy/my-rbac.yaml", "deploy/rbac.yaml", textpaths.Place{}, false},
		"after an equals sign":      {"Makefile", "kubectl apply --filename=deploy/rbac.yaml", "deploy/rbac.yaml", at("Makefile", 1), true},
		"a variable of make":        {"Makefile", "kubectl apply -f $(DIR)/rbac.yaml", "deploy/rbac.yaml", at("Makefile", 1), true},
		"a variable of a shell":     {"run.sh", "kubectl apply -f $DIR/rbac.yaml", "deploy/rbac.yaml", at("run.sh", 1), true},
		"a module of Terraform":     {"infra/main.tf", `file("${path.module}/m/rbac.yaml")`, "infra/m/rbac.yaml", at("infra/main.tf", 1), true},
		"a variable elsewhere":      {"infra/main.tf", `file("${path.module}/rbac.yaml")`, "deploy/rbac.yaml", textpaths.Place{}, false},
		"a change of the folder":    {"Makefile", "cd deploy\nkubectl apply -f rbac.yaml", "deploy/rbac.yaml", at("Makefile", 2), true},
		"no change of the folder":   {"Makefile", "kubectl apply -f rbac.yaml", "deploy/rbac.yaml", textpaths.Place{}, false},
		"a URL":                     {"README.md", "kubectl apply -f https://raw.example.com/team/repo/main/deploy/rbac.yaml", "deploy/rbac.yaml", at("README.md", 1), true},
		"documentation of the file": {"README.md", "* `deploy/rbac.yaml` has the account", "deploy/rbac.yaml", textpaths.Place{File: "README.md", Line: 1, Document: true}, true},
		"a command comes first":     {"README.md", "See deploy/rbac.yaml.\noc apply -f deploy/rbac.yaml", "deploy/rbac.yaml", at("README.md", 2), true},
		"a folder":                  {"Makefile", "kubectl apply -f deploy/", "deploy", at("Makefile", 1), true},
		"a folder further down":     {"Makefile", "kubectl apply -k overlays/prod", "overlays/prod", at("Makefile", 1), true},
		"a variable in the name":    {"run.sh", "for f in ce rbac; do kubectl apply -f m/$f.yaml; done", "m/rbac.yaml", by("run.sh"), true},
		"a variable as the name":    {"run.sh", "kubectl apply -f m/$f", "m/rbac.yaml", by("run.sh"), true},
		"a variable, other folder":  {"run.sh", "kubectl apply -f m/$f.yaml", "n/rbac.yaml", textpaths.Place{}, false},
		"a variable, other type":    {"run.sh", "kubectl apply -f m/$f.yaml", "m/rbac.json", textpaths.Place{}, false},
		"only variables":            {"run.sh", "kubectl apply -f $d/$f", "m/rbac.yaml", textpaths.Place{}, false},
		"a loop of make":            {"Makefile", "M = m\n\tkubectl apply -f $(M)/$$x.yaml", "m/rbac.yaml", textpaths.Place{File: "Makefile", Line: 2, Pattern: true}, true},
		"addprefix of make":         {"Makefile", "F := $(addprefix m/,$(addsuffix .yaml,$(NAMES)))", "m/rbac.yaml", by("Makefile"), true},
		"addsuffix of make":         {"Makefile", "F := $(addsuffix .yaml,$(addprefix m/,$(NAMES)))", "m/rbac.yaml", by("Makefile"), true},
		"addprefix of names":        {"Makefile", "F := $(addprefix m/,$(addsuffix .yaml,ce rbac))", "m/rbac.yaml", by("Makefile"), true},
		"addprefix, other folder":   {"Makefile", "F := $(addprefix m/,$(addsuffix .yaml,$(NAMES)))", "n/rbac.yaml", textpaths.Place{}, false},
		"foreach of make":           {"Makefile", "\tkubectl apply $(foreach n,$(NAMES),-f m/$(n).yaml)", "m/rbac.yaml", by("Makefile"), true},
		"a substitution of make":    {"Makefile", "\tkubectl apply $(NAMES:%=-f m/%.yaml)", "m/rbac.yaml", by("Makefile"), true},
		"an item of a dictionary":   {"run.py", `apply(f"m/{d['name']}.yaml")`, "m/rbac.yaml", by("run.py"), true},
		"an item of Ansible":        {"playbook.yml", `src: "m/{{ item['name'] }}.yaml"`, "m/rbac.yaml", by("playbook.yml"), true},
		"another folder of make":    {"Makefile", "M = n\n\tkubectl apply -f $(M)/$$x.yaml", "m/rbac.yaml", textpaths.Place{}, false},
		"a loop of Ansible":         {"playbook.yml", `src: "m/{{ item }}.yaml"`, "m/rbac.yaml", by("playbook.yml"), true},
		"a matrix":                  {".github/workflows/x.yml", "run: envsubst < m/${{ matrix.f }}.yaml", "m/rbac.yaml", by(".github/workflows/x.yml"), true},
		"for_each of Terraform":     {"i/main.tf", `file("${path.module}/m/${each.key}.yaml")`, "i/m/rbac.yaml", by("i/main.tf"), true},
		"join of Python":            {"run.py", `["kubectl", "apply", "-f", os.path.join("m", n + ".yaml")]`, "m/rbac.yaml", by("run.py"), true},
		"join with a variable":      {"run.py", `apply(os.path.join("m", n))`, "m/rbac.yaml", by("run.py"), true},
		"a formatted string":        {"run.py", `apply(Path("m") / f"{n}.yaml")`, "m/rbac.yaml", by("run.py"), true},
		"an old formatted string":   {"run.py", `apply("m/%s.yaml" % n)`, "m/rbac.yaml", by("run.py"), true},
		"a sum of strings":          {"run.js", `apply('m/' + n + '.yaml')`, "m/rbac.yaml", by("run.js"), true},
		"a template of JavaScript":  {"run.js", "apply(`m/${f}.yaml`)", "m/rbac.yaml", by("run.js"), true},
		"braces of a shell":         {"run.sh", "kubectl apply -f m/{ce,rbac}.yaml", "m/rbac.yaml", by("run.sh"), true},
		"PowerShell":                {"run.ps1", `kubectl apply -f "m/$f.yaml"`, "m/rbac.yaml", by("run.ps1"), true},
		"a narrow glob":             {"run.sh", "for f in m/[0-9]*.yaml; do", "m/10-rbac.yaml", by("run.sh"), true},
		"a glob with a beginning":   {"skaffold.yaml", "rawYaml: [m/ce.yaml, m/rb*.yaml]", "m/rbac.yaml", by("skaffold.yaml"), true},
		"a glob of all files":       {"run.sh", "for f in m/*.yaml; do", "m/rbac.yaml", textpaths.Place{}, false},
		"an embedded file":          {"x/main.go", "//go:embed m/rbac.yaml", "x/m/rbac.yaml", at("x/main.go", 1), true},
		"an embedded folder":        {"x/main.go", "//go:embed a.txt all:m", "x/m/n/rbac.yaml", at("x/main.go", 1), true},
		"an embedded pattern":       {"main.go", "//go:embed m/*.yaml", "m/rbac.yaml", by("main.go"), true},
		"not embedded":              {"x/main.go", "//go:embed m/rbac.yaml", "m/rbac.yaml", textpaths.Place{}, false},
		"a name in a program":       {"main.go", `open("m/rbac.yaml")`, "m/rbac.yaml", textpaths.Place{}, false},
		"no extension":              {"bin/deploy", "kubectl apply -f deploy/rbac.yaml", "deploy/rbac.yaml", at("bin/deploy", 1), true},
		"importstr of Jsonnet":      {"x/app.jsonnet", "[importstr 'm/rbac.yaml']", "x/m/rbac.yaml", at("x/app.jsonnet", 1), true},
		"a label of Bazel":          {"BUILD.bazel", `srcs = ["//deploy:rbac.yaml"]`, "deploy/rbac.yaml", at("BUILD.bazel", 1), true},
		"a notebook":                {"x.ipynb", `"source": ["!kubectl apply -f deploy/rbac.yaml\n"]`, "deploy/rbac.yaml", at("x.ipynb", 1), true},
		"a path of Windows":         {"Main.cs", `File.Open(@"deploy\rbac.yaml")`, "deploy/rbac.yaml", at("Main.cs", 1), true},
		"a setting":                 {".env", "MANIFEST=deploy/rbac.yaml", "deploy/rbac.yaml", at(".env", 1), true},
		"a document of no type":     {"README", "The file deploy/rbac.yaml", "deploy/rbac.yaml", textpaths.Place{File: "README", Line: 1, Document: true}, true},
		"a word that is no folder":  {"Makefile", "deploy: all", "deploy", textpaths.Place{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var x textpaths.Index
			x.Add(test.file, []byte(test.text))
			if got, found := x.Find(test.target); got != test.want || found != test.found {
				t.Errorf("Find(%q) = %v, %v; want %v, %v", test.target, got, found, test.want, test.found)
			}
		})
	}
}

// A path that leads to a file names no other file that ends like it.
func TestFindAmongNamesakes(t *testing.T) {
	t.Parallel()
	exists := func(target string) bool {
		return target == "deploy" || target == "deploy/rbac.yaml" || target == "x/deploy/rbac.yaml"
	}
	for name, test := range map[string]struct {
		file, text, target string
		found              bool
	}{
		"the file itself":                {"Makefile", "kubectl apply -f deploy/rbac.yaml", "deploy/rbac.yaml", true},
		"a namesake":                     {"Makefile", "kubectl apply -f deploy/rbac.yaml", "app/deploy/rbac.yaml", false},
		"a namesake and a change":        {"Makefile", "cd app && kubectl apply -f deploy/rbac.yaml", "app/deploy/rbac.yaml", true},
		"a folder with a namesake":       {"Makefile", "kubectl apply -f deploy/", "app/deploy", false},
		"a variable":                     {"Makefile", "kubectl apply -f $(DIR)/deploy/rbac.yaml", "app/deploy/rbac.yaml", true},
		"no such file beside the text":   {"Makefile", "kubectl apply -f overlays/rbac.yaml", "app/overlays/rbac.yaml", true},
		"beside a Makefile":              {"x/Makefile", "kubectl apply -f deploy/rbac.yaml", "x/deploy/rbac.yaml", true},
		"at the root, for a Makefile":    {"x/Makefile", "kubectl apply -f deploy/rbac.yaml", "deploy/rbac.yaml", false},
		"at the root, for a script":      {"x/run.sh", "kubectl apply -f deploy/rbac.yaml", "deploy/rbac.yaml", true},
		"at the root, for one elsewhere": {"y/Makefile", "kubectl apply -f deploy/rbac.yaml", "deploy/rbac.yaml", true},
	} {
		x := textpaths.Index{Exists: exists}
		x.Add(test.file, []byte(test.text))
		if place, found := x.Find(test.target); found != test.found {
			t.Errorf("%s: Find(%q) = %v, %v; want %v", name, test.target, place, found, test.found)
		}
	}
}

func at(file string, line int) textpaths.Place { return textpaths.Place{File: file, Line: line} }

func by(file string) textpaths.Place { return textpaths.Place{File: file, Line: 1, Pattern: true} }

func TestIsText(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		"Makefile": true, "build/Makefile.common": true, "hack/run.sh": true, "main.tf": true, "README.md": true, "CHANGELOG.md": false,
		".github/workflows/e2e.yml": true, "deploy/rbac.yaml": false, "skaffold.yaml": true, "fleet.yaml": true, "main.go": true, "vendor/x/main.go": false,
		"ansible/tasks/main.yml": true, "helmfile.yaml.gotmpl": true, "LICENSE": false,
		"bin/deploy": true, "test/e2e.bats": true, "app.jsonnet": true, "BUILD.bazel": true, ".envrc": true, "Procfile": true, "x.ipynb": true,
		"Main.java": true, "x.yaml.j2": true, ".gitignore": false, ".gitattributes": false, "go.sum": false, "node_modules/x/bin/deploy": false,
	} {
		if got := textpaths.IsText(file); got != want {
			t.Errorf("IsText(%q) = %v; want %v", file, got, want)
		}
	}
}
