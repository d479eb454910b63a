package fixers

import (
	"os"
	"strings"
	"testing"

	"github.com/salint/salint/rules"
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
	for i, f := range table {
		if i > 0 && table[i-1].Name >= f.Name {
			t.Errorf("%s stands behind %s: sort the table by name", f.Name, table[i-1].Name)
		}
		if f.Plan != nil && (f.Template == nil) == (f.ByHand == "") {
			t.Errorf("%s needs either an edit of templates or advice for them", f.Name)
		}
		if !requested[f.Name] {
			t.Errorf("no rule requests %s", f.Name)
		}
		if !strings.Contains(string(page), "`"+f.Name+"`") {
			t.Errorf("docs/policies.md does not name %s", f.Name)
		}
	}
}
