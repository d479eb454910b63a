package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
)

func TestOtherSpellingLeadsToNoFile(t *testing.T) {
	root := t.TempDir()
	disk.Put(t, root, "base/rbac.yaml", "kind: Role\n")
	s := &spelling{root: root, names: map[string]map[string]bool{}}
	for path, want := range map[string]error{
		"base/rbac.yaml": nil, "base": nil, ".": nil, "./base/rbac.yaml": nil, "../elsewhere": nil,
		"base/RBAC.yaml": fs.ErrNotExist, "Base/rbac.yaml": fs.ErrNotExist, "base/more.yaml": fs.ErrNotExist,
	} {
		if got := s.check(path); !errors.Is(got, want) {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "base", "more.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.check("base/more.yaml"); err != nil {
		t.Errorf("a file that a run has created: %v", err)
	}
}

func TestGitFolderInAnySpelling(t *testing.T) {
	for path, want := range map[string]bool{
		".git/config": true, "a/.GIT/config": true, ".Git": true, "GIT~1/config": true, ".git. /config": true,
		".github/x.yaml": false, "git/config": false, "a.git/x.yaml": false, "": false,
	} {
		if got := InGitFolder(path); got != want {
			t.Errorf("%q: got %v, want %v", path, got, want)
		}
	}
}
