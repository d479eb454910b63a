package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/rules"
)

var update = flag.Bool("update", false, "rewrite what golden cases expect")

const fixtures = "../../fixtures"

// TestGolden runs every golden case: a folder with
//
//	in/     a small repository; git's own files are added
//	cmd     command lines, without the name of the program
//	out     what they print, and their exit codes
//	after/  the repository afterwards, where they change it
//
// Cases that fix are run twice, and the second time must change nothing.
func TestGolden(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob(filepath.Join(fixtures, "*", "*", "cmd"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no golden cases: %v", err)
	}
	for _, file := range cases {
		dir := filepath.Dir(file)
		name, err := filepath.Rel(fixtures, dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			runGolden(t, dir)
		})
	}
}

func runGolden(t *testing.T, dir string) {
	t.Helper()
	work := t.TempDir()
	before := readTree(t, filepath.Join(dir, "in"))
	writeTree(t, work, before)
	makeRepository(t, work)
	lines := strings.Split(strings.TrimSpace(string(readFile(t, filepath.Join(dir, "cmd")))), "\n")
	var out bytes.Buffer
	for _, line := range lines {
		fmt.Fprintf(&out, "$ salint %s\n", line)
		out.WriteString(runLine(work, line))
	}
	after := readTree(t, work)
	for _, line := range lines {
		if strings.Contains(line, "--fix") {
			runLine(work, line)
		}
	}
	if diff := cmp.Diff(after, readTree(t, work)); diff != "" {
		t.Errorf("the second run changed something (-first +second):\n%s", diff)
	}
	if *update {
		updateGolden(t, dir, out.Bytes(), before, after)
		return
	}
	if diff := cmp.Diff(string(readFile(t, filepath.Join(dir, "out"))), out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	want := before
	if _, err := os.Stat(filepath.Join(dir, "after")); err == nil {
		want = readTree(t, filepath.Join(dir, "after"))
	}
	if diff := cmp.Diff(want, after); diff != "" {
		t.Errorf("repository afterwards (-want +got):\n%s", diff)
	}
}

// compiled is shared by all tests: they run the program hundreds of times, and compiling the policies takes most of the
// time of a run.
var compiled = rules.NewPolicyCache()

// testCommand is the program in a folder, on a fixed day.
func testCommand(dir string, stdout, stderr io.Writer) *command {
	return &command{
		Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Dir: dir, PolicyCache: compiled,
		Now: func() time.Time { return time.Date(2026, time.January, 31, 12, 0, 0, 0, time.UTC) },
	}
}

// runLine runs one command line in process and gives what it prints, standard error last, and its exit code.
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
	code := c.Main(args)
	var b strings.Builder
	b.WriteString(stdout.String())
	if stderr.Len() > 0 {
		b.WriteString("[standard error]\n" + stderr.String())
	}
	fmt.Fprintf(&b, "[exit code %d]\n", code)
	return unstyled(strings.ReplaceAll(b.String(), dir, "DIR"))
}

// unstyled leaves the style out of pages, and the hash by which they allow it: what they say is what is expected of them.
func unstyled(text string) string {
	text = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(text, "<style>…</style>")
	return regexp.MustCompile(`'sha256-[A-Za-z0-9+/=]+'`).ReplaceAllString(text, "'sha256-…'")
}

func updateGolden(t *testing.T, dir string, out []byte, before, after map[string]string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "out"), out, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "after")); err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(before, after) {
		writeTree(t, filepath.Join(dir, "after"), after)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// makeRepository makes a folder what git takes for a repository, so that all of it is context.
func makeRepository(t *testing.T, dir string) {
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

// readTree reads all files of a folder but git's own.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		tree[filepath.ToSlash(name)] = string(readFile(t, path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func writeTree(t *testing.T, dir string, tree map[string]string) {
	t.Helper()
	for name, text := range tree {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
