package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// foldNotes separates the notes that the text format does not list unless they are asked for. What repo/* reports stays: that something
// was not checked, not fixed, or has no effect. So does a note that a fix can resolve.
func foldNotes(findings []finding.Finding) (listed, folded []finding.Finding) {
	for _, f := range findings {
		if f.Severity == finding.Note && f.Fix == nil && !strings.HasPrefix(f.Rule, "repo/") {
			folded = append(folded, f)
		} else {
			listed = append(listed, f)
		}
	}
	return listed, folded
}

// folded prints the number of notes that are not listed, by rule, and how to list them.
func (t *text) folded(notes []finding.Finding) {
	if len(notes) == 0 {
		return
	}
	counts := map[string]int{}
	var rules []string
	for _, f := range notes {
		if counts[f.Rule]++; counts[f.Rule] == 1 {
			rules = append(rules, f.Rule)
		}
	}
	slices.SortFunc(rules, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	for i, rule := range rules {
		if rules[i] = safetext.Text(rule); len(rules) == 1 {
			break
		}
		rules[i] = fmt.Sprintf("%d %s", counts[rule], safetext.Text(rule))
	}
	const most = 5
	fmt.Fprintf(t.w, "Not listed: %s (%s). --verbose lists them.\n", words.Count(len(notes), "note"), finding.List(rules, most))
	if !t.o.Quiet {
		fmt.Fprintln(t.w)
	}
}
