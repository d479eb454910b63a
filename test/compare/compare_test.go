package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/test/golden"
)

// The builds to compare, for instance of the commit before a change of words and after it:
//
//	go test ./test/compare -old /tmp/before/salint -new bin/salint
var (
	oldProgram = flag.String("old", "", "a build of salint to compare with")
	newProgram = flag.String("new", "", "the build of salint to compare")
)

var cases = golden.Suite{
	Cases:  "../../fixtures/*/*",
	Inputs: []string{"cmd", "in/"}, Outputs: []string{"out", "removed", "after/"},
}

// now is the day of the golden cases.
const now = "2026-01-31T12:00:00Z"

func TestSameAnswers(t *testing.T) {
	if *oldProgram == "" || *newProgram == "" {
		t.Skip("skipped: -old and -new name the two builds to compare")
	}
	cases.Run(t, func(t *testing.T, c golden.Case) map[string]string {
		before := golden.Below("in/", c.Files)
		want, got := checkOut(t, before), checkOut(t, before)
		for line := range strings.Lines(c.Files["cmd"]) {
			for _, args := range variants(strings.TrimSpace(line)) {
				a, b := run(t, *oldProgram, want, args), run(t, *newProgram, got, args)
				if diff := cmp.Diff(a, b); diff != "" {
					t.Errorf("salint %s (-old +new):\n%s", strings.Join(args, " "), diff)
				}
			}
		}
		if writesProse(c.Files["cmd"]) {
			return expected(t, c.Name)
		}
		if diff := cmp.Diff(golden.ReadFolder(t, want), golden.ReadFolder(t, got)); diff != "" {
			t.Errorf("the files afterwards (-old +new):\n%s", diff)
		}
		return expected(t, c.Name)
	})
}

// writesProse reports whether a command of a case is init. The files that it writes explain themselves in comments, whose words
// can change; that they have the same effect is tested with the golden cases.
func writesProse(commands string) bool {
	return strings.HasPrefix(commands, "init") || strings.Contains(commands, "\ninit")
}

// expected returns the outputs of a case as they are stored: this test does not compare them.
func expected(t *testing.T, name string) map[string]string {
	t.Helper()
	outputs := map[string]string{}
	for file, content := range cases.Read(t, name) {
		if file == "out" || file == "removed" || strings.HasPrefix(file, "after/") {
			outputs[file] = content
		}
	}
	return outputs
}

// checkOut writes a repository into a temporary folder that git takes for one.
func checkOut(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	golden.WriteFolder(t, dir, files)
	golden.WriteFolder(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/objects/.keep": "", ".git/refs/.keep": ""})
	return dir
}

// withJSON are the commands that print JSON.
var withJSON = regexp.MustCompile(`^(lint|plan|preflight|bundle-diff|can-i|who-can|graph)\b`)

var format = regexp.MustCompile(`--format[ =]\S+|--output[ =]\S+`)

// variants returns the command lines that stand for one of a case. A command that can print JSON does; a fix is preceded by the
// same run without it, which reports every finding.
func variants(line string) (lines [][]string) {
	if strings.HasPrefix(line, "lint") && !strings.Contains(line, "--now") {
		line += " --now " + now
	}
	if !withJSON.MatchString(line) || strings.ContainsAny(line, "<") || strings.Contains(line, "--diff") {
		return [][]string{strings.Fields(line)}
	}
	line = format.ReplaceAllString(line, "") + " --format json"
	if strings.Contains(line, "--fix") {
		lines = append(lines, strings.Fields(strings.ReplaceAll(line, "--fix", "")))
	}
	return append(lines, strings.Fields(line))
}

// answer is what a program can rely on.
type answer struct {
	ExitCode int
	JSON     any    // without prose
	Diff     string // of a unified diff
}

func run(t *testing.T, program, dir string, args []string) answer {
	t.Helper()
	ctx := t.Context()
	cmd := exec.CommandContext(ctx, program, args...)
	if source, ok := strings.CutPrefix(args[len(args)-1], "<"); ok {
		file, err := os.Open(filepath.Join(dir, source))
		if err != nil {
			return answer{ExitCode: -1}
		}
		defer file.Close()
		cmd = exec.CommandContext(ctx, program, args[:len(args)-1]...)
		cmd.Stdin = file
	}
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	a := answer{ExitCode: cmd.ProcessState.ExitCode()}
	var value any
	if json.Unmarshal(stdout.Bytes(), &value) == nil {
		a.JSON = withoutProse(value, "")
	} else if strings.HasPrefix(stdout.String(), "--- ") || strings.HasPrefix(stdout.String(), "diff ") {
		a.Diff = stdout.String()
	}
	return a
}

// prose are the fields of all JSON reports that hold sentences. Their presence is compared, their words are not.
var prose = map[string]bool{
	"message": true, "description": true, "reason": true, "note": true, "notes": true, "title": true, "text": true, "why": true,
	"says": true, "is": true, "refused": true, "shared": true, "fact": true, "warnings": true, "dangers": true,
	"shortDescription": true, "fullDescription": true, "help": true, "markdown": true,
}

// withoutProse replaces the sentences in a JSON value.
func withoutProse(value any, field string) any {
	switch v := value.(type) {
	case map[string]any:
		if v["name"] == "salint" {
			delete(v, "version")
		}
		for key, inner := range v {
			v[key] = withoutProse(inner, key)
		}
	case []any:
		for i, inner := range v {
			v[i] = withoutProse(inner, field)
		}
	case string:
		if prose[field] {
			return fmt.Sprintf("prose of %s", field)
		}
	}
	return value
}
