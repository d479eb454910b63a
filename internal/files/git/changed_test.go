package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// openGit returns the repository of a folder on disk.
func openGit(t *testing.T, root string) *Repository {
	t.Helper()
	_, err := os.Stat(filepath.Join(root, ".git"))
	return New(root, err == nil, os.DirFS(root))
}

// history returns a repository with a branch: main has new commits since the branch left it.
func history(t *testing.T) string {
	t.Helper()
	root := disk.Tree(t, map[string]string{
		"same.yaml": "1\n", "edited.yaml": "1\n", "staged.yaml": "1\n", "committed.yaml": "1\n", "old name.yaml": "a\nb\nc\nd\n",
		"gone.yaml": "1\n", "only-main.yaml": "1\n", ".gitignore": "ignored.yaml\n",
	})
	disk.Git(t, root, "init", "-q", "-b", "main")
	disk.Git(t, root, "add", ".")
	disk.Git(t, root, "commit", "-q", "-m", "first")
	disk.Git(t, root, "checkout", "-q", "-b", "branch")
	disk.Put(t, root, "committed.yaml", "2\n")
	disk.Git(t, root, "commit", "-q", "-a", "-m", "second")
	disk.Git(t, root, "checkout", "-q", "main")
	disk.Put(t, root, "only-main.yaml", "2\n")
	disk.Git(t, root, "commit", "-q", "-a", "-m", "third")
	disk.Git(t, root, "checkout", "-q", "branch")
	return root
}

