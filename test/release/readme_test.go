package release

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme runs what README.md shows with a released program, whose path is in SALINT_PROGRAM, on a copy of docs/example. The output must
// be that of the page.
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
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=test"}} {
		if out, err := execute(dir, "git", args...); err != nil {
			t.Fatalf("git: %v\n%s", err, out)
		}
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

func execute(dir, name string, args ...string) (string, error) {
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+filepath.ToSlash(os.DevNull))
	out, err := command.CombinedOutput()
	return string(out), err
}
