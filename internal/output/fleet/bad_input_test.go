package fleet

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
)

// A report that cannot be counted is named with the reason, and the others are counted.
func TestBadReports(t *testing.T) {
	t.Parallel()
	one := lintResult("example.org/one", found("olm/a", finding.Error, "a.yaml"))
	text := reportOf(t, one)
	other := reportOf(t, lintResult("example.org/other", found("pod/b", finding.Warning, "b.yaml")))
	replaced := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("the report does not contain %s", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	unnamed, otherCommit, otherTarget := *one, *one, *one
	unnamed.Origin.Repository = ""
	otherCommit.Origin.Revision = "2e"
	otherTarget.Target.Name = "ocp-4.20"
	for name, test := range map[string]struct {
		text, problem string
		twice         bool
	}{
		"empty":                   {"", "is empty: the run wrote no report", false},
		"no JSON":                 {"salint: internal error\n", "is not valid JSON at byte 1", false},
		"another JSON file":       {`{"version": "2.1.0", "runs": []}`, "is not a JSON report of salint lint", false},
		"a list":                  {"[]", "is not a JSON report of salint lint", false},
		"null":                    {"null", "is not a JSON report of salint lint", false},
		"a report of a fleet":     {`{"schemaVersion": "1", "tool": {"name": "salint"}, "summary": {}}`, "is not a JSON report of salint lint", false},
		"another schema version":  {replaced(`"schemaVersion": "1"`, `"schemaVersion": "2"`), `has the schema version "2"`, false},
		"another tool":            {replaced(`"name": "salint"`, `"name": "kube-linter"`), "is not a JSON report of salint lint", false},
		"a wrong type":            {replaced(`"line": 3`, `"line": "3"`), "is not a JSON report of salint lint: findings[].line is a string", false},
		"a run of another type":   {replaced(`"run": {`, `"run": [], "other": {`), "is not a JSON report of salint lint: run is an array", false},
		"a number for a name":     {replaced(`"name": "salint"`, `"name": 5`), "is not a JSON report of salint lint: tool.name is a number", false},
		"an item that is none":    {replaced(`"findings": [`, `"extensions": [5], "findings": [`), "is not a JSON report of salint lint: extensions[] is a number", false},
		"a boolean":               {replaced(`"files": 3`, `"files": true`), "is not a JSON report of salint lint: summary.files is true or false", false},
		"a key twice":             {replaced(`"summary"`, `"findings": [], "summary"`), `has the key "findings" twice`, false},
		"findings that are none":  {replaced(`"findings": [`, `"findings": {}, "other": [`), "is not a JSON report of salint lint: findings is not a list", false},
		"two reports in a file":   {text + text, "contains something after the report", false},
		"findings were removed":   {replaced(`"errors": 1`, `"errors": 2`), "lists 1 findings, and its summary counts 2", false},
		"no fingerprint":          {withoutChecksum(replaced(one.Findings[0].Fingerprint(), "")), "has a finding of olm/a without a valid fingerprint", false},
		"another checksum":        {replaced(`"message": "a message"`, `"message": "another"`), "has another checksum than its content", false},
		"no repository":           {reportOf(t, &unnamed), "names no repository: run salint lint with --repository", false},
		"the same run twice":      {text, "is of the same run as a.json: example.org/one for the target olm-1.11", true},
		"two commits":             {reportOf(t, &otherCommit), "is of another commit (2e) than a.json (1f)", true},
		"a header is cut off":     {text[:60], "is cut off", false},
		"findings are cut off":    {text[:len(text)/2], "is cut off", false},
		"the end is cut off":      {strings.TrimRight(text, "}\n"), "is cut off", false},
		"two targets are no twin": {reportOf(t, &otherTarget), "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reports := map[string]string{"b.json": test.text, "c.json": other}
			if test.twice {
				reports["a.json"] = text
			}
			dir := folder(t, reports)
			f := collect(t, Options{Dir: dir, Paths: []string{"."}})
			var names []string
			for _, r := range f.Repositories {
				names = append(names, r.Name)
			}
			want := []string{"example.org/other"}
			if test.twice {
				want = []string{"example.org/one", "example.org/other"}
			}
			if test.problem == "" {
				want = []string{"example.org/one", "example.org/one", "example.org/other"}
			}
			if diff := cmp.Diff(want, names); diff != "" {
				t.Errorf("counted repositories (-want +got):\n%s", diff)
			}
			if got := f.Totals().All(); got != len(want) {
				t.Errorf("%d findings are counted of %d reports with one", got, len(want))
			}
			switch {
			case test.problem == "" && len(f.Problems) > 0:
				t.Errorf("problems %v", f.Problems)
			case test.problem != "" && (len(f.Problems) != 1 || f.Problems[0].File != "b.json" || !strings.HasPrefix(f.Problems[0].Text, test.problem)):
				t.Errorf("problems %v, want %q", f.Problems, test.problem)
			}
			if got := f.Failed(); got != (test.problem != "") {
				t.Errorf("failed: %t", got)
			}
		})
	}
}

var checksumLine = regexp.MustCompile(`\s*"checksum": "[^"]*",`)

func withoutChecksum(report string) string { return checksumLine.ReplaceAllString(report, "") }

