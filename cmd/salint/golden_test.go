package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
	"github.com/salint/salint/rules/modules"
	"github.com/salint/salint/test/golden"
)

// fixtures are the golden cases:
//
//	cmd      command lines, without the name of the program
//	in/      a small repository; git's own files are added
//	base/    the repository as it is on the branch main; if there is one, in/ are the uncommitted files of another branch
//	out      what the command lines print, and their exit codes
//	removed  the files of the repository that they remove, one in each line
//	after/   the files that they change or create
var fixtures = golden.Suite{
	Cases:  "../../fixtures/*/*",
	Inputs: []string{"cmd", "base/", "in/"}, Outputs: []string{"out", "removed", "after/"},
	Except: []string{"hostile/inputs"}, // those of TestHostileInputs
}

// TestGolden runs every golden case. Cases that fix are run twice, and the second time must change nothing.
func TestGolden(t *testing.T) {
	t.Parallel()
	fixtures.Run(t, runGolden)
}

func runGolden(t *testing.T, c golden.Case) map[string]string {
	t.Helper()
	work := t.TempDir()
	before := golden.Below("in/", c.Files)
	if base := golden.Below("base/", c.Files); len(base) > 0 {
		commitBase(t, work, base)
	} else {
		makeRepository(t, work)
	}
	golden.WriteFolder(t, work, before)
	lines := strings.Split(strings.TrimSpace(c.Files["cmd"]), "\n")
	var out bytes.Buffer
	for _, line := range lines {
		fmt.Fprintf(&out, "$ salint %s\n", line)
		out.WriteString(runLine(work, line))
	}
	after := golden.ReadFolder(t, work)
	for _, line := range lines {
		if strings.Contains(line, "--fix") {
			runLine(work, line)
		}
	}
	if diff := cmp.Diff(after, golden.ReadFolder(t, work)); diff != "" {
		t.Errorf("the second run changed something (-first +second):\n%s", diff)
	}
	outputs := changes(before, after)
	outputs["out"] = out.String()
	return outputs
}

// changes describes how a repository changed, in the form of a golden case.
func changes(before, after map[string]string) map[string]string {
	outputs := map[string]string{}
	for name, content := range after {
		if old, ok := before[name]; !ok || old != content {
			outputs["after/"+name] = content
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[name]; !ok {
			outputs["removed"] += name + "\n"
		}
	}
	return outputs
}

// repositoryOf returns the repository of a golden case.
func repositoryOf(t *testing.T, name string) map[string]string {
	t.Helper()
	return golden.Below("in/", fixtures.Read(t, name))
}

// repositoryAfter returns the repository of a golden case with the changes that its command lines make; changed is false if they
// make none.
func repositoryAfter(t *testing.T, name string) (tree map[string]string, changed bool) {
	t.Helper()
	files := fixtures.Read(t, name)
	tree = golden.Below("in/", files)
	removed := strings.Fields(files["removed"])
	for _, file := range removed {
		delete(tree, file)
	}
	written := golden.Below("after/", files)
	maps.Copy(tree, written)
	return tree, len(removed)+len(written) > 0
}

// compiled is shared by all tests: they run the program hundreds of times, and compiling the policies takes most of the
// time of a run.
var compiled = modules.NewCache()

// testCommand is the program in a folder, on a fixed day.
func testCommand(dir string, stdout, stderr io.Writer) *command {
	return &command{
		Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Dir: dir, PolicyCache: compiled,
		Now: func() time.Time { return time.Date(2026, time.January, 31, 12, 0, 0, 0, time.UTC) },
	}
}

// runLine runs one command line in process and returns its output, standard error last, and its exit code.
func runLine(dir, line string) string {
	var stdout, stderr bytes.Buffer
	c := testCommand(dir, &stdout, &stderr)
	args := strings.Fields(line)
	if source, ok := strings.CutPrefix(args[len(args)-1], "<"); ok {
		data, err := os.ReadFile(filepath.Join(dir, source))
		if err != nil {
			return err.Error()
		}
		c.Stdin, args = bytes.NewReader(data), args[:len(args)-1]
	}
	return outputOf(c, args, &stdout, &stderr, dir)
}

// runArgs runs a command line whose arguments have white space.
func runArgs(dir string, args []string) string {
	var stdout, stderr bytes.Buffer
	return outputOf(testCommand(dir, &stdout, &stderr), args, &stdout, &stderr, dir)
}

func outputOf(c *command, args []string, stdout, stderr *bytes.Buffer, dir string) string {
	code := c.Main(args)
	var b strings.Builder
	b.WriteString(stdout.String())
	if stderr.Len() > 0 {
		b.WriteString("[standard error]\n" + stderr.String())
	}
	fmt.Fprintf(&b, "[exit code %d]\n", code)
	return unstyled(strings.ReplaceAll(b.String(), dir, "DIR"))
}

// unstyled removes the style from pages, and its hash in the policy, because only the content is expected.
func unstyled(text string) string {
	text = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(text, "<style>…</style>")
	return regexp.MustCompile(`'sha256-[A-Za-z0-9+/=]+'`).ReplaceAllString(text, "'sha256-…'")
}

// commitBase makes a repository whose branch main has some files, and switches to a branch without files. The commit is always the same.
func commitBase(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	golden.WriteFolder(t, dir, files)
	disk.Git(t, dir, "init", "-q", "-b", "main")
	disk.Git(t, dir, "add", "-A", "-f")
	disk.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "base")
	disk.Git(t, dir, "checkout", "-q", "-b", "change")
	for name := range files {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
}

// makeRepository makes git treat a folder as a repository, so that all of it is context.
func makeRepository(t testing.TB, dir string) {
	t.Helper()
	for _, folder := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, ".git", folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
