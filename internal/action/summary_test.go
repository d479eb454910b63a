package action

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	t.Parallel()
	r := &result{}
	r.Summary.Files, r.Summary.Documents = 1, 2
	r.Summary.Warnings, r.Summary.Fixed = 1, 3
	got := summary(r, "a.yaml:1:1 text\n")
	want := "## salint\n\n0 errors, 1 warning and 0 notes in 1 file (2 documents). Fixed: 3.\n" +
		"\n```text\na.yaml:1:1 text\n```\n"
	if got != want {
		t.Errorf("summary:\n%s\nwant:\n%s", got, want)
	}
}

func TestSummaryFenceCannotBeClosed(t *testing.T) {
	t.Parallel()
	got := summary(&result{}, "before\n````\n<img src=x>\n")
	if want := "\n`````text\nbefore\n````\n<img src=x>\n`````\n"; !strings.HasSuffix(got, want) {
		t.Errorf("summary:\n%s\nwant it to end in:\n%s", got, want)
	}
}

func TestSummaryStaysBelowTheLimit(t *testing.T) {
	t.Parallel()
	got := summary(&result{}, strings.Repeat("0123456789\n", summaryLimit/10))
	if len(got) > summaryLimit+1000 {
		t.Errorf("summary has %d bytes", len(got))
	}
	if !strings.Contains(got, "longer than a job summary") {
		t.Error("a summary that was cut must say so")
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, want string
		limit      int
		cut        bool
	}{
		{"short", "short", 5, false},
		{"one\ntwo\n", "one", 6, true},
		{"one line too long", "", 4, true},
	}
	for _, test := range tests {
		if got, cut := truncate(test.text, test.limit); got != test.want || cut != test.cut {
			t.Errorf("truncate(%q, %d) = %q, %t", test.text, test.limit, got, cut)
		}
	}
}
