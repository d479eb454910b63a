package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/test/golden"
)

// commandLine is what the runner obeys: it trims white space at the beginning of a line, U+2028 included.
var commandLine = regexp.MustCompile(`(?m)(?:^|\r)[\s\p{Z}]*::|##\[`)

// TestDiffOnRunner prints patches beside lines that the runner of a workflow obeys, on a runner and elsewhere.
func TestDiffOnRunner(t *testing.T) {
	const extension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: kiwi
spec:
  namespace: kiwi
  BEFORE
  serviceAccount:
    name: kiwi
  AFTER
  source:
    sourceType: Catalog
    catalog: {packageName: kiwi}
`
	for name, comment := range map[string]string{
		"command":      "install: {preflight: {note: \"a\n  ::error::hunter2\"}}",
		"old form":     "# ##[error]hunter2",
		"stop":         "install: {preflight: {note: \"a\n\t::stop-commands::x\n  b\"}}",
		"line feed":    "install: {preflight: {note: \"a\n\u2028::error::hunter2\"}}",
		"masked value": "# ##[add-mask]true",
	} {
		for _, at := range []string{"BEFORE", "AFTER"} {
			for _, onRunner := range []string{"true", ""} {
				t.Run(name+" "+at+" "+onRunner, func(t *testing.T) {
					t.Setenv("GITHUB_ACTIONS", onRunner)
					dir := t.TempDir()
					text := strings.Replace(extension, at, comment, 1)
					text = strings.NewReplacer("  BEFORE\n", "", "  AFTER\n", "").Replace(text)
					golden.WriteFolder(t, dir, map[string]string{"e.yaml": text})
					makeRepository(t, dir)
					out := runLine(dir, "lint --diff --target olm-1.11")
					if !strings.Contains(out, "-  serviceAccount:") && !strings.Contains(out, "the change is not shown") {
						t.Fatalf("there is neither a patch nor an error:\n%s", out)
					}
					if onRunner != "" && (commandLine.MatchString(out)) {
						t.Errorf("the runner obeys a line:\n%s", out)
					}
					if onRunner == "" && !strings.Contains(out, "-  serviceAccount:") {
						t.Errorf("the patch is not printed outside of a runner:\n%s", out)
					}
				})
			}
		}
	}
}
