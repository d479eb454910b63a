package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// byRule prints the open findings of each rule together, the worst rules first, with the explanation of the rule once.
func (t *text) byRule(r *finding.Result) {
	for _, g := range groupsOf(r, t.o) {
		title := cmp.Or(g.Rule.Title, g.Rule.Name)
		fmt.Fprintf(t.w, "%s %s: %s, %s\n", t.paint(severityStyle(g.Severity), g.Severity.String()), t.paint(bold, safetext.Text(g.Rule.Name)),
			safetext.Text(title), words.Count(len(g.Findings), "finding"))
		if explanation := firstParagraph(g.Rule.Description); explanation != "" {
			fmt.Fprintf(t.w, "  %s\n", safetext.Text(strings.Join(strings.Fields(explanation), " ")))
		}
		for _, f := range g.Findings {
			place := t.place(f.File, f.Range.Line, f.Range.Column)
			fmt.Fprintf(t.w, "  %s: %s\n", t.paint(bold, cmp.Or(place, "-")), safetext.Text(f.Message))
			for _, note := range t.notes(f) {
				fmt.Fprintf(t.w, "    %s %s\n", t.paint(blue, "="), note)
			}
		}
		fmt.Fprintln(t.w)
	}
}

// statistics prints a table with the number of findings of each rule, instead of the findings.
func (t *text) statistics(r *finding.Result) {
	groups := groupsOf(r, t.o)
	if len(groups) == 0 {
		return
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(len(b.Findings), len(a.Findings)), cmp.Compare(a.Rule.Name, b.Rule.Name))
	})
	width := len("rule")
	for _, g := range groups {
		width = max(width, utf8.RuneCountInString(safetext.Text(g.Rule.Name)))
	}
	fmt.Fprintf(t.w, "%-*s  %8s  %8s  %8s  %8s  %8s\n", width, "rule", "errors", "warnings", "notes", "fixable", "files")
	for _, g := range groups {
		counts, fixable, files := map[finding.Severity]int{}, 0, map[string]bool{}
		for _, f := range g.Findings {
			counts[f.Severity]++
			files[f.File] = true
			if f.Fix != nil {
				fixable++
			}
		}
		fmt.Fprintf(t.w, "%-*s  %8d  %8d  %8d  %8d  %8d\n", width, safetext.Text(g.Rule.Name),
			counts[finding.Error], counts[finding.Warning], counts[finding.Note], fixable, len(files))
	}
	fmt.Fprintln(t.w)
}
