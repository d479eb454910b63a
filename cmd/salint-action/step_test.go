package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The tests run this test binary instead of salint; asSalint selects its behavior.
const asSalint = "SALINT_ACTION_TEST_BEHAVIOR"

func TestMain(m *testing.M) {
	if behavior := os.Getenv(asSalint); behavior != "" {
		os.Exit(pretend(behavior))
	}
	os.Exit(m.Run())
}

var report = `{
  "findings": [
    {"fix": {"kind": "safe", "applied": false}},
    {"fix": {"kind": "unsafe", "applied": false}},
    {"fix": {"kind": "safe", "applied": true}},
    {"fix": null}
  ],
  "summary": {"files": 3, "documents": 4, "errors": 1, "warnings": 2, "notes": 0, "suppressed": 0, "fixed": 1}
}`

// pretend behaves like salint from the view of the action: it prints, writes the requested reports, and exits.
func pretend(behavior string) int {
	if behavior == "broken" {
		fmt.Fprint(os.Stderr, "::error::x\nno such ##[add-path]config")
		return 2
	}
	if behavior == "clean" {
		report = `{"findings": [], "summary": {"files": 3, "documents": 4, "notes": 1}}`
	}
	if behavior == "settings" {
		fmt.Println(strings.Join(os.Args[5:], " "))
		report = strings.Replace(report, `"findings": [`, `"findings": [{"rule": "repo/settings-changed", "file": ".salint.yaml", "line": 3, "message": "<b> differs"},`, 1)
	}
	if os.Args[1] == "diff" {
		return pretendDiff(behavior)
	}
	for _, argument := range os.Args {
		if file, found := strings.CutPrefix(argument, "--output=json="); found {
			_ = os.WriteFile(file, []byte(report), 0o600)
		}
		if file, found := strings.CutPrefix(argument, "--output=markdown="); found {
			_ = os.WriteFile(file, []byte("the report\n"), 0o600)
		}
	}
	if behavior == "power" {
		return 0
	}
	fmt.Println("::warning file=a.yaml,line=1::message")
	return 1
}

// pretendDiff behaves like salint diff.
func pretendDiff(behavior string) int {
	if behavior == "no history" {
		fmt.Fprintln(os.Stderr, "shallow")
		return 2
	}
	file := strings.TrimPrefix(os.Args[3], "--output=markdown=")
	_ = os.WriteFile(file, []byte("the differences since "+os.Args[len(os.Args)-2]), 0o600)
	if behavior != "power" {
		return 0
	}
	fmt.Println("::error file=b.yaml::power")
	return 1
}

// runStep runs a step with the given inputs, and returns its exit code, log, outputs and summary.
func runStep(t *testing.T, behavior string, env map[string]string) (code int, log, outputs, summary string) {
	t.Helper()
	t.Setenv(asSalint, behavior)
	dir := t.TempDir()
	variables := map[string]string{
		"RUNNER_TEMP": dir, "GITHUB_OUTPUT": filepath.Join(dir, "output"),
		"GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"),
	}
	for name, value := range env {
		variables[name] = value
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var buffer bytes.Buffer
	step := &Step{Salint: self, Getenv: environment(variables), Log: &buffer}
	code = step.Run(t.Context())
	return code, buffer.String(), read(variables["GITHUB_OUTPUT"]), read(variables["GITHUB_STEP_SUMMARY"])
}

func read(file string) string {
	data, _ := os.ReadFile(file)
	return string(data)
}

func TestRunPublishesAndKeepsTheExitCode(t *testing.T) {
	code, log, outputs, summary := runStep(t, "findings", map[string]string{"INPUT_SARIF_FILE": "s.sarif"})
	if code != 1 {
		t.Errorf("exit code %d, want salint's own", code)
	}
	if want := "::warning file=a.yaml,line=1::message\n"; log != want {
		t.Errorf("log %q, want %q", log, want)
	}
	want := map[string]string{"findings": "3", "errors": "1", "fixable": "1", "sarif-file": "s.sarif"}
	if diff := cmp.Diff(want, parseOutputs(t, outputs)); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	if !strings.Contains(summary, "the report\n") {
		t.Errorf("summary lacks the report:\n%s", summary)
	}
}

