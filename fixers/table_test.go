package fixers

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/fixes"
)

// TestTable checks that each fixer is complete, documented, and requested by a rule, and that rules request only fixers in
// the table.
func TestTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	requested := map[string]bool{}
	for _, rule := range registry.Rules() {
		name := rule.Fix.Name
		requested[name] = true
		if _, known := find(name); name != "" && !known {
			t.Errorf("rule %s requests the fixer %s, which is not in the table", rule.Name, name)
		}
	}
	for _, name := range requestedByCases(t) {
		requested[name] = true
	}
	var names []string
	for _, f := range fixes.All() {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff(Names(), names); diff != "" {
		t.Errorf("package fixes lists other fixers (-table +list):\n%s", diff)
	}
	for i, f := range table {
		if i > 0 && table[i-1].Name >= f.Name {
			t.Errorf("%s stands behind %s: sort the table by name", f.Name, table[i-1].Name)
		}
		if f.Plan != nil && (f.Template == nil) == (f.ByHand == "") {
			t.Errorf("%s needs either an edit of templates or advice for them", f.Name)
		}
		if !requested[f.Name] && len(argumentsOf(f.Name)) == 0 {
			t.Errorf("no rule requests %s", f.Name)
		}
		if !strings.Contains(string(page), "`"+f.Name+"`") {
			t.Errorf("docs/policies.md does not name %s", f.Name)
		}
	}
}

// argumentsOf returns the arguments of a fixer. Those with arguments are for rules of users.
func argumentsOf(name string) []string {
	for _, f := range fixes.All() {
		if f.Name == name {
			return f.Arguments
		}
	}
	return nil
}

// requestedByCases returns the fixers that rules request for some of their cases only, in Rego and not in METADATA.
func requestedByCases(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../rego/*/*.rego")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range withFix.FindAllSubmatch(text, -1) {
			names = append(names, string(found[1]))
		}
	}
	return names
}

var withFix = regexp.MustCompile(`lib\.with_fix\([^"]*"([a-z-]+)"`)
