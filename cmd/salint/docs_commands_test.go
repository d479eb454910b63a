package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/test/pages"
)

// documentation returns the pages with commands, relative to the root of the repository.
func documentation(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "editors/vscode/README.md", "test/conformance/README.md", "bench/RESULTS.md"}
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		found = append(found, "docs/"+filepath.Base(file))
	}
	return found
}

// TestDocumentedCommands runs the commands of the documentation in a shell: salint ends with 0 or 1, and other commands with 0. Where a page
// shows the output, it is that of the run; one that ends with "…" is cut there.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	for _, page := range documentation(t) {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			runPage(t, page)
		})
	}
}

// pageRun is the run of the commands of a page.
type pageRun struct {
	page  string
	scene docScene
	// shown is the folder of the commands whose output the page shows; nil before the first of them.
	shown *docShell
}

// runPage runs the commands of a page, and compares what it shows.
func runPage(t *testing.T, page string) {
	t.Helper()
	file := filepath.Join("../..", filepath.FromSlash(page))
	text := readPage(t, file)
	run := &pageRun{page: page, scene: docScenesOf[page]}
	blocks := pages.Blocks(text)
	results := make([][]pages.Command, len(blocks))
	for i, block := range blocks {
		results[i] = run.block(t, block)
	}
	updated := text
	for i, block := range slices.Backward(blocks) { // from the end, because the places of blocks are those of the text before
		if block.HasPrompt() {
			updated = block.WithOutputs(updated, results[i])
		}
	}
	comparePage(t, file, text, updated)
}

// block runs the commands of a block, and returns them with their outputs.
func (r *pageRun) block(t *testing.T, block pages.Block) []pages.Command {
	t.Helper()
	commands := block.Commands()
	if block.Language == "yaml" {
		commands = commandsInYAML(block)
	}
	if len(commands) == 0 {
		return nil
	}
	shell := r.shell(t, block, commands)
	for i := range commands {
		runDocumented(t, shell, r.page, &commands[i])
	}
	return commands
}

// shell returns where the commands of a block run; nil if none of them is run.
func (r *pageRun) shell(t *testing.T, block pages.Block, commands []pages.Command) *docShell {
	t.Helper()
	if !slices.ContainsFunc(commands, func(c pages.Command) bool { return isRun(c.Text) }) {
		return nil
	}
	if !block.HasPrompt() && !r.scene.whole {
		return newDocShell(t, func(dir string) { commonScene(t, dir, r.scene.files) })
	}
	if r.shown == nil {
		if r.scene.prompts == nil {
			t.Fatalf("%s:%d: the page shows output: name its repository in docScenesOf", r.page, block.Line)
		}
		r.shown = newDocShell(t, func(dir string) { r.scene.prompts(t, dir) })
	}
	return r.shown
}

// isRun reports whether a command is run: it is not in the table of those that are not.
func isRun(command string) bool {
	return !slices.ContainsFunc(unrunCommands, func(u unrunCommand) bool { return strings.HasPrefix(command, u.begins) })
}

// runDocumented runs a command, and sets the output that the page should show.
func runDocumented(t *testing.T, shell *docShell, page string, c *pages.Command) {
	t.Helper()
	for _, u := range unrunCommands {
		if strings.HasPrefix(c.Text, u.begins) {
			if u.check != nil {
				u.check(t, c.Text)
			}
			return
		}
	}
	out, code := shell.run(t, c.Text)
	usesSalint := strings.Contains(c.Text, "salint")
	_, mayBeTwo := docCodes[c.Text]
	if code != 0 && !(usesSalint && code == 1) && !(mayBeTwo && code == 2) {
		t.Errorf("%s:%d: %s: exit code %d\n%s", page, c.Line, c.Text, code, out)
	}
	c.Shown = cutLike(c.Shown, out)
}

// commandsInYAML returns the commands of a workflow or pipeline. Those with expressions of GitHub are left out: TestFlagsOfDocumentation
// checks them.
func commandsInYAML(block pages.Block) []pages.Command {
	line := regexp.MustCompile(`^ *(?:- )?(?:run: |script: |- )?(salint [a-z].*)$`)
	var commands []pages.Command
	number := block.Line - 1
	for text := range strings.Lines(block.Text) {
		number++
		if m := line.FindStringSubmatch(strings.TrimRight(text, "\n")); m != nil && !strings.Contains(m[1], "${{") {
			commands = append(commands, pages.Command{Text: m[1], Line: number})
		}
	}
	return commands
}

// docShell is a folder in which commands run, and the folder to which they have changed.
type docShell struct{ top, dir, bin string }

func newDocShell(t *testing.T, setUp func(dir string)) *docShell {
	t.Helper()
	top := t.TempDir()
	s := &docShell{top: top, dir: filepath.Join(top, "work"), bin: filepath.Join(top, "bin")}
	for _, dir := range []string{s.dir, s.bin, filepath.Join(top, "home", ".config", "fish", "completions")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]string{"salint": fmt.Sprintf("%s=yes exec '%s' \"$@\"", asProgram, program)}
	for name, script := range docPrograms {
		programs[name] = script
	}
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(s.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	setUp(s.dir)
	return s
}

// run runs a command as a terminal does, and returns what it prints, and its exit code.
func (s *docShell) run(t *testing.T, command string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	where := filepath.Join(s.top, "where")
	shell := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", command+"\ncode=$?\npwd > "+where+"\nexit $code\n")
	shell.Dir = s.dir
	shell.Env = append(os.Environ(), append([]string{
		"PATH=" + s.bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + filepath.Join(s.top, "home"), "TMPDIR=" + s.top,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_AUTHOR_DATE=2026-01-30T12:00:00Z", "GIT_COMMITTER_DATE=2026-01-30T12:00:00Z",
		"LC_ALL=C",
	}, docEnvironment...)...)
	out, err := shell.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", command, err)
	}
	if dir, err := os.ReadFile(where); err == nil {
		s.dir = strings.TrimSpace(string(dir))
	}
	return string(out), shell.ProcessState.ExitCode()
}