func TestRunOfABrokenProgram(t *testing.T) {
	code, log, outputs, _ := runStep(t, "broken", nil)
	if code != 2 || outputs != "" {
		t.Errorf("exit code %d, outputs %q", code, outputs)
	}
	if want := "| ::error::x\n| no such ## [add-path]config\n"; log != want {
		t.Errorf("log %q, want %q: a runner must not execute messages as commands", log, want)
	}
}

func TestRunReportsErrors(t *testing.T) {
	tests := []struct {
		name, want string
		env        map[string]string
	}{
		{"switch", "use true or false", map[string]string{"INPUT_FIX": "maybe"}},
		{"event", "reading the event", map[string]string{"INPUT_CHANGED_ONLY": "true", "GITHUB_EVENT_PATH": "absent"}},
		{"outputs", "writing the outputs", map[string]string{"GITHUB_OUTPUT": "absent/folder/output"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, log, _, _ := runStep(t, "findings", test.env)
			if code != 2 || !strings.Contains(log, "::error title=salint::") || !strings.Contains(log, test.want) {
				t.Errorf("exit code %d, log %q, want 2 and an annotation with %q", code, log, test.want)
			}
		})
	}
}

func TestRunReportsChangedOnlyWithoutBase(t *testing.T) {
	_, log, _, _ := runStep(t, "findings",
		map[string]string{"INPUT_CHANGED_ONLY": "true", "GITHUB_EVENT_NAME": "schedule"})
	if !strings.Contains(log, "::notice title=salint::changed-only: the event schedule") {
		t.Errorf("log %q", log)
	}
}

