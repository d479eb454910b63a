package report

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// byFile prints the findings of each file that are not fixed under its name, in the order of their lines.
func (t *text) byFile(findings []finding.Finding) {
	var files []string
	of := map[string][]finding.Finding{}
	for _, c := range inPlace(findings) {
		file := c.first.File
		if of[file] == nil {
			files = append(files, file)
		}
		of[file] = append(of[file], c.first)
	}
	for _, file := range files {
		fmt.Fprintf(t.w, "%s: %s\n", t.paint(bold, t.place(file, 0, 0)), words.Count(len(of[file]), "finding"))
		for _, f := range of[file] {
			fmt.Fprintf(t.w, "  %d:%d: %s: %s %s\n", f.Range.Line, f.Range.Column, t.paint(severityStyle(f.Severity), f.Severity.String()),
				safetext.Text(f.Message), t.paint(faint, "["+safetext.Text(f.Rule)+"]"))
			for _, note := range t.notes(f) {
				fmt.Fprintf(t.w, "  %s%s %s\n", strings.Repeat(" ", 2), t.paint(blue, "="), note)
			}
		}
		fmt.Fprintln(t.w)
	}
}
