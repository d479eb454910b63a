package judging

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
)

// TestFailuresAreFindings checks that each failure of a rule is one finding, and that a rule that was stopped is one at the first object,
// whatever the sequence in which they were evaluated.
func TestFailuresAreFindings(t *testing.T) {
	t.Parallel()
	fail := func(rule, file string, stopped bool, stack string) Failure {
		return Failure{finding.Finding{Rule: finding.RuleFailed.Name, File: file, Message: rule + " failed"}, rule, stopped, stack}
	}
	out := new(Result)
	out.AddFailures([]Failure{
		fail("custom/slow", "b.yaml", true, ""), fail("custom/slow", "a.yaml", true, ""), fail("custom/odd", "b.yaml", false, "stack"),
		fail("custom/odd", "a.yaml", false, "stack"), fail("custom/odd", "a.yaml", false, "stack"),
	})
	var got []string
	for _, f := range out.Failed {
		got = append(got, f.File+" "+f.Message)
	}
	if want := "a.yaml custom/odd failed, a.yaml custom/slow failed, b.yaml custom/odd failed"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if !out.Incomplete || len(out.Stacks) != 1 {
		t.Errorf("incomplete is %t, stacks %v", out.Incomplete, out.Stacks)
	}
	if empty := new(Result); empty.Incomplete {
		t.Error("an outcome without failures is incomplete")
	}
}
