package main

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	t.Parallel()
	r := &result{}
	r.Summary.Files, r.Summary.Documents = 1, 2
	r.Summary.Warnings, r.Summary.Fixed = 1, 3
	numbers := "0 errors, 1 warning and 0 notes in 1 file (2 documents). Fixed: 3.\n\n"
	text := summary{compared: "## What it allows\n", report: "## salint: Changes\n\n| a | b |\n", counts: counts(r)}
	for input, want := range map[string]string{
		summaryFull:  "## What it allows\n\n## salint: Changes\n\n| a | b |\n\n" + numbers,
		summaryShort: numbers,
		summaryOff:   "",
	} {
		if got := text.of(input); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", input, got, want)
		}
	}
}

// TestLongSummary checks that a summary that GitHub would not show loses whole sections from the end, and says so.
func TestLongSummary(t *testing.T) {
	t.Parallel()
	section := func(name string, size int) string {
		return "### " + name + "\n\n" + strings.Repeat("x\n", size/2) + "\n"
	}
	for name, c := range map[string]struct {
		report     string
		kept, gone string
		note       string
	}{
		"the last section is long": {
			"## salint\n\n" + section("First", 1000) + section("Second", maxSummary), "### First", "### Second", "so 1 section is left out",
		},
		"several are": {
			"## salint\n\n" + section("First", 1000) + section("Second", maxSummary) + section("Third", 10), "### First", "### Third", "so 2 sections are left out",
		},
		"the beginning is": {"## salint\n\n" + strings.Repeat("x\n", maxSummary) + section("First", 10), "", "### First", "so 2 sections are left out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := summary{report: c.report}.of(summaryFull)
			if len(got) > maxSummary+200 || !strings.Contains(got, c.kept) || strings.Contains(got, c.gone) || !strings.Contains(got, c.note) {
				t.Errorf("%d bytes, ending in %q", len(got), got[max(0, len(got)-300):])
			}
		})
	}
}
