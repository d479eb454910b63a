package metadata

import (
	"os"
	"strings"
	"testing"
)

// TestHintsAreDocumented checks that docs/policies.md describes every key of the METADATA, and every name that stands for
// several kinds.
func TestHintsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range customKeys {
		if !strings.Contains(string(page), "`custom."+key+"`") {
			t.Errorf("docs/policies.md does not describe custom.%s", key)
		}
	}
	for name := range KindGroups {
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/policies.md does not describe the name %s for several kinds", name)
		}
	}
}
