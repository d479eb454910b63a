package repo

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tree writes files into a new folder. A name that ends in a slash is an empty folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		put(t, root, name, content)
	}
	return root
}

func put(t *testing.T, root, name, content string) {
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

// repository returns a tree with the files of a git work tree.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	root := tree(t, files)
	put(t, root, ".git/HEAD", "ref: refs/heads/main\n")
	return root
}

func link(t *testing.T, target, root, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(root, filepath.FromSlash(name))); err != nil {
		t.Skipf("no symlinks here: %v", err)
	}
}

func open(t *testing.T, cwd string, paths ...string) *Repo {
	t.Helper()
	r, err := Open(cwd, paths)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// walk returns the paths visited, sorted, and the skips as "path: reason".
func walk(t *testing.T, r *Repo, o WalkOptions) (visited, skipped []string) {
	t.Helper()
	var mu sync.Mutex
	skips, err := r.Walk(context.Background(), o, func(f File) {
		mu.Lock()
		defer mu.Unlock()
		visited = append(visited, f.Path)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range skips {
		skipped = append(skipped, s.Path+": "+s.Reason)
	}
	slices.Sort(visited)
	return visited, skipped
}

// runGit runs git as a user without any settings.
func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	out, err := gitCommand(dir, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// runGitFails runs a command that is expected to fail, such as a merge with conflicts.
func runGitFails(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, err := gitCommand(dir, args...).CombinedOutput(); err == nil {
		t.Fatalf("git %s did not fail:\n%s", strings.Join(args, " "), out)
	}
}

func gitCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "user.name=Test", "-c", "user.email=test@example.com",
		"-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(gitEnv(os.Environ()), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file")
	return cmd
}
