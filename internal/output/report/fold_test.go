package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
)

func TestFoldedNotes(t *testing.T) {
	t.Parallel()
	note := func(rule string) finding.Finding {
		return finding.Finding{Rule: rule, Severity: finding.Note, Message: "about " + rule, File: "a.yaml"}
	}
	fixable := note("olm/fixable")
	fixable.Fix = &finding.Fix{Kind: finding.Prune, Description: "remove it"}
	r := &finding.Result{Findings: []finding.Finding{note("olm/a"), note("olm/b"), note("olm/a"), note("repo/not-checked"), fixable}}
	r.Summary.Count(r.Findings)
	for _, group := range []Grouping{ByCause, ByFile, ByRule, ByPlace} {
		text := func(fold bool) string {
			var b bytes.Buffer
			if err := Write(&b, "text", r, Options{FoldNotes: fold, Group: group}); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		folded := text(true)
		for _, want := range []string{"Not listed: 3 notes (2 olm/a and 1 olm/b). --verbose lists them.", "about repo/not-checked", "about olm/fixable", "5 notes"} {
			if !strings.Contains(folded, want) {
				t.Errorf("group %q: no %q in\n%s", group, want, folded)
			}
		}
		if strings.Contains(folded, "about olm/a") || strings.Contains(folded, "No problems") {
			t.Errorf("group %q:\n%s", group, folded)
		}
		if all := text(false); !strings.Contains(all, "about olm/a") || strings.Contains(all, "Not listed") {
			t.Errorf("group %q:\n%s", group, all)
		}
	}
}
