package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
)

func TestNotesAboutTheRunAreBrief(t *testing.T) {
	t.Parallel()
	unchecked := func(i int) finding.Finding {
		return finding.Finding{
			Rule: finding.RuleNotChecked.Name, Severity: finding.Note, Message: fmt.Sprintf("reason %c", 'a'+i), File: "a.yaml", Range: finding.Range{Line: 1 + i, Column: 1},
			Related: []finding.Related{{File: "b.yaml", Line: 1, Message: "why"}, {File: "c.yaml", Line: 1, Message: "not checked for this reason"}},
		}
	}
	unfixable := func(i int) finding.Finding {
		return finding.Finding{Rule: finding.RuleUnfixable.Name, Severity: finding.Note, Message: fmt.Sprintf("stays, %c", 'a'+i), File: "d.yaml"}
	}
	for name, test := range map[string]struct {
		unchecked, unfixable int
		lines                int
		want, not            string
	}{
		"few":             {2, 1, 7, "= see c.yaml:1", "Not listed"},
		"many":            {4, 1, 5, "reason a (and 1 more file) [repo/not-checked]", "= see c.yaml:1"},
		"too many":        {6, 6, 7, "Not listed: 6 notes (repo/unfixable). --verbose lists them.", "stays"},
		"many, not fixed": {0, 10, 10, "stays, a", "Not listed"},
	} {
		r := &finding.Result{}
		for i := range test.unchecked {
			r.Findings = append(r.Findings, unchecked(i))
		}
		for i := range test.unfixable {
			r.Findings = append(r.Findings, unfixable(i))
		}
		r.Summary.Count(r.Findings)
		var b bytes.Buffer
		if err := Write(&b, "text", r, Options{FoldNotes: true, Quiet: true}); err != nil {
			t.Fatal(err)
		}
		text, lines := b.String(), 0
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if lines != test.lines || !strings.Contains(text, test.want) || strings.Contains(text, test.not) {
			t.Errorf("%s: %d lines, want %d with %q and without %q\n%s", name, lines, test.lines, test.want, test.not, text)
		}
	}
}
