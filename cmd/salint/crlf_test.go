package main

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/test/golden"
	"github.com/salint/salint/test/long"
)

// TestCheckoutWithCRLF runs the golden cases that fix files as in a checkout on Windows, where git converts line ends: the findings and the
// changed files are the same, and every changed file keeps its line ends. A short run takes a quarter of them.
func TestCheckoutWithCRLF(t *testing.T) {
	t.Parallel()
	cases, step := 0, long.Runs(8, 1)
	for i, name := range fixtures.Names(t) {
		files := fixtures.Read(t, name)
		if i%step != 0 || !isFixed(files) || slices.Contains(differentWithCRLF, name) {
			continue
		}
		cases++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, _ := repositoryAfter(t, name)
			work := t.TempDir()
			makeRepository(t, work)
			before := map[string]string{}
			for file, text := range golden.Below("in/", files) {
				before[file] = withCRLF(text)
			}
			golden.WriteFolder(t, work, before)
			var out strings.Builder
			for line := range strings.SplitSeq(strings.TrimSpace(files["cmd"]), "\n") {
				out.WriteString("$ salint " + line + "\n" + runLine(work, line))
			}
			after := golden.ReadFolder(t, work)
			for file, text := range after {
				if _, existed := before[file]; existed && strings.Count(text, "\n") != strings.Count(text, "\r\n") {
					t.Errorf("%s has both line ends:\n%q", file, text)
				}
				after[file] = strings.ReplaceAll(text, "\r\n", "\n")
			}
			if diff := cmp.Diff(want, after); diff != "" {
				t.Errorf("the files (-LF +CRLF):\n%s", diff)
			}
			if diff := cmp.Diff(files["out"], strings.ReplaceAll(out.String(), "\r\n", "\n")); diff != "" {
				t.Errorf("the output (-LF +CRLF):\n%s", diff)
			}
		})
	}
	if cases < 50/step {
		t.Errorf("only %d cases", cases)
	}
}

// differentWithCRLF are cases whose result depends on line ends.
var differentWithCRLF = []string{
	"policy/conflicting-values",           // the record has the hash of the policies
	"rules/token-secret-mounted-comments", // the YAML library takes a comment above a key for one below the key before
}

// isFixed reports whether the command lines of a case fix a repository of text files with LF.
func isFixed(files map[string]string) bool {
	for name, text := range files {
		if strings.HasPrefix(name, "base/") || strings.HasPrefix(name, "in/") && (strings.Contains(text, "\r") || strings.Contains(text, "\x00") || path.Ext(name) == ".tgz") {
			return false
		}
	}
	return strings.Contains(files["cmd"], "--fix") && !strings.Contains(files["cmd"], "--diff")
}

func withCRLF(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
