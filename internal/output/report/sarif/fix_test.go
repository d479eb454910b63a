package sarif

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
)

// tree are files with their texts.
type tree map[string]string

func (t tree) source(file string) []byte {
	if text, ok := t[file]; ok {
		return []byte(text)
	}
	return nil
}

// replace returns the edit that replaces one text with another.
func (t tree) replace(file, old, text string) finding.FileEdit {
	start := strings.Index(t[file], old)
	return finding.FileEdit{File: file, Start: start, End: start + len(old), New: text}
}

// client applies SARIF fixes by line and column as an editor does, without bytes and byte order marks.
type client struct {
	// trims imitates the SARIF viewer of VS Code: a region that starts in the indentation of a line starts at the first
	// character after it.
	trims bool
}

func (c client) apply(t *testing.T, text string, replacements []*sarif.Replacement) string {
	t.Helper()
	mark := ""
	if strings.HasPrefix(text, "\ufeff") {
		mark, text = "\ufeff", strings.TrimPrefix(text, "\ufeff")
	}
	lines := strings.SplitAfter(text, "\n")
	end := len(text)
	for _, r := range slices.Backward(replacements) {
		region := r.DeletedRegion
		from := c.offset(t, lines, *region.StartLine, c.startColumn(lines, region))
		to := c.offset(t, lines, *region.EndLine, *region.EndColumn)
		if to > end || from > to {
			t.Fatalf("replacements overlap, or are not sorted: %d to %d, next at %d", from, to, end)
		}
		inserted := ""
		if r.InsertedContent != nil {
			inserted = *r.InsertedContent.Text
		}
		text, end = text[:from]+inserted+text[to:], from
	}
	return mark + text
}

func (c client) startColumn(lines []string, r sarif.Region) int {
	line := lines[*r.StartLine-1]
	content := strings.TrimRight(line, "\r\n")
	indentation := len(content) - len(strings.TrimLeft(content, " \t"))
	if c.trims && *r.StartColumn <= indentation {
		return indentation + 1
	}
	return *r.StartColumn
}

func (c client) offset(t *testing.T, lines []string, line, column int) int {
	t.Helper()
	if line < 1 || line > len(lines) {
		t.Fatalf("line %d of %d", line, len(lines))
	}
	offset := 0
	for _, before := range lines[:line-1] {
		offset += len(before)
	}
	content := strings.TrimRight(lines[line-1], "\r\n")
	for ; column > 1; column-- {
		if content == "" {
			t.Fatalf("column after the end of line %d", line)
		}
		_, size := utf8.DecodeRuneInString(content)
		content, offset = content[size:], offset+size
	}
	return offset
}

// edits are possible changes of a fixer, as pairs of old and new text.
func TestFixesCanBeApplied(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		pairs      []string
	}{
		{"whole lines, indented", "spec:\n  a: b\n  c: d\n", []string{"  a: b\n", ""}},
		{"whole lines, with line ends before", "spec:\n  a: b\n  c: d\n", []string{"\n  a: b", ""}},
		{"insertion before an indented line", "spec:\n  c: d\n", []string{"  c: d", "  a: b\n  c: d"}},
		{"characters of several bytes", "spec: # für 😀\n  é: b # 日本\n  c: d\n", []string{"b # 日本", "ö", "d", "😀"}},
		{"windows line ends", "spec:\r\n  a: b\r\n  c: d\r\n", []string{"  a: b\r\n", "", "d\r\n", "é\r\n  e: f\r\n"}},
		{"byte order mark", "\ufeffspec:\n  a: b\n", []string{"spec", "other", "  a: b\n", ""}},
		{"byte order mark and windows line ends", "\ufeffé:\r\n  a: b\r\n", []string{"é", "e", "  a: b\r\n", ""}},
		{"no final newline", "spec:\n  a: b", []string{"\n  a: b", ""}},
		{"append behind the last line", "a: b\n", []string{"b\n", "b\n---\nc: d\n"}},
		{"flow style", "spec: {é: 1, b: 2, c: 3}\n", []string{"é: 1, ", "", ", c: 3", ""}},
		{"edits that touch", "spec:\n  a: b\n  c: d\n", []string{"  a: b\n", "", "  c: d\n", "  e: f\n"}},
		{"edit behind an indented one", "a:\n  b\n  c\n", []string{"b\n", "x\n", "  c", "  y"}},
		{"blank line before", "a:\n \n  b: c\n  d: e\n", []string{"  b: c\n", ""}},
		{"tabs", "a: [\n\tb,\n\tc]\n", []string{"\tb,\n", ""}},
		{"everything", "a: b\n", []string{"a: b\n", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files := tree{"a.yaml": test.text}
			fix := &finding.Fix{Kind: finding.Safe, Description: "remove it"}
			var edits []manifest.Edit
			for i := 0; i < len(test.pairs); i += 2 {
				e := files.replace("a.yaml", test.pairs[i], test.pairs[i+1])
				fix.Edits = append(fix.Edits, e)
				edits = append(edits, manifest.Edit{Span: manifest.Span{Start: e.Start, End: e.End}, New: e.New})
			}
			want, err := manifest.Apply([]byte(test.text), edits)
			if err != nil {
				t.Fatal(err)
			}
			slices.Reverse(fix.Edits) // their order does not matter
			for _, c := range []client{{trims: false}, {trims: true}} {
				got := c.apply(t, test.text, replacementsOf(t, files, fix))
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("client %+v (-want +got):\n%s", c, diff)
				}
			}
		})
	}
}

