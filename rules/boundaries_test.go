package rules_test

import (
	"os"
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/olm"
)

// TestFactsAgreeWithTheTable checks the releases that messages about an unknown target name.
func TestFactsAgreeWithTheTable(t *testing.T) {
	t.Parallel()
	facts, err := os.ReadFile("../rego/lib/olm_facts.rego")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"required through ` + olm.RequiredThrough() + `"`, `"ignored from ` + olm.IgnoredFrom() + `"`} {
		if !strings.Contains(string(facts), want) {
			t.Errorf("olm_facts.rego does not contain %s", want)
		}
	}
}