func TestChanged(t *testing.T) {
	t.Parallel()
	root := history(t)
	disk.Put(t, root, "edited.yaml", "2\n")
	disk.Put(t, root, "staged.yaml", "2\n")
	disk.Put(t, root, "dir/new\nline.yaml", "")
	disk.Put(t, root, "ignored.yaml", "")
	disk.Git(t, root, "add", "staged.yaml")
	disk.Git(t, root, "mv", "old name.yaml", "new name.yaml")
	disk.Git(t, root, "rm", "-q", "gone.yaml")
	got, err := openGit(t, root).Changed(context.Background(), "main")
	want := map[string]bool{
		"edited.yaml": true, "staged.yaml": true, "committed.yaml": true, "new name.yaml": true, "dir/new\nline.yaml": true,
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	got, err = openGit(t, root).Changed(context.Background(), "HEAD")
	delete(want, "committed.yaml")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestStagedDifferently(t *testing.T) {
	t.Parallel()
	root := history(t)
	disk.Put(t, root, "edited.yaml", "2\n")
	disk.Put(t, root, "staged.yaml", "2\n")
	disk.Put(t, root, "same.yaml", "2\n")
	disk.Put(t, root, "new.yaml", "1\n")
	disk.Git(t, root, "add", "staged.yaml", "same.yaml", "new.yaml")
	if got, err := openGit(t, root).StagedDifferently(context.Background()); len(got) > 0 || err != nil {
		t.Error(got, err)
	}
	disk.Put(t, root, "same.yaml", "3\n")
	if err := os.Remove(filepath.Join(root, "new.yaml")); err != nil {
		t.Fatal(err)
	}
	got, err := openGit(t, root).StagedDifferently(context.Background())
	if want := []string{"new.yaml", "same.yaml"}; !cmp.Equal(want, got) {
		// edited.yaml is not staged, and staged.yaml is the same in both.
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestChangedRefusesRevisions(t *testing.T) {
	t.Parallel()
	r := openGit(t, history(t))
	for _, rev := range []string{
		"nothing", "-p", "--output=/tmp/x", "HEAD~100", strings.Repeat("0", 40), "HEAD:same.yaml", "a\nb", "@{-9}",
	} {
		_, err := r.Changed(context.Background(), rev)
		var revision *RevisionError
		if !errors.As(err, &revision) || revision.Revision != rev {
			t.Errorf("%q: %v", rev, err)
		}
	}
	for rev, want := range map[string]string{"": "the revision is empty", "main..branch": "is a range of commits"} {
		if _, err := r.Changed(context.Background(), rev); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", rev, err)
		}
	}
}

func TestChangedInShallowClone(t *testing.T) {
	t.Parallel()
	clone := filepath.Join(disk.Tree(t, nil), "clone")
	disk.Git(t, filepath.Dir(clone), "clone", "-q", "--depth", "1", "--branch", "branch", "file://"+history(t), "clone")
	r := openGit(t, clone)
	var shallow *ShallowError
	for _, rev := range []string{"main", "HEAD~1"} {
		if _, err := r.Changed(context.Background(), rev); !errors.As(err, &shallow) || !strings.Contains(err.Error(), "fetch-depth: 0") {
			t.Errorf("%s: %v", rev, err)
		}
	}
	disk.Git(t, clone, "fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
	if _, err := r.Changed(context.Background(), "origin/main"); !errors.As(err, &shallow) {
		t.Errorf("without a common commit: %v", err)
	}
	if changed, err := r.Changed(context.Background(), "HEAD"); err != nil || len(changed) != 0 {
		t.Errorf("what is there is enough for HEAD: %v, %v", changed, err)
	}
}

func TestChangedWithoutCommonHistory(t *testing.T) {
	t.Parallel()
	root := history(t)
	disk.Git(t, root, "checkout", "-q", "--orphan", "other")
	r := openGit(t, root)
	unborn, err := r.Changed(context.Background(), "main")
	if want := map[string]bool{"only-main.yaml": true, "committed.yaml": true}; err != nil || !cmp.Equal(want, unborn) {
		t.Errorf("before the first commit: %v, %v", unborn, err)
	}
	disk.Git(t, root, "commit", "-q", "-m", "other")
	born, err := openGit(t, root).Changed(context.Background(), "main")
	if err != nil || !cmp.Equal(unborn, born) {
		t.Errorf("after the first commit: %v, %v", born, err)
	}
}

func TestChangedWithoutGit(t *testing.T) {
	t.Parallel()
	_, err := openGit(t, disk.Tree(t, nil)).Changed(context.Background(), "main")
	if err == nil || !strings.Contains(err.Error(), "not in a git repository") {
		t.Error(err)
	}
}

// TestGitStartsNoProgram checks that a repository's own configuration, which an archive can contain, starts no program.
func TestGitStartsNoProgram(t *testing.T) {
	t.Parallel()
	root := history(t)
	mark := filepath.Join(t.TempDir(), "started")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+mark+"\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	disk.Put(t, root, ".git/hooks/post-index-change", "")
	disk.Put(t, root, ".gitattributes", "*.yaml diff=x\n")
	if err := os.WriteFile(filepath.Join(root, ".git/hooks/post-index-change"), []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	disk.Put(t, root, ".git/info/attributes", "edited.yaml filter=x\nstaged.yaml filter=a=b\nsame.yaml filter=included\nnew.yaml filter=x\n")
	disk.Put(t, root, "more", "[filter \"included\"]\n\tclean = "+script+"\n\trequired = true\n[alias]\n\tdiff = !"+script+"\n")
	for _, setting := range []string{
		"core.fsmonitor", "diff.external", "diff.x.textconv", "diff.x.command", "core.pager", "core.sshCommand", "core.editor",
		"core.askPass", "core.gitProxy", "core.alternateRefsCommand", "gpg.program", "credential.helper", "uploadpack.packObjectsHook",
		"merge.x.driver", "filter.x.clean", "filter.x.smudge", "filter.x.process", "filter.a=b.clean", "filter.a=b.process",
		"alias.ls-files", "interactive.diffFilter", "pager.diff", "pager.ls-tree", "sequence.editor", "trailer.x.command",
	} {
		disk.Git(t, root, "config", setting, script)
	}
	disk.Git(t, root, "config", "filter.x.required", "true")
	disk.Git(t, root, "config", "include.path", "../more")
	os.Remove(mark)
	disk.Put(t, root, "edited.yaml", "2\n")
	disk.Put(t, root, "staged.yaml", "2\n")
	disk.Put(t, root, "same.yaml", "1\n") // the content is the same, but git has to read it
	disk.Put(t, root, "new.yaml", "1\n")
	r := openGit(t, root)
	r.TracksIgnored(context.Background(), "a.yaml", false)
	r.Remotes()
	changed, err := r.Changed(context.Background(), "main")
	if err != nil || !changed["edited.yaml"] || !changed["staged.yaml"] || changed["same.yaml"] {
		t.Errorf("%v, %v", changed, err)
	}
	base, err := r.BaseFS(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.ReadFile(base, "edited.yaml"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program was started")
	}
}

func TestGitEnv(t *testing.T) {
	t.Parallel()
	got := gitEnv([]string{
		"PATH=/bin", "HOME=/root", "GIT_DIR=/x", "GIT_INDEX_FILE=/x", "GIT_EXTERNAL_DIFF=/x", "GIT_CONFIG_PARAMETERS='a=b'",
		"GIT_CONFIG_GLOBAL=/g", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*", "LC_ALL=de_DE",
	})
	want := []string{
		"PATH=/bin", "HOME=/root", "GIT_CONFIG_GLOBAL=/g", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
	}
	if diff := cmp.Diff(want, got[len(got)-len(want):]); diff != "" {
		t.Error(diff)
	}
}

// TestBaseFS reads the tree of the commit where the branch left main, with the test suite for file systems.
func TestBaseFS(t *testing.T) {
	t.Parallel()
	root := history(t)
	disk.Put(t, root, "committed.yaml", "3\n")
	disk.Put(t, root, "dir/sub/new.yaml", "")
	base, err := openGit(t, root).BaseFS(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(base, "same.yaml", "committed.yaml", "gone.yaml", ".gitignore"); err != nil {
		t.Error(err)
	}
	if data, err := fs.ReadFile(base, "committed.yaml"); string(data) != "1\n" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := fs.Stat(base, "dir"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not committed: %v", err)
	}
}

// TestBaseFSOfFolders reads nested folders, and a symlink, which is left out.
func TestBaseFSOfFolders(t *testing.T) {
	t.Parallel()
	root := disk.Tree(t, map[string]string{"a/b/c.yaml": "c\n", "a/d.yaml": "d\n", "e/f.yaml": "f\n"})
	if err := os.Symlink("d.yaml", filepath.Join(root, "a", "link.yaml")); err != nil {
		t.Fatal(err)
	}
	disk.Git(t, root, "init", "-q", "-b", "main")
	disk.Git(t, root, "add", ".")
	disk.Git(t, root, "commit", "-q", "-m", "first")
	base, err := openGit(t, root).BaseFS(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(base, "a/b/c.yaml", "a/d.yaml", "e/f.yaml"); err != nil {
		t.Error(err)
	}
	if _, err := fs.Stat(base, "a/link.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a symlink: %v", err)
	}
}

// Of a branch and a tag of one name, the branch counts. A tag alone is a revision, too.
func TestBaseOfATagNamedLikeABranch(t *testing.T) {
	t.Parallel()
	root := disk.Tree(t, map[string]string{"a.yaml": "1\n"})
	disk.Git(t, root, "init", "-q", "-b", "main")
	disk.Git(t, root, "add", ".")
	disk.Git(t, root, "commit", "-q", "-m", "first")
	disk.Git(t, root, "update-ref", "refs/remotes/origin/main", "HEAD")
	disk.Git(t, root, "checkout", "-q", "-b", "change")
	disk.Git(t, root, "commit", "-q", "--allow-empty", "-m", "second")
	for _, tag := range []string{"main", "origin/main", "v1"} {
		disk.Git(t, root, "tag", tag)
	}
	disk.Git(t, root, "update-ref", "refs/heads/origin/main", "HEAD") // a local branch named like that of the remote
	r := openGit(t, root)
	tagged, err := r.Base(context.Background(), "v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, branch := range []string{"main", "origin/main"} {
		if base, err := r.Base(context.Background(), branch); err != nil || base == tagged {
			t.Errorf("%s: %s, %v", branch, base, err)
		}
	}
}
