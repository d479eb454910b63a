package finding

import "testing"

func TestLimits(t *testing.T) {
	t.Parallel()
	for want, run := range map[string]Run{
		"": {Date: "2026-01-31", Settings: "ab", Silencing: Silencing{Baseline: "baseline.json", Implied: []string{"bundle/**"}}, WorkTree: WorkTree{Compared: true}},
		"Run: limited to paths a, --only token/*.": {Selection: Selection{Paths: []string{"a"}, Only: []string{"token/*"}}},
		"Run: with 1 rule off and 2 findings in the baseline; 1 file differs from the commit.": {
			Silencing: Silencing{RulesOff: []string{"olm/a"}, Known: 2}, WorkTree: WorkTree{Changed: 1},
		},
		"Run: 2 files read from the index of a sparse checkout.": {WorkTree: WorkTree{LeftOut: 2}},
		"Run: 2 files in the repository shop differ from the commit; 1 file in the repository fleet read from the index of a sparse checkout.": {
			Repositories: []RunRepository{{Name: "shop", WorkTree: WorkTree{Changed: 2}}, {Name: "fleet", WorkTree: WorkTree{LeftOut: 1}}},
		},
	} {
		if got := run.Limits(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestSentenceHasLimits(t *testing.T) {
	t.Parallel()
	run := Run{Date: "2026-01-31", Commit: "1f", Selection: Selection{ChangedSince: "main"}, Settings: "0123456789abcdef0123", WorkTree: WorkTree{Changed: 1, LeftOut: 3}}
	want := "Run: 2026-01-31; salint 0.1.0 (1f); commit 2e; limited to --changed-since main; 1 file differs from the commit; " +
		"3 files read from the index of a sparse checkout; settings sha256:0123456789abcdef."
	if got := run.Sentence("0.1.0", "2e"); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := (Run{Selection: run.Selection}).Sentence("0.1.0", "2e"); got != "" {
		t.Errorf("a run without a record is %q", got)
	}
}
