package action

import (
	"fmt"
	"strings"
)

// summaryLimit keeps well below the 1 MiB that GitHub allows a step's summary; above it, the whole summary is dropped.
const summaryLimit = 512 << 10

// summary is the job summary in Markdown: the counts, and the text report in a code block. The report quotes lines of
// manifests, which may hold Markdown or HTML; the fence is longer than any that the text could close it with.
func summary(r *result, report string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## salint\n\n%s\n", counts(r))
	if report = strings.TrimSpace(report); report != "" {
		text, cut := truncate(report, summaryLimit)
		fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
		fmt.Fprintf(&b, "\n%stext\n%s\n%s\n", fence, text, fence)
		if cut {
			b.WriteString("\nThe report is longer than a job summary may be: run `salint lint` for the rest.\n")
		}
	}
	return b.String()
}

func counts(r *result) string {
	s := r.Summary
	line := fmt.Sprintf("%s, %s and %s in %s (%s).", plural(s.Errors, "error"), plural(s.Warnings, "warning"),
		plural(s.Notes, "note"), plural(s.Files, "file"), plural(s.Documents, "document"))
	if s.Fixed > 0 {
		line += fmt.Sprintf(" Fixed: %d.", s.Fixed)
	}
	if n := r.fixable(); n > 0 {
		line += fmt.Sprintf(" `salint lint --fix` would mend %d.", n)
	}
	if s.Suppressed > 0 {
		line += fmt.Sprintf(" Silenced: %d.", s.Suppressed)
	}
	return line
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// truncate cuts text at the last line end before the limit.
func truncate(text string, limit int) (string, bool) {
	if len(text) <= limit {
		return text, false
	}
	end := strings.LastIndexByte(text[:limit], '\n')
	return text[:max(end, 0)], true
}

func longestRun(text string, char byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != char {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
