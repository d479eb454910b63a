package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/test/golden"
	"github.com/salint/salint/test/long"
)

// gitIn runs git in a folder as a user without settings. A command after "!" must fail.
func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	fails := args[0] == "!"
	if fails {
		args = args[1:]
	}
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); (err != nil) != fails {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// everyFile returns the hashes of all files below a folder, those of git included.
func everyFile(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		all[name] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const adminBinding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: NAME}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: NAME}]
`

func adminNamed(name string) string { return strings.ReplaceAll(adminBinding, "NAME", name) }

// onBranch makes a repository with a commit on main and one on the branch change.
func onBranch(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	golden.WriteFolder(t, dir, map[string]string{"a.yaml": adminNamed("alice")})
	gitIn(t, dir, "init", "-q", "-b", "main")
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "first")
	gitIn(t, dir, "checkout", "-q", "-b", "change")
	golden.WriteFolder(t, dir, map[string]string{"b.yaml": adminNamed("bob")})
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "second")
	return dir
}

// Input that cannot be compared is one line and exit code 2, and nothing is written, neither to the work tree nor to .git.
func TestDiffOfBadInput(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func(t *testing.T) string
		line string
		want string
	}{
		"no git":                         {func(t *testing.T) string { return t.TempDir() }, "diff", "is not in a git repository, so changes cannot be detected"},
		"unknown revision":               {onBranch, "diff mian", `git does not know the revision "mian": name a branch, a tag, or a commit of this clone`},
		"a range":                        {onBranch, "diff main..HEAD", `main..HEAD is a range of commits, and the working tree is compared with one revision: write "main"`},
		"a range from the common commit": {onBranch, "diff main...HEAD", `main...HEAD is a range of commits`},
		"a bare repository": {func(t *testing.T) string {
			dir := t.TempDir()
			gitIn(t, dir, "clone", "-q", "--bare", onBranch(t), "bare")
			return filepath.Join(dir, "bare")
		}, "diff main", "is a bare repository, without files to read: run `git worktree add ../checkout`"},
		"a clone without a checkout": {func(t *testing.T) string {
			dir := t.TempDir()
			gitIn(t, dir, "clone", "-q", "--no-checkout", onBranch(t), "clone")
			return filepath.Join(dir, "clone")
		}, "diff main", "has no files checked out: run `git checkout`"},
		"an option": {onBranch, "diff -- --output=x", `git does not know the revision "--output=x"`},
		"no default branch": {func(t *testing.T) string {
			dir := onBranch(t)
			gitIn(t, dir, "branch", "-D", "-q", "main")
			return dir
		}, "diff", "no default branch found (origin/HEAD, main, or master): pass a revision, such as HEAD~1"},
		"shallow": {func(t *testing.T) string {
			dir := t.TempDir()
			gitIn(t, dir, "clone", "-q", "--depth", "1", "--no-single-branch", "--branch", "change", "file://"+onBranch(t), "clone")
			return filepath.Join(dir, "clone")
		}, "diff origin/main", "this clone is shallow and lacks the history needed to compare with"},
		"conflicts": {func(t *testing.T) string {
			dir := onBranch(t)
			gitIn(t, dir, "checkout", "-q", "-b", "other", "main")
			golden.WriteFolder(t, dir, map[string]string{"b.yaml": adminNamed("eve")})
			gitIn(t, dir, "add", "-A")
			gitIn(t, dir, "commit", "-q", "-m", "other")
			gitIn(t, dir, "!", "merge", "change")
			return dir
		}, "diff", "the index has unresolved conflicts in b.yaml: finish or abort the merge first"},
		"a damaged index": {func(t *testing.T) string {
			dir := onBranch(t)
			golden.WriteFolder(t, dir, map[string]string{".git/index": "not an index\n"})
			return dir
		}, "diff", "git ls-files: "},
		"a changed submodule": {func(t *testing.T) string {
			dir, sub := onBranch(t), onBranch(t)
			gitIn(t, dir, "submodule", "--quiet", "add", sub, "sub")
			gitIn(t, dir, "commit", "-q", "-m", "submodule")
			gitIn(t, filepath.Join(dir, "sub"), "checkout", "-q", "HEAD~1")
			return dir
		}, "diff HEAD", "the submodule sub has another commit checked out than at HEAD"},
		"a branch and a folder": {func(t *testing.T) string {
			dir := onBranch(t)
			golden.WriteFolder(t, dir, map[string]string{"main/c.yaml": adminNamed("c")})
			return dir
		}, "diff main", "main is a revision and a path: write ./main for the path, or refs/heads/main for the branch"},
		"a configuration": {func(t *testing.T) string {
			dir := onBranch(t)
			golden.WriteFolder(t, dir, map[string]string{".salint.yaml": "exclude: 1\n"})
			return dir
		}, "diff", ".salint.yaml:1:10"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := c.make(t)
			before := everyFile(t, dir)
			for _, format := range []string{"text", "json", "github"} {
				line := strings.Replace(c.line, "diff", "diff --format "+format, 1)
				out := runLine(dir, line)
				message, found := strings.CutPrefix(out, "[standard error]\nsalint: ")
				message, ended := strings.CutSuffix(message, "\n[exit code 2]\n")
				if !found || !ended || strings.Contains(message, "\n") || !strings.Contains(message, c.want) {
					t.Errorf("%s:\n%s", line, out)
				}
			}
			if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
				t.Errorf("files changed:\n%s", diff)
			}
		})
	}
}

// An empty argument, which an unset variable of a script leaves, is not the default branch.
func TestDiffOfEmptyArguments(t *testing.T) {
	t.Parallel()
	dir := onBranch(t)
	for _, args := range [][]string{{"diff", ""}, {"diff", "", "a.yaml"}, {"diff", "--config-from", "", "main"}} {
		if out := runArgs(dir, args); !strings.Contains(out, "empty") || !strings.HasSuffix(out, "[exit code 2]\n") {
			t.Errorf("%q:\n%s", args, out)
		}
	}
}

// On the branch that is compared, only uncommitted changes differ; without any, nothing is compared.
func TestDiffWithTheCheckedOutCommit(t *testing.T) {
	t.Parallel()
	dir := onBranch(t)
	const nothing = "Nothing was compared: the checked-out commit has nothing that change lacks, and nothing is uncommitted"
	for _, format := range diffFormats {
		want := nothing
		if format == "json" {
			want = `"nothing": true`
		}
		if out := runLine(dir, "diff change --format "+format); !strings.Contains(out, want) || !strings.HasSuffix(out, "[exit code 0]\n") {
			t.Errorf("%s:\n%s", format, out)
		}
	}
	if out := runLine(dir, "diff change --strict"); !strings.HasSuffix(out, "[exit code 2]\n") {
		t.Error(out)
	}
	golden.WriteFolder(t, dir, map[string]string{"c.yaml": adminNamed("carol")})
	const uncommitted = "Compared the uncommitted changes with change ("
	if out := runLine(dir, "diff change"); !strings.Contains(out, uncommitted) || !strings.Contains(out, "User carol") || strings.Contains(out, nothing) {
		t.Error(out)
	}
	os.Remove(filepath.Join(dir, "c.yaml"))
	os.Remove(filepath.Join(dir, "b.yaml"))
	if out := runLine(dir, "diff change"); !strings.Contains(out, uncommitted) {
		t.Error(out)
	}
	if out := runLine(dir, "diff main"); !strings.Contains(out, "Compared the working tree with main (") {
		t.Error(out)
	}
	gitIn(t, dir, "checkout", "-q", "--", "b.yaml")
	gitIn(t, dir, "update-index", "--assume-unchanged", "b.yaml")
	golden.WriteFolder(t, dir, map[string]string{"b.yaml": adminNamed("hidden")})
	if out := runLine(dir, "diff change"); !strings.Contains(out, "User hidden") || strings.Contains(out, nothing) {
		t.Errorf("a change that git is told to ignore:\n%s", out)
	}
}

// What is staged, changed, or not yet tracked in the work tree counts, and nothing is written.
func TestDiffOfUnfinishedWork(t *testing.T) {
	t.Parallel()
	dir := onBranch(t)
	golden.WriteFolder(t, dir, map[string]string{"staged.yaml": adminNamed("staged")})
	gitIn(t, dir, "add", "-A")
	golden.WriteFolder(t, dir, map[string]string{
		"staged.yaml": adminNamed("changed"), "untracked.yaml": adminNamed("untracked"), "ignored.yaml": adminNamed("ignored"), ".gitignore": "ignored.yaml\n",
	})
	before := everyFile(t, dir)
	out := runLine(dir, "diff")
	for name, want := range map[string]bool{"bob": true, "changed": true, "untracked": true, "staged (": false, "User ignored": false, "alice": false,
		"staged.yaml is staged with other contents than in the working tree": true} {
		if strings.Contains(out, name) != want {
			t.Errorf("%q is in the output: %v\n%s", name, !want, out)
		}
	}
	if diff := cmp.Diff(before, everyFile(t, dir)); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
}

// A submodule with the same commit is the same in both states; one that is not checked out is said.
func TestDiffWithSubmodules(t *testing.T) {
	t.Parallel()
	dir, sub := onBranch(t), onBranch(t)
	gitIn(t, dir, "submodule", "--quiet", "add", sub, "sub")
	gitIn(t, dir, "commit", "-q", "-m", "submodule")
	golden.WriteFolder(t, dir, map[string]string{"kustomization.yaml": "resources: [a.yaml, sub/b.yaml]\n"})
	if out := runLine(dir, "diff HEAD"); !strings.Contains(out, "No new RBAC permissions.") {
		t.Error(out)
	}
	gitIn(t, dir, "submodule", "--quiet", "deinit", "-f", "sub")
	gitIn(t, dir, "checkout", "-q", "--", ".")
	os.Remove(filepath.Join(dir, "kustomization.yaml"))
	golden.WriteFolder(t, dir, map[string]string{"c.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: c, namespace: c}\n"})
	if out := runLine(dir, "diff HEAD"); !strings.Contains(out, "No new RBAC permissions, as far as known.") || !strings.Contains(out, "1 place was not read before this change either") {
		t.Error(out)
	}
}

// A new submodule that is not checked out, and another address of one, are unread; another commit is a newer revision.
func TestDiffWithNewSubmodules(t *testing.T) {
	t.Parallel()
	dir, sub := onBranch(t), onBranch(t)
	gitIn(t, dir, "submodule", "--quiet", "add", sub, "sub")
	gitIn(t, dir, "submodule", "--quiet", "deinit", "-f", "sub")
	if out := runLine(dir, "diff HEAD"); !strings.Contains(out, "cannot be read since this change: the submodule sub is not checked out") || !strings.Contains(out, "unread: 1") {
		t.Error(out)
	}
	gitIn(t, dir, "commit", "-q", "-m", "submodule")
	gitIn(t, dir, "update-index", "--cacheinfo", "160000,0123456789abcdef0123456789abcdef01234567,sub")
	if out := runLine(dir, "diff HEAD"); !strings.Contains(out, "the submodule sub is not checked out (0123456789ab, and ") || !strings.HasSuffix(out, "[exit code 0]\n") {
		t.Error(out)
	}
	golden.WriteFolder(t, dir, map[string]string{".gitmodules": "[submodule \"sub\"]\n\tpath = sub\n\turl = https://git.example.net/other\n"})
	if out := runLine(dir, "diff HEAD"); !strings.Contains(out, "cannot be read since this change: the submodule sub is not checked out") {
		t.Error(out)
	}
}

// A symbolic link to a file that is not read as a manifest is unread if what it leads to decides and is new.
func TestDiffWithSymlinks(t *testing.T) {
	t.Parallel()
	const more = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: NAME}\n"
	dir := onBranch(t)
	golden.WriteFolder(t, dir, map[string]string{"text/a.txt": adminNamed("a") + more, "app/b.yaml": adminNamed("b")})
	for link, target := range map[string]string{"app/a.yaml": "../text/a.txt", "app/c.yaml": "../../elsewhere.yaml"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("the file system has no symbolic links: %v", err)
		}
	}
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "links")
	golden.WriteFolder(t, dir, map[string]string{"text/a.txt": adminNamed("a") + strings.ReplaceAll(more, "NAME", "other")})
	if out := runLine(dir, "diff HEAD"); !strings.HasSuffix(out, "nothing to review (--fail-on warning)\nNo new RBAC permissions, as far as known.\n[exit code 0]\n") {
		t.Error(out)
	}
	golden.WriteFolder(t, dir, map[string]string{"text/a.txt": adminNamed("other") + more})
	if out := runLine(dir, "diff HEAD"); !strings.Contains(out, "the symbolic link leads to text/a.txt, which is not read as a manifest, and has another content than before (app/a.yaml:1)") {
		t.Error(out)
	}
	gitIn(t, dir, "checkout", "-q", "--", ".")
	link := filepath.Join(dir, "app/c.yaml")
	os.Remove(link)
	if err := os.Symlink("/etc/hosts", link); err != nil {
		t.Fatal(err)
	}
	if out := runLine(dir, "diff HEAD"); !strings.Contains(out, "unread: 1") || !strings.Contains(out, "(app/c.yaml:1)") {
		t.Error(out)
	}
}

// An answer about permissions is not certain while a submodule is not checked out.
func TestAnswersWithoutSubmodule(t *testing.T) {
	t.Parallel()
	dir, sub := onBranch(t), onBranch(t)
	gitIn(t, dir, "submodule", "--quiet", "add", sub, "sub")
	gitIn(t, dir, "commit", "-q", "-m", "submodule")
	lines := []string{"who-can get pods --strict", "who-can --become cluster-admin --strict --target olm-1.10", "can-i get pods --as eve --strict"}
	const message = "the submodule sub is not checked out"
	for _, line := range lines {
		if out := runLine(dir, line); strings.Contains(out, message) || strings.HasSuffix(out, "[exit code 2]\n") {
			t.Errorf("%s:\n%s", line, out)
		}
	}
	gitIn(t, dir, "submodule", "--quiet", "deinit", "-f", "sub")
	for _, line := range lines {
		if out := runLine(dir, line); !strings.Contains(out, message) || !strings.HasSuffix(out, "[exit code 2]\n") {
			t.Errorf("%s:\n%s", line, out)
		}
	}
}

// diffLines are the command lines that compare a repository, in all formats.
func diffLines() []string {
	var lines []string
	for _, format := range diffFormats {
		lines = append(lines, "diff main --format "+format)
	}
	return lines
}

// TestDiffHasNoCommands compares repositories whose names are commands to the runner of a workflow, or to a terminal.
func TestDiffHasNoCommands(t *testing.T) {
	t.Parallel()
	for _, kind := range long.Part(hostileNames, 2) {
		name := hostileNames[kind]
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			commitBase(t, dir, nil)
			makePlacement(t, dir, hostileRepository(name))
			for _, line := range diffLines() {
				checkInert(t, line, runLine(dir, line))
			}
			for _, args := range [][]string{{"diff", name}, {"diff", "main", name}, {"diff", "--target", name}, {"diff", "--config-from", name}} {
				checkInert(t, args[0], runArgs(dir, args))
			}
		})
	}
}

// TestDiffHasNoSecrets compares repositories with a marker wherever a Secret can have data.
func TestDiffHasNoSecrets(t *testing.T) {
	t.Parallel()
	all := placements()
	for _, name := range long.Part(all, 3) {
		if container, _, ok := strings.Cut(name, ", "); ok && secretContainers[container] != nil {
			continue // TestNoOutputHasSecrets reads these, too, with the same reader
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			commitBase(t, dir, nil)
			makePlacement(t, dir, all[name])
			const line = "diff main --format json" // which prints everything
			reportLeak(t, line, runLine(dir, line))
		})
	}
}
