package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
	"github.com/salint/salint/internal/files/git"
)

// walked lists what a walk visits and skips.
func walked(t *testing.T, walk func(WalkOptions, func(File)) ([]Skip, error), o WalkOptions) []string {
	t.Helper()
	var mu sync.Mutex
	var all []string
	skips, err := walk(o, func(f File) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, fmt.Sprintf("%s %v %q", f.Path, f.Text, f.Data))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, skip := range skips {
		all = append(all, fmt.Sprintf("skip %+v", skip))
	}
	slices.Sort(all)
	return all
}

// A walk through a commit that is checked out finds what a walk through the work tree finds.
func TestRevisionIsLikeTheWorkTree(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	disk.Put(t, outside, "x.yaml", "x")
	for name, text := range map[string]string{
		"a.yaml": "a", "b/c.yml": "c", "b/Kustomization": "k", "script.sh": "echo", "large.json": strings.Repeat("x", 100),
		"charts/one/Chart.yaml": "name: one", "charts/one/.helmignore": "ignored\n", "charts/one/ignored/x.yaml": "x",
		"charts/one/templates/t.yaml": "t", "excluded/e.yaml": "e", ".gitignore": "b\n", "b/untracked.yaml": "",
	} {
		disk.Put(t, dir, name, text)
	}
	for link, target := range map[string]string{
		"linked/kustomization.yaml": "../b/Kustomization", "link.yaml": "a.yaml", "folder": "b", "outside.yaml": filepath.Join(outside, "x.yaml"),
		"broken.yaml": "nothing.yaml", "script.yaml": "script.sh",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o755)
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("skipped: this system cannot make a symlink: %v", err)
		}
	}
	disk.Git(t, dir, "init", "-q")
	disk.Git(t, dir, "add", "-A", "-f")
	disk.Git(t, dir, "rm", "-q", "--cached", "b/untracked.yaml")
	disk.Git(t, dir, "commit", "-q", "-m", "first")
	r, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	v, err := r.Revision(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for _, o := range []WalkOptions{
		{Exclude: []string{"excluded"}, MaxFileSize: 50}, {Others: true}, {Texts: func(p string) bool { return strings.HasSuffix(p, ".sh") }},
	} {
		want := walked(t, func(o WalkOptions, visit func(File)) ([]Skip, error) { return r.Walk(t.Context(), o, visit) }, o)
		got := walked(t, func(o WalkOptions, visit func(File)) ([]Skip, error) { return v.Walk(t.Context(), o, visit) }, o)
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("%+v (-work tree +revision):\n%s", o, diff)
		}
	}
	if diff := cmp.Diff(r.Links(), v.Links()); diff != "" {
		t.Errorf("links (-work tree +revision):\n%s", diff)
	}
	for _, name := range []string{"folder/c.yml", "link.yaml", "outside.yaml", "none"} {
		want, wantErr := r.Read(name)
		got, err := v.Read(name)
		if string(want) != string(got) || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %q, %v; want %q, %v", name, got, err, want, wantErr)
		}
	}
}

// A revision shows the files of then, whatever is in the work tree and in the index.
func TestRevisionIsNotTheWorkTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	disk.Put(t, dir, "a.yaml", "then")
	disk.Put(t, dir, "gone/b.yaml", "b")
	disk.Git(t, dir, "init", "-q", "-b", "main")
	disk.Git(t, dir, "add", "-A")
	disk.Git(t, dir, "commit", "-q", "-m", "first")
	disk.Put(t, dir, "a.yaml", "staged")
	disk.Git(t, dir, "add", "-A")
	disk.Put(t, dir, "a.yaml", "now")
	os.RemoveAll(filepath.Join(dir, "gone"))
	r, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	name, err := r.Git.DefaultBranch(t.Context())
	if err != nil || name != "main" {
		t.Fatalf("default branch %q, %v", name, err)
	}
	v, err := r.Revision(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	got := walked(t, func(o WalkOptions, visit func(File)) ([]Skip, error) { return v.Walk(t.Context(), o, visit) }, WalkOptions{})
	if diff := cmp.Diff([]string{`a.yaml false "then"`, `gone/b.yaml false "b"`}, got); diff != "" || !v.Has("gone") || v.Has("none") {
		t.Error(diff)
	}
}

func TestSubmodules(t *testing.T) {
	t.Parallel()
	lib, dir := t.TempDir(), t.TempDir()
	disk.Put(t, lib, "m.yaml", "one")
	disk.Git(t, lib, "init", "-q", "-b", "main")
	disk.Git(t, lib, "add", "-A")
	disk.Git(t, lib, "commit", "-q", "-m", "first")
	disk.Git(t, dir, "init", "-q", "-b", "main")
	for _, name := range []string{"same", "changed", "empty"} {
		disk.Git(t, dir, "submodule", "--quiet", "add", lib, name)
	}
	disk.Git(t, dir, "commit", "-q", "-m", "first")
	disk.Put(t, lib, "m.yaml", "two")
	disk.Git(t, lib, "commit", "-q", "-a", "-m", "second")
	disk.Git(t, filepath.Join(dir, "changed"), "pull", "-q")
	disk.Git(t, dir, "submodule", "--quiet", "deinit", "-f", "empty")
	r, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	v, err := r.Revision(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	first := strings.TrimSpace(disk.Git(t, lib, "rev-parse", "main~1"))
	commits := map[string]string{"same": first, "changed": first, "empty": first}
	want := git.Submodules{Same: []string{"same"}, Changed: []string{"changed"}, Unread: []string{"empty"}, Then: commits, Now: commits}
	if diff := cmp.Diff(want, v.Submodules); diff != "" {
		t.Error(diff)
	}
	moved, err := r.Git.Changed(t.Context(), "main")
	if diff := cmp.Diff(map[string]bool{"changed": true, "changed/m.yaml": true}, moved); err != nil || diff != "" {
		t.Error(err, diff)
	}
	got := walked(t, func(o WalkOptions, visit func(File)) ([]Skip, error) { return v.Walk(t.Context(), o, visit) }, WalkOptions{})
	if diff := cmp.Diff([]string{`same/m.yaml false "one"`}, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnmergedIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	disk.Put(t, dir, "a.yaml", "0")
	disk.Git(t, dir, "init", "-q", "-b", "main")
	disk.Git(t, dir, "add", "-A")
	disk.Git(t, dir, "commit", "-q", "-m", "first")
	for _, branch := range []string{"one", "two"} {
		disk.Git(t, dir, "checkout", "-q", "-b", branch, "main")
		disk.Put(t, dir, "a.yaml", branch)
		disk.Git(t, dir, "commit", "-q", "-a", "-m", branch)
	}
	r, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Git.CheckMerged(t.Context()); err != nil {
		t.Error(err)
	}
	disk.GitFails(t, dir, "merge", "one")
	var unmerged *git.UnmergedError
	if err := r.Git.CheckMerged(t.Context()); !errors.As(err, &unmerged) || !cmp.Equal(unmerged.Files, []string{"a.yaml"}) {
		t.Errorf("the error is %v", err)
	}
}
