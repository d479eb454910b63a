package release

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// TestReadme runs what README.md shows with a released program, whose path is in SALINT_PROGRAM, on a copy of docs/example. The output must
// be that of the page. The commit is that of TestDocumentedCommands, which writes the page.
func TestReadme(t *testing.T) {
	t.Parallel()
	program := os.Getenv("SALINT_PROGRAM")
	if program == "" {
		t.Skip("skipped: SALINT_PROGRAM is not set (make release-check sets it)")
	}
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../docs/example")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "base"}} {
		disk.Git(t, dir, args...)
	}
	runs := 0
	for _, block := range regexp.MustCompile("(?sm)^```[a-z]*\n(.*?)^```$").FindAllSubmatch(page, -1) {
		for run := range strings.SplitSeq("\n"+string(block[1]), "\n$ salint ") {
			line, want, _ := strings.Cut(run, "\n")
			if !strings.HasPrefix(string(block[1]), "$ salint ") || line == "" {
				continue
			}
			runs++
			checkRun(t, dir, program, line, want)
		}
	}
	if runs == 0 {
		t.Error("README.md shows no run")
	}
}

// checkRun compares the output of a command line with what the page shows. The page can leave out the end, after "…", and standard error.
func checkRun(t *testing.T, dir, program, line, want string) {
	t.Helper()
	args, quiet := strings.CutSuffix(line, " 2>/dev/null")
	command := exec.Command(program, strings.Fields(args)...)
	command.Dir = dir
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	if code := command.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Errorf("salint %s: %v\n%s", line, err, stderr.String())
	}
	got := stdout.String()
	if !quiet {
		got += stderr.String()
	}
	shown, isCut := strings.CutSuffix(strings.TrimRight(want, "\n")+"\n", "…\n")
	if isCut && strings.HasPrefix(got, shown) || strings.TrimRight(got, "\n") == strings.TrimRight(want, "\n") {
		return
	}
	t.Errorf("salint %s: README.md shows\n%s\nbut the program prints\n%s", line, want, got)
}
