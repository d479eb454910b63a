package session

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/fixing"
)

// TestOnlySelectedFindingsAreFixed checks that Fixes.Only leaves the fixes of other findings out, in every round.
func TestOnlySelectedFindingsAreFixed(t *testing.T) {
	t.Parallel()
	files := tree{
		"a.yaml": extensionWithAccount,
		"b.yaml": strings.ReplaceAll(extensionWithAccount, "harbor", "vault"),
	}
	fixes := fixing.Fixes{Apply: true, Prove: true}
	if out := lintReusing(t, files, fixes, nil); len(out.Writes) != 2 {
		t.Fatalf("%d changes, want 2: %v", len(out.Writes), textOfOutcome(t, out))
	}
	fixes.Only = func(f finding.Finding) bool { return f.File == "b.yaml" }
	out := lintReusing(t, files, fixes, nil)
	if len(out.Writes) != 1 || out.Writes[0].Path != "b.yaml" {
		t.Errorf("%d changes, want that of b.yaml: %v", len(out.Writes), textOfOutcome(t, out))
	}
	for _, f := range out.Findings {
		if f.File == "a.yaml" && f.Fix != nil && f.Fix.Applied {
			t.Errorf("fixed: %s", f.Message)
		}
	}
}
