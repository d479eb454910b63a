package main

import (
	"fmt"
	"strings"
)

// summary returns the job summary in Markdown: the counts, and salint's report for pull requests, which is escaped and far
// below the 1 MiB that GitHub allows for a step's summary.
func summary(r *result, report string) string {
	return fmt.Sprintf("%s\n%s\n", strings.TrimSpace(report), counts(r))
}

func counts(r *result) string {
	s := r.Summary
	line := fmt.Sprintf("\n%s, %s and %s in %s (%s).", plural(s.Errors, "error"), plural(s.Warnings, "warning"),
		plural(s.Notes, "note"), plural(s.Files, "file"), plural(s.Documents, "document"))
	if s.Fixed > 0 {
		line += fmt.Sprintf(" Fixed: %d.", s.Fixed)
	}
	if n := r.fixable(); n > 0 {
		line += fmt.Sprintf(" `salint lint --fix` would resolve %d.", n)
	}
	if s.Suppressed > 0 {
		line += fmt.Sprintf(" Suppressed: %d.", s.Suppressed)
	}
	return line
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
