package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
)

// narrowed reads the settings of a repository "repo" in a folder with these files.
func narrowed(t *testing.T, platform string, files map[string]string) (*workspace.Workspace, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(dir, "repo")
	if err := os.MkdirAll(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := repo.Open(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	w := &workspace.Workspace{Dir: root, Repo: r}
	if platform != "" {
		w.Platform = filepath.Join(dir, filepath.FromSlash(platform))
	}
	w.Config, err = w.ReadConfig("", settings.GivenLimits{}, nil)
	return w, err
}

func TestExtendsOutsideOfTheRepository(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"repo/.salint.yaml":         "extends: ../platform/salint.yaml\nrules: {rbac/x: off}\n",
		"platform/salint.yaml":      "extends: more/base.yaml\npolicies: [policy]\nrules: {rbac/x: note}\n",
		"platform/more/base.yaml":   "rules: {rbac/x: error}\n",
		"platform/policy/x.rego":    "package x\n",
		"elsewhere/other-file.yaml": "rules: {}\n",
	}
	if _, err := narrowed(t, "", files); err == nil || !strings.Contains(err.Error(), "outside of the repository") {
		t.Errorf("a file of the repository reads one outside: %v", err)
	}
	if _, err := narrowed(t, "elsewhere/other-file.yaml", files); err == nil {
		t.Error("another file of the command line allows it")
	}
	w, err := narrowed(t, "platform/salint.yaml", files)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Config.For("a.yaml").Floor("rbac/x"); got != finding.Error {
		t.Errorf("the rule has at least the severity %s", got)
	}
	if n := len(w.NarrowingFiles()); n != 2 {
		t.Errorf("%d files narrow the settings", n)
	}
	if dirs := w.PolicyFolders(); len(dirs) != 1 || filepath.Base(filepath.Dir(dirs[0])) != "platform" {
		t.Errorf("policies of %v", dirs)
	}
}

func TestExtendsThroughASymbolicLink(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("rules: {rbac/x: error}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "platform.yaml")); err != nil {
		t.Skipf("symbolic links cannot be made here: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".salint.yaml"), []byte("extends: platform.yaml\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := repo.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w := &workspace.Workspace{Dir: dir, Repo: r}
	if _, err := w.ReadConfig("", settings.GivenLimits{}, nil); err == nil {
		t.Error("a symbolic link is followed out of the repository")
	}
}
