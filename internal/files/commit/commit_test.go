package commit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/worktree"
)

// contents returns every file below root, temporary ones included, without .git.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == ".git" {
			return fs.SkipDir
		}
		if err == nil && e.Type().IsRegular() {
			data, err := os.ReadFile(file)
			rel, _ := filepath.Rel(root, file)
			out[filepath.ToSlash(rel)] = string(data)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// openWriter returns the writer of a repository on disk.
func openWriter(t *testing.T, root string) *Writer {
	t.Helper()
	tree, err := worktree.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(root, ".git"))
	r := NewWriter(tree, git.New(root, err == nil, tree.FS()).Tracks)
	t.Cleanup(func() {
		r.Release()
		tree.Close()
	})
	return r
}

var start = map[string]string{"grant.yaml": "g1", "dir/kustomization.yaml": "k1", "rest.yaml": "r1", "gone.yaml": "x"}

// changes contains every kind of write, in the wrong order.
func changes() []Write {
	return []Write{
		{Path: "gone.yaml", Before: []byte("x"), Order: OrderRemoval},
		{Path: "rest.yaml", Before: []byte("r1"), After: []byte("r2"), Order: OrderOther},
		{Path: "dir/kustomization.yaml", Before: []byte("k1"), After: []byte("k2"), Order: OrderKustomization},
		{Path: "grant.yaml", Before: []byte("g1"), After: []byte("g2"), Order: OrderGrant},
		{Path: "dir/new.yaml", After: []byte("n"), Order: OrderGrant},
	}
}

// commitAll writes without a record.
func commitAll(r *Writer, writes []Write) error {
	return r.Commit(context.Background(), Batch{Writes: writes})
}

func TestCommit(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, start)
	if err := os.Chmod(filepath.Join(root, "rest.yaml"), 0o640); err != nil {
		t.Fatal(err)
	}
	r := openWriter(t, root)
	var order []string
	r.Probe = func(operation, name string) error {
		if (operation == "exchange" || operation == "link" || operation == "remove") && !strings.HasPrefix(name, tempPrefix) {
			order = append(order, name)
		}
		return nil
	}
	if err := commitAll(r, changes()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"grant.yaml": "g2", "dir/kustomization.yaml": "k2", "dir/new.yaml": "n", "rest.yaml": "r2"}
	if diff := cmp.Diff(want, contents(t, root)); diff != "" {
		t.Error(diff)
	}
	wantOrder := []string{"grant.yaml", "dir/new.yaml", "dir/kustomization.yaml", "rest.yaml", "gone.yaml"}
	if diff := cmp.Diff(wantOrder, order); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(filepath.Join(root, "rest.yaml")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestCommitRefuses(t *testing.T) {
	t.Parallel()
	before := func(p, s string) Write {
		return Write{Path: p, Before: []byte(s), After: []byte("new"), Order: OrderOther}
	}
	tests := map[string]struct {
		write Write
		want  string
	}{
		"a file that changed":          {before("rest.yaml", "other"), "rest.yaml was changed"},
		"a deleted file":               {before("missing.yaml", "r1"), "missing.yaml was changed"},
		"a new file that exists":       {Write{Path: "rest.yaml", After: []byte("new")}, "rest.yaml was changed"},
		"a removal of what changed":    {Write{Path: "rest.yaml", Before: []byte("other")}, "rest.yaml was changed"},
		"a missing folder":             {Write{Path: "no/new.yaml", After: []byte("new")}, "no/new.yaml: "},
		"a path outside":               {Write{Path: "../new.yaml", After: []byte("new")}, "only files of the repository"},
		"an absolute path":             {Write{Path: "/tmp/new.yaml", After: []byte("new")}, "only files of the repository"},
		"git's own files":              {before(".git/HEAD", "ref: refs/heads/main\n"), "only files of the repository"},
		"a folder":                     {before("dir", ""), "dir: not a regular file"},
		"nothing to do":                {Write{Path: "rest.yaml"}, "needs content"},
		"a file twice":                 {before("grant.yaml", "g1"), "do not follow from each other"},
		"a symlink and its file":       {before("link.yaml", "g1"), "are one file"},
		"a symlink that leads outside": {before("away.yaml", "secret"), "the symlink leaves the repository"},
		"a symlink into .git":          {before("head.yaml", "ref: refs/heads/main\n"), "leads into .git"},
		"a read-only file":             {before("readonly.yaml", "ro"), "readonly.yaml is read-only: make it writable (chmod u+w), or pass only the paths of other files to fix"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, outside := disk.Repository(t, start), disk.Tree(t, map[string]string{"x.yaml": "secret"})
			disk.Put(t, root, "readonly.yaml", "ro")
			if err := os.Chmod(filepath.Join(root, "readonly.yaml"), 0o444); err != nil {
				t.Fatal(err)
			}
			disk.Link(t, "grant.yaml", root, "link.yaml")
			disk.Link(t, ".git/HEAD", root, "head.yaml")
			disk.Link(t, filepath.Join(outside, "x.yaml"), root, "away.yaml")
			was := contents(t, root)
			err := commitAll(openWriter(t, root), []Write{{Path: "grant.yaml", Before: []byte("g1"), After: []byte("g2")}, test.write})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if diff := cmp.Diff(was, contents(t, root)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(map[string]string{"x.yaml": "secret"}, contents(t, outside)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCommitNamesTheFileThatChanged(t *testing.T) {
	t.Parallel()
	r := openWriter(t, disk.Repository(t, map[string]string{"a.yaml": "2"}))
	err := commitAll(r, []Write{{Path: "a.yaml", Before: []byte("1"), After: []byte("3")}})
	var changed *ChangedError
	if !errors.As(err, &changed) || changed.Path != "a.yaml" {
		t.Error(err)
	}
}

// TestCommitOnFullDisk checks that every file stays as it was if the disk is full while staging, and that no temporary file
// is left.
func TestCommitOnFullDisk(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, start)
	r := openWriter(t, root)
	written := 0
	r.Probe = func(operation, name string) error {
		if operation != "write" {
			return nil
		}
		if written++; written < 4 { // the first is the ignore file
			return nil
		}
		return &os.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
	}
	err := commitAll(r, changes())
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "dir/kustomization.yaml: no space left on device; nothing was written") {
		t.Error(err)
	}
	if diff := cmp.Diff(start, contents(t, root)); diff != "" {
		t.Error(diff)
	}
}

// TestCommitInterrupted checks that the error of a failed rename lists the files that are done and those that are not.
func TestCommitInterrupted(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, start)
	r := openWriter(t, root)
	r.Probe = func(operation, name string) error {
		if operation == "exchange" && path.Base(name) == "kustomization.yaml" {
			return &os.LinkError{Op: "rename", Old: "1", New: name, Err: syscall.EIO}
		}
		return nil
	}
	err := commitAll(r, changes())
	var partial *PartialError
	if !errors.As(err, &partial) || !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"grant.yaml", "dir/new.yaml"}, partial.Done); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"dir/kustomization.yaml", "rest.yaml", "gone.yaml"}, partial.NotDone); diff != "" {
		t.Error(diff)
	}
	want := map[string]string{"grant.yaml": "g2", "dir/new.yaml": "n", "dir/kustomization.yaml": "k1", "rest.yaml": "r1", "gone.yaml": "x"}
	if diff := cmp.Diff(want, contents(t, root)); diff != "" {
		t.Error(diff)
	}
}

func TestCommitInReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root can write everywhere")
	}
	root := disk.Repository(t, start)
	dir := filepath.Join(root, "dir")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	if err := commitAll(openWriter(t, root), changes()); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	if diff := cmp.Diff(start, contents(t, root)); diff != "" {
		t.Error(diff)
	}
}

func TestCommitThroughSymlinks(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{"real/a.yaml": "1", "real/b.yaml": "1"})
	disk.Link(t, "real/a.yaml", root, "relative.yaml")
	disk.Link(t, filepath.Join(root, "real/b.yaml"), root, "absolute.yaml")
	disk.Link(t, "real", root, "folder")
	err := commitAll(openWriter(t, root), []Write{
		{Path: "relative.yaml", Before: []byte("1"), After: []byte("2")},
		{Path: "absolute.yaml", Before: []byte("1"), After: []byte("2")},
		{Path: "folder/new.yaml", After: []byte("3")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"real/a.yaml": "2", "real/b.yaml": "2", "real/new.yaml": "3"}
	if diff := cmp.Diff(want, contents(t, root)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"relative.yaml", "absolute.yaml"} {
		if info, err := os.Lstat(filepath.Join(root, name)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no longer a symlink", name)
		}
	}
}

// TestCommitLongName changes a file whose name leaves no room for a suffix.
func TestCommitLongName(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("ä", 125) + ".yaml"
	root := disk.Tree(t, map[string]string{name: "a: 1\n"})
	if err := commitAll(openWriter(t, root), []Write{{Path: name, Before: []byte("a: 1\n"), After: []byte("a: 2\n")}}); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(data) != "a: 2\n" {
		t.Errorf("%q, %v", data, err)
	}
}
