package main

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/words"
)

// summary is the job summary in Markdown, in parts.
type summary struct {
	// settings are changes to what is checked, compared is what the change allows, report is salint's report for pull requests, counts
	// are the numbers of findings, and unknown is what could not be compared. Each can be missing.
	settings, compared, report, counts, unknown string
	// isPower is set if the change allows something, from the minimum severity on.
	isPower bool
}

// maxSummary is less than the 1 MiB from which on GitHub shows no summary at all.
const maxSummary = 1000 << 10

// of returns the summary for a value of the input summary.
func (s summary) of(input string) string {
	var parts []string
	switch input {
	case summaryFull:
		parts = []string{s.settings, s.compared, s.report, s.counts, s.unknown}
	case summaryShort:
		parts = []string{s.settings, s.counts, s.unknown}
	}
	text := ""
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			text += part + "\n\n"
		}
	}
	if len(text) > maxSummary {
		return shortened(text)
	}
	return text
}

// shortened leaves out whole sections from the end until the summary is small enough, and says so. What the change allows and the
// gravest findings come first.
func shortened(text string) string {
	sections := strings.SplitAfter(text, "\n### ")
	const note = "The summary is longer than GitHub allows, so %s left out. The log of this step has all findings.\n"
	kept := sections[0]
	left := len(sections) - 1
	for _, section := range sections[1:] {
		if len(kept)+len(section)+len(note) > maxSummary {
			break
		}
		kept += section
		left--
	}
	if len(kept) > maxSummary {
		kept, left = "", left+1
	}
	return strings.TrimSuffix(kept, "### ") + "\n" + fmt.Sprintf(note, words.Count(left, "section")+map[bool]string{true: " is", false: " are"}[left == 1])
}

func counts(r *result) string {
	s := r.Summary
	line := fmt.Sprintf("\n%s, %s and %s in %s (%s).", words.Count(s.Errors, "error"), words.Count(s.Warnings, "warning"),
		words.Count(s.Notes, "note"), words.Count(s.Files, "file"), words.Count(s.Documents, "document"))
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
