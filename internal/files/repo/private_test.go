package repo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// TestCheckPrivate has folders that git, or a symlink of the repository, can have filled.
func TestCheckPrivate(t *testing.T) {
	t.Parallel()
	root := disk.Tree(t, map[string]string{".gitignore": "/cache\n", "tracked/a.build": "", "forced/sub/a.build": "", "src/a.yaml": "", "file": "", "Upper/a": ""})
	outside := t.TempDir()
	disk.Git(t, root, "init", "-q")
	disk.Git(t, root, "add", "-f", ".")
	if err := errors.Join(
		os.Mkdir(filepath.Join(root, "cache"), 0o700), os.MkdirAll(filepath.Join(root, "nested", ".git"), 0o700),
		os.Symlink(outside, filepath.Join(root, "link")), os.Symlink("cache", filepath.Join(root, "within")),
		os.Symlink(filepath.Join(root, "tracked"), filepath.Join(outside, "back")), os.Symlink("nowhere", filepath.Join(outside, "dangling")),
	); err != nil {
		t.Fatal(err)
	}
	r := open(t, root)
	for dir, want := range map[string]string{
		"cache":                              "",
		"cache/new/deeper":                   "",
		"new":                                "",
		filepath.Join(outside, "new"):        "",
		outside:                              "",
		"tracked":                            "git tracks tracked/a.build",
		"forced":                             "git tracks forced/sub/a.build",
		"TRACKED":                            "git tracks tracked/a.build",
		"upper":                              "git tracks Upper/a",
		"src/a.yaml/b":                       "src/a.yaml is a symbolic link or a file",
		"file":                               "file is a symbolic link or a file",
		"link":                               "link is a symbolic link or a file",
		"link/new":                           "link is a symbolic link or a file",
		"within":                             "within is a symbolic link or a file",
		"nested/cache":                       "nested is another repository",
		".git/cache":                         "folder of git",
		".GIT":                               "folder of git",
		".":                                  "root of the repository",
		filepath.Join(outside, "back"):       "git tracks tracked/a.build",
		filepath.Join(outside, "dangling/a"): "leads nowhere",
	} {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(root, dir)
		}
		err := r.CheckPrivate(t.Context(), dir)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", dir, err, want)
		}
	}
}

// TestCheckPrivateWithoutGit checks that nothing in the files is trusted if git cannot say where it comes from.
func TestCheckPrivateWithoutGit(t *testing.T) {
	root, outside := disk.Tree(t, map[string]string{"a.yaml": ""}), t.TempDir()
	r := open(t, root, root)
	if err := r.CheckPrivate(t.Context(), filepath.Join(root, "cache")); err == nil || !strings.Contains(err.Error(), "without git") {
		t.Errorf("no repository: %v", err)
	}
	if err := r.CheckPrivate(t.Context(), outside); err != nil {
		t.Errorf("outside: %v", err)
	}
	disk.Git(t, root, "init", "-q")
	r = open(t, root)
	t.Setenv("PATH", t.TempDir())
	if err := r.CheckPrivate(t.Context(), filepath.Join(root, "cache")); err == nil || !strings.Contains(err.Error(), "git cannot say") {
		t.Errorf("no program: %v", err)
	}
}
