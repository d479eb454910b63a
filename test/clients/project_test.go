package clients

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience limits the run of a client: the first build of the program's dependencies takes minutes.
const patience = 15 * time.Minute

// client finds a program among the pinned tools or on the PATH, or skips the test.
func client(t *testing.T, name, install string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("clients are not run with -short")
	}
	if path, err := exec.LookPath(filepath.Join(projectRoot(t), "bin", "tools", name)); err == nil {
		return path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: %s", name, install)
	}
	return path
}

// projectRoot is the root of this project's working tree.
func projectRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// command is a program about to run in a folder.
type command struct {
	t    *testing.T
	dir  string
	env  []string
	name string
	args []string
}

// run returns what the program printed, and its exit code.
func (c command) run() (string, int) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	process := exec.CommandContext(ctx, c.name, c.args...)
	process.Dir = c.dir
	process.Env = append(os.Environ(), c.env...)
	var out bytes.Buffer
	process.Stdout, process.Stderr = &out, &out
	err := process.Run()
	if process.ProcessState == nil {
		c.t.Fatalf("%s: %v", c.name, err)
	}
	return out.String(), process.ProcessState.ExitCode()
}

// succeed is run for a program that must not fail.
func (c command) succeed() string {
	c.t.Helper()
	out, code := c.run()
	if code != 0 {
		c.t.Fatalf("%s %s: exit code %d\n%s", c.name, strings.Join(c.args, " "), code, out)
	}
	return out
}

// git runs git in a folder, with an author and without the configuration of the machine.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	env := []string{
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull,
		// A commit of the whole project begins to pack the objects in the background, while clients copy the repository.
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=gc.auto", "GIT_CONFIG_VALUE_0=0",
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com",
		"GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com",
	}
	return strings.TrimSpace(command{t: t, dir: dir, env: env, name: "git", args: args}.succeed())
}

// newRepository starts a git repository with the given files in a folder and commits them.
func newRepository(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	git(t, dir, "init", "--quiet", "--initial-branch=main")
	commitAll(t, dir)
}

func commitAll(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--message=test")
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// copyProject copies the project as it is in the working tree, without what git ignores.
func copyProject(t *testing.T, dir string) {
	t.Helper()
	root := projectRoot(t)
	names := git(t, root, "-c", "safe.directory="+root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for name := range strings.SplitSeq(strings.Trim(names, "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) { // deleted, but not yet in a commit
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(data))
	}
}

// buildEnvironment makes a client that changes its home folder build with the module and build caches of this machine.
func buildEnvironment(t *testing.T) []string {
	t.Helper()
	variables := []string{"CGO_ENABLED=0"}
	for _, name := range []string{"GOCACHE", "GOFLAGS", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN"} {
		value := command{t: t, name: "go", args: []string{"env", name}}.succeed()
		variables = append(variables, name+"="+strings.TrimSpace(value))
	}
	return variables
}

// mustContain fails the test unless the output of a client contains each of the texts.
func mustContain(t *testing.T, output string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(output, text) {
			t.Errorf("the output lacks %q", text)
		}
	}
	if t.Failed() {
		t.Logf("the output was:\n%s", output)
	}
}
