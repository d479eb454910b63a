package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/reading"
)

// The round after the last that writes can still plan fixes. They are not written, so their findings are open.
func TestFixesOfTheLastRoundAreNotReportedAsApplied(t *testing.T) {
	applied := finding.Finding{Rule: "a/b", File: "a.yaml", Fix: &finding.Fix{Kind: finding.Safe, Applied: true, Description: "remove x"}}
	r := &roundResults{tree: reading.NewEditedTree(nil), fixed: []finding.Finding{applied}}
	out := &Outcome{Findings: []finding.Finding{applied}}
	r.report(out, &Outcome{}, nil)
	var states []bool
	for _, f := range out.Findings {
		states = append(states, f.Fix.Applied)
	}
	if diff := cmp.Diff([]bool{true, false}, states); diff != "" {
		t.Errorf("applied, in an earlier round and in the last (-want +got):\n%s", diff)
	}
	if !applied.Fix.Applied {
		t.Error("the finding of the earlier round was changed")
	}
	if out.Summary.Fixed != 1 {
		t.Errorf("%d findings are counted as fixed, want 1", out.Summary.Fixed)
	}
}
