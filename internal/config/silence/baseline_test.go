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
  "schemaVersion": "1",
  "findings": [
    {
      "fingerprint": "` + at("olm/x", 1).Fingerprint() + `",
      "rule": "olm/x",
      "file": "x.yaml",
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
		"newer.json":   {`{"schemaVersion": "2"}`, `has schema version "2", but this version of salint supports 1`},
		"other.json":   {`[]`, "cannot be read"},
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
