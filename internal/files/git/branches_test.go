package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestBranches(t *testing.T) {
	for _, name := range slices.Concat(targetVariables, sourceVariables) {
		t.Setenv(name, "")
	}
	for name, test := range map[string]struct {
		head, remote, target string
		want                 []string
	}{
		"a branch":                      {"ref: refs/heads/work\n", "", "", []string{"work", "main", "master"}},
		"a known default branch":        {"ref: refs/heads/work\n", "ref: refs/remotes/origin/develop\n", "", []string{"work", "develop"}},
		"no branch":                     {"0123456789abcdef0123456789abcdef01234567\n", "", "", nil},
		"no branch, in a pull request":  {"0123456789abcdef0123456789abcdef01234567\n", "", "release", []string{"release", "main", "master"}},
		"a branch, in a merge pipeline": {"ref: refs/heads/work\n", "", "release", []string{"work", "release", "main", "master"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GITHUB_BASE_REF", test.target)
			root := t.TempDir()
			for file, text := range map[string]string{"HEAD": test.head, "refs/remotes/origin/HEAD": test.remote, "config": "", "objects/x": ""} {
				if text == "" && file != "config" && file != "objects/x" {
					continue
				}
				full := filepath.Join(root, ".git", filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := &Repository{root: root, isWorkTree: true}
			if got := r.Branches(); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
