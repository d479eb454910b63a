// Package disk makes folders and git repositories on disk for tests. Only tests import it.
package disk

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Tree writes files into a new folder. A name that ends in a slash is an empty folder.
func Tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		Put(t, root, name, content)
	}
	return root
}

// Put writes a file and its folders. A name that ends in a slash is an empty folder.
func Put(t testing.TB, root, name, content string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	dir := filepath.Dir(file)
	if strings.HasSuffix(name, "/") {
		dir = file
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, "/") {
		return
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Repository returns a Tree with the files of a git work tree.
func Repository(t testing.TB, files map[string]string) string {
	t.Helper()
	root := Tree(t, files)
	Put(t, root, ".git/HEAD", "ref: refs/heads/main\n")
	return root
}

// Link makes a symlink, or skips the test.
func Link(t testing.TB, target, root, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(root, filepath.FromSlash(name))); err != nil {
		t.Skipf("no symlinks here: %v", err)
	}
}

// Git runs git as a user without any settings, and returns its output. Without git it skips the test. The same commits have the same names
// wherever and whenever they are made, because reports show them.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	out, err := command(dir, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// GitFails runs a command that is expected to fail, such as a merge with conflicts.
func GitFails(t testing.TB, dir string, args ...string) {
	t.Helper()
	if out, err := command(dir, args...).CombinedOutput(); err == nil {
		t.Fatalf("git %s did not fail:\n%s", strings.Join(args, " "), out)
	}
}

func command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org",
		"-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	own := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "LC_ALL=") })
	cmd.Env = append(own, "LC_ALL=C", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_DATE=2026-01-30T12:00:00Z", "GIT_COMMITTER_DATE=2026-01-30T12:00:00Z")
	return cmd
}
