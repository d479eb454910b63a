package report

import (
	"bufio"
	"fmt"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/fixtext"
)

// writeCompact writes a line for each finding, without source, and nothing else: file:line:column: severity: message [rule].
func writeCompact(w *bufio.Writer, r *finding.Result, o Options) error {
	t := &text{painter: painter(o.Color), w: w, o: o, paths: pathsOf(r)}
	for _, f := range r.Findings {
		if f.Fixed() {
			t.header(f, t.paint(green, fixedLabel(f, t.paths)), fixtext.Made(f.Fix))
			continue
		}
		t.header(f, t.paint(severityStyle(f.Severity), f.Severity.String()), f.Message)
	}
	for _, f := range r.Suppressed {
		t.header(f, t.paint(faint, "suppressed "+f.Severity.String()), f.Message+" ("+suppressedBy(f.Suppression, t.paths)+")")
	}
	if r.Summary.Unchecked != "" {
		fmt.Fprintln(w, r.Coverage().Gap())
	}
	return nil
}
