package fixing

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/judging"
)

// TestUnfixableNotes groups the notes on findings of many charts. A group with a note in the baseline is not reported.
func TestUnfixableNotes(t *testing.T) {
	t.Parallel()
	note := func(file, message string) finding.Finding {
		return finding.Finding{Rule: "repo/unfixable", File: file, Message: message, Range: finding.Range{Line: 3}}
	}
	a, b, c := note("a.yaml", "pod/x is not fixed: a"), note("b.yaml", "pod/x is not fixed: b"), note("c.yaml", "pod/x is not fixed: c")
	other := note("a.yaml", "pod/y is not fixed: a")
	alone := note("d.yaml", "pod/x is not fixed: d")
	commented, inBaseline := judging.NewSilenced([]finding.Finding{a}, nil), judging.NewSilenced(nil, []finding.Finding{a})
	for name, test := range map[string]struct {
		silence judging.Silenced
		want    []string
	}{
		"all": {want: []string{
			"a.yaml: pod/x is not fixed: a. The same reason applies to 2 more findings, the next one at b.yaml:3",
			"a.yaml: pod/y is not fixed: a", "d.yaml: pod/x is not fixed: d",
		}},
		"one has a comment": {commented, []string{
			"b.yaml: pod/x is not fixed: b. The same reason applies to 1 more finding, the next one at c.yaml:3",
			"a.yaml: pod/y is not fixed: a", "d.yaml: pod/x is not fixed: d",
		}},
		"the baseline has one": {inBaseline, []string{"a.yaml: pod/y is not fixed: a", "d.yaml: pod/x is not fixed: d"}},
	} {
		var left unfixableNotes
		for _, n := range []finding.Finding{c, a, other, b, a} {
			left.add(n, "chart", test.silence)
		}
		left.add(alone, "", test.silence)
		var got []string
		for _, n := range left.notes() {
			got = append(got, n.File+": "+n.Message)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}
