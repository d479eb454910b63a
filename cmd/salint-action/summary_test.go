package main

import "testing"

func TestSummary(t *testing.T) {
	t.Parallel()
	r := &result{}
	r.Summary.Files, r.Summary.Documents = 1, 2
	r.Summary.Warnings, r.Summary.Fixed = 1, 3
	got := summary(r, "## salint: Changes\n\n| a | b |\n")
	want := "## salint: Changes\n\n| a | b |\n\n0 errors, 1 warning and 0 notes in 1 file (2 documents). Fixed: 3.\n"
	if got != want {
		t.Errorf("summary:\n%s\nwant:\n%s", got, want)
	}
}
