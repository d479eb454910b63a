package conditions

import (
	"os"
	"strings"
	"testing"
)

// TestConditionsAreDocumented checks that docs/policies.md describes every condition.
func TestConditionsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, condition := range Names() {
		if !strings.Contains(string(page), "\n| `"+condition+"` |") {
			t.Errorf("docs/policies.md does not describe the condition %s", condition)
		}
	}
}
