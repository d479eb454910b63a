package fleet

import (
	"fmt"
	"io"
	"slices"

	"github.com/salint/salint/internal/base/safetext"
)

// WriteFailures writes why the report is not about all repositories. A format with one row for each finding has no
// place for the details.
func (f *Fleet) WriteFailures(w io.Writer, format string) {
	t := f.Totals()
	fmt.Fprintf(w, "salint: the report is not about all repositories: reports that are not counted: %d, missing repositories: %d, repositories that failed in part: %d, partial: %d, stale: %d\n",
		len(f.Problems), t.Missing, t.Failed, t.Partial, t.Stale)
	if !slices.Contains([]string{"csv", "ndjson", "sarif", "manifest"}, format) {
		return
	}
	for _, p := range f.Problems {
		fmt.Fprintf(w, "salint: %s %s\n", safetext.Text(p.File), safetext.Text(p.Text))
	}
	for _, m := range f.Missing {
		fmt.Fprintf(w, "salint: missing: %s: %s\n", safetext.Text(m.Name), m.Why)
	}
	for _, r := range f.stale() {
		fmt.Fprintf(w, "salint: %s: its report %s (%s)\n", safetext.Text(r.Name), safetext.Text(r.Stale), safetext.Text(r.File))
	}
	for _, r := range f.partial() {
		fmt.Fprintf(w, "salint: %s: the run was limited to %s (%s)\n", safetext.Text(r.Name), safetext.Text(r.selection().String()), safetext.Text(r.File))
	}
	for _, r := range f.Repositories {
		if r.Incomplete {
			fmt.Fprintf(w, "salint: %s: a part of the run failed (%s)\n", safetext.Text(r.Name), safetext.Text(r.File))
		}
	}
}