// A report is counted if and only if it is whole, wherever it is cut.
func TestCutAtEveryByte(t *testing.T) {
	t.Parallel()
	text := strings.TrimSpace(reportOf(t, lintResult("example.org/one", found("olm/a", finding.Error, "a.yaml"))))
	file := filepath.Join(t.TempDir(), "r.json")
	for end := range len(text) + 1 {
		if err := os.WriteFile(file, []byte(text[:end]), 0o644); err != nil {
			t.Fatal(err)
		}
		f := collect(t, Options{Paths: []string{file}})
		whole := end == len(text)
		if len(f.Repositories) > 0 != whole || f.Failed() == whole || f.Totals().All() > 0 != whole {
			t.Fatalf("cut at %d of %d bytes: %d repositories, %d findings, failed: %t", end, len(text), len(f.Repositories), f.Totals().All(), f.Failed())
		}
		for _, format := range []string{"csv", "ndjson", "sarif"} {
			if out, _ := write(t, format, Options{Paths: []string{file}}); strings.Contains(out, "a.yaml") != whole {
				t.Fatalf("%s: the finding of a report that is cut at %d of %d bytes is shown: %t", format, end, len(text), !whole)
			}
		}
	}
}

// Another program can have sorted the keys: the source then follows the findings.
func TestSortedKeys(t *testing.T) {
	t.Parallel()
	var value map[string]any
	if err := json.Unmarshal([]byte(reportOf(t, lintResult("example.org/one", found("olm/a", finding.Error, "a.yaml")))), &value); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"a.json": string(sorted)})
	f := collect(t, Options{Paths: []string{dir}, Since: []string{dir}})
	if len(f.Problems) > 0 || f.Totals().All() != 1 || f.Totals().New != 0 {
		t.Errorf("%d findings, %d new, problems %v", f.Totals().All(), f.Totals().New, f.Problems)
	}
}

func TestExpected(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"one.json": reportOf(t, lintResult("example.org/one")), "cut.json": reportOf(t, lintResult("example.org/cut"))[:500],
		"stray.json": reportOf(t, lintResult("example.org/stray", found("olm/a", finding.Error, "a.yaml"))), "note.txt": "no report",
	})
	f := collect(t, Options{Dir: dir, Paths: []string{"."}, Expected: []string{"example.org/one", "example.org/cut", "example.org/none"}})
	if diff := cmp.Diff([]Missing{{"example.org/cut", "its report cannot be read"}, {"example.org/none", "it has no report"}}, f.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	want := []Problem{{"cut.json", "is cut off: run salint again for this repository"}, {"stray.json", "is of example.org/stray, which is not expected"}}
	if diff := cmp.Diff(want, f.Problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	totals := f.Totals()
	if totals.All() != 0 || totals.Clean != 1 || totals.Missing != 2 || !f.Failed() {
		t.Errorf("totals %+v", totals)
	}
	for _, format := range []string{"text", "markdown", "html", "json"} {
		out, _ := write(t, format, Options{Dir: dir, Paths: []string{"."}, Expected: []string{"example.org/one", "example.org/none"}})
		if !strings.Contains(out, "example.org/none") {
			t.Errorf("%s does not name the missing repository", format)
		}
	}
}

// Hosts find a repository under its name in any case, and under several addresses.
func TestExpectedAsHostsDo(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"list.txt": "https://github.com/Acme/Payments.git\nhttps://acme@dev.azure.com/acme/Cloud%20Ops/_git/billing 1f00000\nno such thing@\ngit.example.org/acme/One\n",
		"r/a.json": reportOf(t, lintResult("github.com/acme/payments")), "r/b.json": reportOf(t, lintResult("dev.azure.com/acme/cloud%20ops/_git/Billing")),
		"r/c.json": reportOf(t, lintResult("git.example.org/acme/one")),
	})
	e, err := ReadExpected(filepath.Join(dir, "list.txt"), "list.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := collect(t, Options{Dir: dir, Paths: []string{"r"}, Expected: e.Names, Revisions: e.Revisions, ListProblems: e.Problems})
	if diff := cmp.Diff([]Missing{{"git.example.org/acme/One", "it has no report"}}, f.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	var problems []string
	for _, p := range f.Problems {
		problems = append(problems, p.File)
	}
	if diff := cmp.Diff([]string{"list.txt:3", "r/c.json"}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	var states []string
	for _, r := range f.Repositories {
		states = append(states, r.Name+" "+r.State())
	}
	if diff := cmp.Diff([]string{"dev.azure.com/acme/Cloud%20Ops/_git/billing stale", "github.com/Acme/Payments clean"}, states); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoReports(t *testing.T) {
	t.Parallel()
	for _, path := range []string{t.TempDir(), "does-not-exist"} {
		if _, err := Collect(t.Context(), Options{Paths: []string{path}}); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}

// Names in reports come from manifests of many people.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	const name = "x\x1b[31m\u202e<script>alert(1)</script>|\n::error::y"
	f := found("olm/cluster-admin-grant", finding.Error, name)
	f.Message, f.Target, f.Resource.Name, f.Subject = name, name, name, &finding.Subject{Kind: "User", Name: "=cmd|' /C calc'!A0"}
	r := lintResult("example.org/one", f)
	r.Extensions = []finding.Extension{{Name: name, Target: name, Model: name}}
	r.Target.Name, r.Summary.Unchecked = name, name
	dir := folder(t, map[string]string{"a.json": reportOf(t, r), "b.json": reportOf(t, r)})
	for _, format := range Formats {
		out, _ := write(t, format, Options{Dir: dir, Paths: []string{"."}, Since: []string{"."}})
		for _, bad := range []string{"\x1b", "\u202e"} {
			if strings.Contains(out, bad) {
				t.Errorf("%s contains %q", format, bad)
			}
		}
		if format == "html" || format == "markdown" {
			if strings.Contains(out, "<script>") {
				t.Errorf("%s contains a script", format)
			}
		}
		if format == "csv" && !strings.Contains(out, ",User =cmd") {
			t.Errorf("csv: the subject is not a text:\n%s", out)
		}
	}
	for text, want := range map[string]string{"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "a=1": "a=1", "": ""} {
		if got := Cell(text); got != want {
			t.Errorf("the cell of %q is %q", text, got)
		}
	}
}