// replacementsOf writes a report with a fix and reads the replacements back.
func replacementsOf(t *testing.T, files tree, fix *finding.Fix) []*sarif.Replacement {
	t.Helper()
	r := &finding.Result{Source: files.source, Findings: []finding.Finding{{Rule: "a/b", File: "a.yaml", Fix: fix}}}
	run := runIn(t, r)
	if len(run.Results[0].Fixes) != 1 || len(run.Results[0].Fixes[0].ArtifactChanges) != 1 {
		t.Fatalf("fixes: %+v", run.Results[0].Fixes)
	}
	return run.Results[0].Fixes[0].ArtifactChanges[0].Replacements
}

func TestNewFile(t *testing.T) {
	t.Parallel()
	fix := &finding.Fix{Kind: finding.Safe, Edits: []finding.FileEdit{{File: "a.yaml", New: "kind: Pod\n"}}}
	if got := (client{}).apply(t, "", replacementsOf(t, tree{}, fix)); got != "kind: Pod\n" {
		t.Errorf("the new file is %q", got)
	}
}

func TestFixesThatCannotBeExpressed(t *testing.T) {
	t.Parallel()
	files := tree{"a.yaml": "a: b\n"}
	for name, edits := range map[string][]finding.FileEdit{
		"none":                   nil,
		"behind the end":         {{File: "a.yaml", Start: 2, End: 9}},
		"end before start":       {{File: "a.yaml", Start: 3, End: 2}},
		"overlap":                {{File: "a.yaml", Start: 0, End: 3}, {File: "a.yaml", Start: 2, End: 4}},
		"of a file without text": {{File: "b.yaml", Start: 1, End: 2}},
	} {
		r := &finding.Result{Source: files.source, Findings: []finding.Finding{{
			Rule: "a/b", File: "a.yaml", Fix: &finding.Fix{Kind: finding.Safe, Edits: edits},
		}}}
		if run := runIn(t, r); len(run.Results[0].Fixes) != 0 {
			t.Errorf("%s: a fix is offered", name)
		}
	}
}

func TestFixesOfSeveralFilesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	files := tree{"z.yaml": "a: b\n", "a.yaml": "c: d\n"}
	fix := &finding.Fix{Kind: finding.Unsafe, Edits: []finding.FileEdit{
		{File: "new.yaml", New: "e: f\n"}, files.replace("z.yaml", "b", "x"), files.replace("a.yaml", "d", "y"), files.replace("z.yaml", "a", "y"),
	}}
	r := &finding.Result{Source: files.source, Findings: []finding.Finding{{Rule: "a/b", File: "a.yaml", Fix: fix}}}
	run := runIn(t, r)
	var got []string
	for _, change := range run.Results[0].Fixes[0].ArtifactChanges {
		got = append(got, *change.ArtifactLocation.URI)
	}
	if diff := cmp.Diff([]string{"new.yaml", "z.yaml", "a.yaml"}, got); diff != "" {
		t.Error(diff)
	}
}
