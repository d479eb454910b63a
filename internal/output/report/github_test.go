package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/salint/salint/internal/config/finding"
)

// readCommand parses a workflow command as the runner does.
func readCommand(t *testing.T, line string) (name string, properties map[string]string, message string) {
	t.Helper()
	head, message, ok := strings.Cut(strings.TrimPrefix(line, "::"), "::")
	if !ok || !strings.HasPrefix(line, "::") {
		t.Fatalf("%q is not a command", line)
	}
	name, list, _ := strings.Cut(head, " ")
	properties = map[string]string{}
	for _, property := range strings.Split(list, ",") {
		key, value, ok := strings.Cut(property, "=")
		if !ok || strings.Contains(value, ":") {
			t.Fatalf("property %q of %q", property, line)
		}
		properties[key] = strings.NewReplacer("%2C", ",", "%3A", ":", "%0A", "\n", "%0D", "\r", "%25", "%").Replace(value)
	}
	return name, properties, strings.NewReplacer("%0A", "\n", "%0D", "\r", "%25", "%").Replace(message)
}

func TestGitHubCommandsSurviveTheRunner(t *testing.T) {
	t.Parallel()
	f := finding.Finding{
		Rule: "a/b", Severity: finding.Note, File: "dir,1/50%: x=y.yaml", Message: "100%0A :: a,b: c",
		Range: finding.Range{Line: 3, Column: 2, EndLine: 3, EndColumn: 9},
		Fix:   &finding.Fix{Kind: finding.Safe, Description: "remove it"},
	}
	out := string(render(t, "github", &finding.Result{Findings: []finding.Finding{f}}, Options{}))
	name, properties, message := readCommand(t, strings.TrimSuffix(out, "\n"))
	if name != "notice" || message != "100%0A :: a,b: c\nfix: remove it (safe; --fix)" {
		t.Errorf("command %s contains %q", name, message)
	}
	want := map[string]string{
		"file": "dir,1/50%: x=y.yaml", "line": "3", "col": "2", "endLine": "3", "endColumn": "9", "title": "salint a/b",
	}
	if diff := cmp.Diff(want, properties); diff != "" {
		t.Error(diff)
	}
}

func TestGitHubPlaces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file string
		r    finding.Range
		want string
	}{
		"one line":      {"a.yaml", finding.Range{Line: 1, Column: 2, EndLine: 1, EndColumn: 3}, "file=a.yaml,line=1,col=2,endLine=1,endColumn=3,"},
		"several lines": {"a.yaml", finding.Range{Line: 1, Column: 2, EndLine: 4, EndColumn: 3}, "file=a.yaml,line=1,endLine=4,"},
		"line alone":    {"a.yaml", finding.Range{Line: 5}, "file=a.yaml,line=5,endLine=5,"},
		"file alone":    {"a.yaml", finding.Range{}, "file=a.yaml,line=1,endLine=1,"},
		"stdin":         {"-", finding.Range{Line: 5}, ""},
		"no file":       {"", finding.Range{}, ""},
	} {
		f := finding.Finding{Rule: "a/b", Severity: finding.Error, File: test.file, Range: test.r, Message: "m"}
		got := string(render(t, "github", &finding.Result{Findings: []finding.Finding{f}}, Options{}))
		if want := "::error " + test.want + "title=salint a/b::m\n"; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestGitHubShowsTen counts the notices of a run with many notes: those that are not about findings count as well.
func TestGitHubShowsTen(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]*finding.Run{"limited": {Selection: finding.Selection{Only: []string{"a/*"}}}, "whole": {}} {
		r := &finding.Result{Run: run}
		for i := range 12 {
			r.Findings = append(r.Findings, finding.Finding{Rule: "a/b", Severity: finding.Note, File: "a.yaml", Range: finding.Range{Line: i + 1}, Message: "m"})
		}
		out := string(render(t, "github", r, Options{Verbose: true}))
		if n := strings.Count(out, "::notice "); n != maxAnnotations {
			t.Errorf("%s: %d notices\n%s", name, n, out)
		}
		if n := strings.Count(out, "a.yaml"); n != 12 {
			t.Errorf("%s: %d findings\n%s", name, n, out)
		}
		if has := strings.Contains(out, "limited to --only a/*"); has != (name == "limited") {
			t.Errorf("%s: says what limits the run: %t", name, has)
		}
	}
}
