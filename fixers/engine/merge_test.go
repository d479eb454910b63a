package engine_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/engine/enginetest"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
)

// mergeContext returns a context for a repository of some files and no units.
func mergeContext(files filestest.Tree) *engine.Context {
	return &engine.Context{Repo: &applied.Repository{Read: files.Read}, Lookups: &enginetest.Lookups{}}
}

func setName(value string) *engine.Plan {
	return &engine.Plan{Changes: []engine.Change{
		{File: "a.yaml", Op: engine.SetText, Path: manifest.Path{"metadata", "name"}, Value: value},
		{File: "a.yaml", Op: engine.SetText, Path: manifest.Path{"kind"}, Value: "Role"},
	}}
}

func replaceText(from, to int, text string) *engine.Plan {
	return &engine.Plan{Texts: []engine.TextChange{{File: "t.yaml", Span: manifest.Span{Start: from, End: to}, New: text}}}
}

func addDocument(text string) *engine.Plan {
	return &engine.Plan{Documents: []engine.Document{
		{File: "new.yaml", Object: engine.ObjectName{Kind: "Role", Name: "r"}, Text: text},
	}}
}

// TestMergeContradictions merges two plans. The second is refused as a whole if it contradicts the first, and what both change
// alike is changed once.
func TestMergeContradictions(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.yaml": "kind: A\nmetadata:\n  name: x\n", "t.yaml": "0123456789\n"}
	remove := &engine.Plan{Changes: []engine.Change{
		{File: "a.yaml", Op: engine.RemoveValue, Path: manifest.Path{"metadata", "name"}},
	}}
	tests := map[string]struct {
		first, second *engine.Plan
		refused       string
		want          map[string]string
	}{
		"other values of a field": {
			first: setName("one"), second: setName("two"), refused: "changes metadata.name in a.yaml",
			want: map[string]string{"a.yaml": "kind: Role\nmetadata:\n  name: one\n"},
		},
		"other operations on a field": {
			first: setName("one"), second: remove, refused: "changes metadata.name in a.yaml",
			want: map[string]string{"a.yaml": "kind: Role\nmetadata:\n  name: one\n"},
		},
		"one value of a field": {
			first: setName("one"), second: setName("one"),
			want: map[string]string{"a.yaml": "kind: Role\nmetadata:\n  name: one\n"},
		},
		"texts that overlap": {
			first: replaceText(2, 5, "x"), second: replaceText(4, 6, "y"), refused: "the same lines of t.yaml",
			want: map[string]string{"t.yaml": "01x56789\n"},
		},
		"texts at one place": {
			first: replaceText(2, 2, "x"), second: replaceText(2, 2, "y"), refused: "the same lines of t.yaml",
			want: map[string]string{"t.yaml": "01x23456789\n"},
		},
		"texts side by side": {
			first: replaceText(2, 4, "x"), second: replaceText(4, 6, "y"),
			want: map[string]string{"t.yaml": "01xy6789\n"},
		},
		"other documents of one name": {
			first: addDocument("rules: []\n"), second: addDocument("rules: [x]\n"), refused: "writes Role r to new.yaml",
			want: map[string]string{"new.yaml": "rules: []\n"},
		},
		"one document": {
			first: addDocument("rules: []\n"), second: addDocument("rules: []\n"),
			want: map[string]string{"new.yaml": "rules: []\n"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			merged, err := engine.Merge(mergeContext(files), []*engine.Plan{test.first, test.second})
			if err != nil {
				t.Fatal(err)
			}
			checkRefused(t, merged, test.second, test.refused)
			if len(merged.Files) != len(test.want) {
				t.Errorf("%d files change, want %d", len(merged.Files), len(test.want))
			}
			for _, f := range merged.Files {
				if string(f.After) != test.want[f.Path] {
					t.Errorf("%s is %q, want %q", f.Path, f.After, test.want[f.Path])
				}
			}
		})
	}
}

// checkRefused checks that one plan is refused for a reason, or none if the reason is "".
func checkRefused(t *testing.T, merged engine.Merged, plan *engine.Plan, reason string) {
	t.Helper()
	if reason == "" {
		if len(merged.Refused) > 0 {
			t.Errorf("refused: %s", merged.Refused[0].Reason)
		}
		return
	}
	if len(merged.Refused) != 1 || merged.Refused[0].Plan != plan || !strings.Contains(merged.Refused[0].Reason, reason) {
		t.Errorf("refused are %+v, want the second plan because another fix %s", merged.Refused, reason)
	}
}

// TestMergeNewFile writes a new file with the line ends and the end of the file beside it.
func TestMergeNewFile(t *testing.T) {
	t.Parallel()
	plan := addDocument("kind: Role\nrules: []\n")
	plan.Documents[0].CRLF, plan.Documents[0].NoFinalBreak = true, true
	merged, err := engine.Merge(mergeContext(nil), []*engine.Plan{plan})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(merged.Files[0].After), "kind: Role\r\nrules: []"; got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
}