// A checkout without the base cannot say what changed: the annotation and the summary name the setting.
func TestRunReportsChangedOnlyWithoutHistory(t *testing.T) {
	event := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(event, []byte(`{"before": "`+strings.Repeat("a", 40)+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	code, log, _, summary := runStep(t, "findings", map[string]string{"INPUT_CHANGED_ONLY": "true", "GITHUB_EVENT_PATH": event})
	for name, text := range map[string]string{"log": log, "summary": summary} {
		if code != 2 || !strings.Contains(text, "fetch-depth: 0") {
			t.Errorf("exit code %d, %s %q", code, name, text)
		}
	}
	if !strings.HasPrefix(log, "::error title=salint::changed-only: ") {
		t.Errorf("log %q", log)
	}
}

// With something to say, the body of a comment is in a file for the next step; without, that step only updates a comment that exists.
func TestRunWritesTheComment(t *testing.T) {
	for behavior, isNew := range map[string]string{"findings": "true", "broken": "true", "clean": "false"} {
		t.Run(behavior, func(t *testing.T) {
			_, _, outputs, _ := runStep(t, behavior, map[string]string{"INPUT_COMMENT": "true"})
			got := parseOutputs(t, outputs)
			body := read(got["comment-file"])
			if got["comment-new"] != isNew || !strings.HasPrefix(body, `{"body":"\u003c!-- salint `) || strings.Contains(body, "nothing to report") != (isNew == "false") {
				t.Errorf("outputs %v, body %s", got, body)
			}
		})
	}
	if _, _, outputs, _ := runStep(t, "findings", nil); strings.Contains(outputs, "comment") {
		t.Errorf("a comment that was not asked for: %s", outputs)
	}
}

// TestRunComparesPermissions checks that the comparison comes first in the summary, and that its exit code counts.
func TestRunComparesPermissions(t *testing.T) {
	event := filepath.Join(t.TempDir(), "event.json")
	base := strings.Repeat("a", 40)
	if err := os.WriteFile(event, []byte(`{"before": "`+base+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		behavior, event string
		code            int
		summary, log    string
	}{
		{"power", event, 1, "the differences since " + base + "\n\nthe report\n", "::error file=b.yaml::power\n"},
		{"findings", event, 1, "the differences since " + base + "\n\nthe report\n", "::warning file=a.yaml"},
		{"no history", event, 2, "## salint: the permissions were not compared\n\nThe log of this step has the error.\n\nthe report\n", "| shallow"},
		{"findings", "", 1, "the report\n", "::notice title=salint::permissions: the event schedule has no earlier commit to compare with, so permissions are not compared"},
	} {
		t.Run(c.behavior+c.event, func(t *testing.T) {
			code, log, _, summary := runStep(t, c.behavior, map[string]string{
				"INPUT_PERMISSIONS": "true", "GITHUB_EVENT_PATH": c.event, "GITHUB_EVENT_NAME": "schedule",
			})
			if code != c.code || !strings.HasPrefix(summary, c.summary) || !strings.Contains(log, c.log) {
				t.Errorf("exit code %d, log %q, summary %q", code, log, summary)
			}
		})
	}
}

// TestRunReportsChangedSettings checks that a change to what is checked comes first in the summary, and is never unseen.
func TestRunReportsChangedSettings(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		command := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		command.Dir, command.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := command.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	git("commit", "--quiet", "--allow-empty", "--message=test")
	base, absent := git("rev-parse", "HEAD"), strings.Repeat("a", 40)
	t.Chdir(dir)
	const warning = "> [!WARNING]\n> This change also changes what salint checks.\n\n* <code>.salint.yaml:3</code>: &lt;b&gt; differs\n\n"
	for name, c := range map[string]struct {
		base, flag string
		env        map[string]string
		summary    string
	}{
		"any run":            {base, "--settings-since=" + base, nil, warning + "the report\n"},
		"numbers only":       {base, "--settings-since=" + base, map[string]string{"INPUT_SUMMARY": "short"}, warning + "1 error"},
		"changed only":       {base, "--changed-since=" + base, map[string]string{"INPUT_CHANGED_ONLY": "true"}, warning},
		"trusted":            {absent, "--settings-since=" + absent, map[string]string{"INPUT_TRUSTED_CONFIG": "base"}, warning},
		"an own comparison":  {base, "--changed-since=main", map[string]string{"INPUT_ARGS": "--changed-since=main"}, warning},
		"one commit only":    {absent, "", nil, warning + "the report\n"},
		"nothing to compare": {"", "", nil, warning + "the report\n"},
	} {
		t.Run(name, func(t *testing.T) {
			event := filepath.Join(t.TempDir(), "event.json")
			if err := os.WriteFile(event, []byte(`{"pull_request": {"base": {"sha": "`+c.base+`"}}}`), 0o600); err != nil {
				t.Fatal(err)
			}
			env := map[string]string{"GITHUB_EVENT_PATH": event}
			maps.Copy(env, c.env)
			code, log, _, summary := runStep(t, "settings", env)
			if code != 1 || !strings.HasPrefix(summary, c.summary) || !strings.Contains(log, c.flag) || c.flag == "" && strings.Contains(log, "-since") {
				t.Errorf("exit code %d, log %q, summary %q", code, log, summary)
			}
			if unknown := strings.Contains(summary, "It is not known whether this change"); unknown != (name == "one commit only") {
				t.Errorf("summary %q", summary)
			}
		})
	}
}

func TestRunWithoutSalint(t *testing.T) {
	var log bytes.Buffer
	step := &Step{Salint: filepath.Join(t.TempDir(), "salint"), Getenv: environment(nil), Log: &log}
	if code := step.Run(t.Context()); code != 2 || !strings.Contains(log.String(), "::error") {
		t.Errorf("exit code %d, log %q", code, log.String())
	}
}

// block is one value of an environment file: name<<delimiter, lines, delimiter.
var block = regexp.MustCompile(`(?s)^([\w-]+)<<(\S+)\n(.*)$`)

func parseOutputs(t *testing.T, text string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for text != "" {
		match := block.FindStringSubmatch(text)
		if match == nil {
			t.Fatalf("not an output: %q", text)
		}
		value, rest, found := strings.Cut(match[3], "\n"+match[2]+"\n")
		if !found {
			t.Fatalf("output %s is not closed: %q", match[1], text)
		}
		values[match[1]], text = value, rest
	}
	return values
}

func TestOutputsCannotBeForged(t *testing.T) {
	t.Parallel()
	forged := "x\nEOF\nerrors<<EOF\n0"
	text := formatOutputs([]output{{"sarif-file", forged}, {"errors", "1"}})
	want := map[string]string{"sarif-file": forged, "errors": "1"}
	if diff := cmp.Diff(want, parseOutputs(t, text)); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}
