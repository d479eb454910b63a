package silence

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/regular"
)

func TestBaseline(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "baseline.json")
	old := []finding.Finding{at("olm/x", 5), at("olm/x", 9), at("pod/z", 3)}
	if err := WriteBaseline(path, old); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(old)
	if err := WriteBaseline(path, old); err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(path)
	if diff := cmp.Diff(string(first), string(second)); diff != "" || err != nil {
		t.Error(err, diff)
	}
	b, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	// Lines have moved, one finding is gone, two are new: one of another rule and a third one like those known.
	now := []finding.Finding{at("olm/x", 15), at("olm/x", 19), at("olm/x", 25), at("olm/y", 3)}
	kept, hidden := b.Apply(now)
	if diff := cmp.Diff([]string{"x.yaml:25 olm/x ", "x.yaml:3 olm/y "}, show(kept)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"x.yaml:15 olm/x ", "x.yaml:19 olm/x "}, show(hidden)); diff != "" {
		t.Error(diff)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: a temporary file remained", entries, err)
	}
}

func TestBaselineLayout(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "baseline.json")
	if err := WriteBaseline(path, []finding.Finding{at("olm/x", 5), at("olm/x", 9)}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	want := `{
  "schemaVersion": "2",
  "findings": [
    {
      "fingerprint": "` + at("olm/x", 1).Fingerprint() + `",
      "rule": "olm/x",
      "file": "x.yaml",
      "severity": "warning",
      "count": 2
    }
  ]
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if err := WriteBaseline(path, nil); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !strings.Contains(string(got), `"findings": []`) {
		t.Errorf("%s", got)
	}
}

func TestBaselineMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, test := range map[string]struct{ text, want string }{
		"missing.json": {"", "missing.json does not exist: create it with --write-baseline"},
		"broken.json":  {"{", "cannot be read"},
		"newer.json":   {`{"schemaVersion": "3"}`, `has schema version "3", but this version of salint supports 2`},
		"other.json":   {`[]`, "cannot be read: unexpected JSON array, so salint did not write it"},
	} {
		path := filepath.Join(dir, name)
		if test.text != "" {
			if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := read(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := read(dir); err == nil {
		t.Error("a folder was read")
	}
	if err := WriteBaseline(filepath.Join(dir, "no", "x.json"), nil); err == nil {
		t.Error("a file was written into a folder that does not exist")
	}
	if err := WriteBaseline(dir, nil); err == nil {
		t.Error("a folder was replaced")
	}
}

func TestNoBaseline(t *testing.T) {
	t.Parallel()
	findings := []finding.Finding{at("olm/x", 5)}
	kept, known := (*Baseline)(nil).Apply(findings)
	if diff := cmp.Diff(findings, kept); diff != "" || known != nil {
		t.Error(known, diff)
	}
}

func read(file string) (*Baseline, error) {
	return ReadBaseline(file, func(limit int64) ([]byte, error) { return regular.ReadFile(file, limit) })
}

// TestUnmatched checks which entries are left after findings matched some of them, with their lines in the file.
func TestUnmatched(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "baseline.json")
	gone := BaselineEntry{Fingerprint: strings.Repeat("0", 32), Rule: "olm/gone", File: "gone.yaml", Count: 1}
	if err := WriteBaseline(path, []finding.Finding{at("olm/x", 5), at("olm/x", 9), at("pod/z", 3)}, gone); err != nil {
		t.Fatal(err)
	}
	b, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	b.Apply([]finding.Finding{at("olm/x", 7), at("pod/z", 1), at("pod/z", 2)})
	gone.Line = 5
	want := []BaselineEntry{gone, {Fingerprint: at("olm/x", 1).Fingerprint(), Rule: "olm/x", File: "x.yaml", Severity: "warning", Count: 1, Line: 11}}
	if diff := cmp.Diff(want, b.Unmatched()); diff != "" {
		t.Error(diff)
	}
	b.Apply([]finding.Finding{at("olm/x", 7), at("olm/x", 8), at("pod/z", 1)})
	if diff := cmp.Diff(want[:1], b.Unmatched()); diff != "" {
		t.Errorf("after the second run: %s", diff)
	}
}

func TestBrokenEntries(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "baseline.json")
	for text, want := range map[string]string{
		`{"schemaVersion": "2", "findings": [{"rule": "a/b"}]}`:                                                               "entry 1 has no valid fingerprint",
		`{"schemaVersion": "2", "findings": [{"fingerprint": "a", "count": 1, "file": "` + strings.Repeat("f", 5000) + `"}]}`: "entry 1 has no valid fingerprint",
		`{"schemaVersion": "2", "findings": [{"fingerprint": "a", "count": -1}]}`:                                             "entry 1 has no valid fingerprint, count",
		`{"schemaVersion": "2", "findings": [{"fingerprint": "a", "count": 1}`:                                                "cannot be read",
		`{"schemaVersion": "2", "findings": [{"fingerprint": "a", "count": 4e18}]}`:                                           "cannot be read",
		`{"schemaVersion": "2", "findings": [{"fingerprint": "a", "count": 9223372036854775807}]}`:                            "entry 1 has no valid fingerprint, count, severity, rule, or file",
		`{"schemaVersion": "2", "findings": [{"fingerprint": "a", "count": 1, "severity": "\u001b[2J"}]}`:                     "entry 1 has no",
		`{"schemaVersion": "7", "findings": []}`:                                                                              "schema version",
		`{"schemaVersion": "2", "findings": [` + strings.Repeat(" ", maxBaselineSize):                                         "baseline",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(path); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60s: %v, want one line with %q", text, err, want)
		}
	}
}

// TestSeverityOfEntries checks that an entry does not hide a finding that became more severe, and that it is then written once.
func TestSeverityOfEntries(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "baseline.json")
	as := func(severity finding.Severity) finding.Finding {
		f := at("olm/x", 5)
		f.Severity = severity
		return f
	}
	for _, test := range []struct {
		name          string
		written       []finding.Finding
		now           finding.Severity
		hidden        bool
		severityAfter string
	}{
		{"the same", []finding.Finding{as(finding.Warning)}, finding.Warning, true, "warning"},
		{"less severe", []finding.Finding{as(finding.Warning)}, finding.Note, true, "note"},
		{"more severe", []finding.Finding{as(finding.Warning)}, finding.Error, false, ""},
		{"of a note", []finding.Finding{as(finding.Note)}, finding.Warning, false, "warning"},
		{"errors hide all", []finding.Finding{as(finding.Error)}, finding.Error, true, ""},
		{"the worst of several", []finding.Finding{as(finding.Note), as(finding.Warning)}, finding.Warning, true, "warning"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := WriteBaseline(path, test.written); err != nil {
				t.Fatal(err)
			}
			b, err := read(path)
			if err != nil {
				t.Fatal(err)
			}
			now := slices.Repeat([]finding.Finding{as(test.now)}, len(test.written))
			kept, known := b.Apply(now)
			if hidden := len(known) == len(now) && len(kept) == 0; hidden != test.hidden {
				t.Errorf("hidden: %t, want %t", hidden, test.hidden)
			}
			if left := b.Unmatched(); left != nil {
				t.Errorf("%v is said to match nothing", left)
			}
			if err := WriteBaseline(path, now); err != nil {
				t.Fatal(err)
			}
			if b, err = read(path); err != nil {
				t.Fatal(err)
			}
			if got := b.entries[0]; got.Severity != test.severityAfter || got.Count != len(now) {
				t.Errorf("written again: %+v", got)
			}
		})
	}
}

// An entry without a severity is one of an older file, which did not say.
func TestEntryWithoutSeverity(t *testing.T) {
	t.Parallel()
	f := at("olm/x", 5)
	f.Severity = finding.Error
	text := `{"schemaVersion": "2", "findings": [{"fingerprint": "` + f.Fingerprint() + `", "rule": "olm/x", "file": "x.yaml", "count": 1}]}`
	b, err := ReadBaseline("known.json", func(int64) ([]byte, error) { return []byte(text), nil })
	if err != nil {
		t.Fatal(err)
	}
	if kept, _ := b.Apply([]finding.Finding{f}); len(kept) > 0 {
		t.Errorf("%v is not hidden", kept)
	}
}
