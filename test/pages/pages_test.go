package pages

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommands(t *testing.T) {
	t.Parallel()
	page := strings.ReplaceAll(`# Page

'''sh
# a remark
salint lint |
  wc -l   # lines

salint plan \
  --all-targets
'''

1. Step

   '''console
   $ salint lint
   No problems.
   $ git status
   '''

'''yaml
salint: lint
'''

Run 'salint rules RULE', or 'a \| b'.
`, "'", "`")
	var got [][]Command
	for _, block := range Blocks(page) {
		got = append(got, block.Commands())
	}
	want := [][]Command{
		{{Text: "salint lint |\n  wc -l   # lines", Line: 5}, {Text: "salint plan \\\n  --all-targets", Line: 8}},
		{{Text: "salint lint", Shown: "No problems.\n", Line: 15}, {Text: "git status", Line: 17}},
		nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"salint rules RULE", "a | b"}, Spans(page)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWithOutputs(t *testing.T) {
	t.Parallel()
	page := "a\n\n```\n$ one\nold\n$ two\n```\n\nb\n"
	block := Blocks(page)[0]
	commands := block.Commands()
	commands[0].Shown, commands[1].Shown = "new\n", "more\n"
	if got, want := block.WithOutputs(page, commands), "a\n\n```\n$ one\nnew\n$ two\nmore\n```\n\nb\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
