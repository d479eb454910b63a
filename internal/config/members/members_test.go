package members_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/members"
)

// folders makes folders, and a repository of git for each name that ends with /.git.
func folders(t *testing.T, names ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		dir := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if filepath.Base(dir) == ".git" {
			for _, sub := range []string{"objects", "refs"} {
				if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func read(t *testing.T, root, name, text string) (*members.File, error) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return members.Read(file, name)
}

func TestRead(t *testing.T) {
	t.Parallel()
	root := folders(t, "a/x", "b")
	f, err := read(t, root, "all.yaml", "repositories:\n  b: ./b\n  a: {path: a, addresses: [git@git.example.com:sea/a.git]}\nclusters:\n  reef: [a/x/, b]\n  atoll: [a]\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Repositories) != 2 || f.Repositories[0].Name != "a" || f.Repositories[0].Dir != filepath.Join(root, "a") || f.Repositories[0].Addresses[0] == "" {
		t.Errorf("got %+v", f.Repositories)
	}
	if got := f.Clusters["reef"]; len(got) != 2 || got[0] != (members.Root{Repository: "a", Dir: "x"}) || got[1] != (members.Root{Repository: "b", Dir: "."}) {
		t.Errorf("got %+v", f.Clusters)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                       "expected repositories:",
		"repositories: {}":       "expected repositories:",
		"repositories: [a]":      "cannot unmarshal",
		"repositories: {a: }":    "path: is required",
		"repositories: {a/b: a}": "a name has letters",
		"repositories: {a: {path: a, addres: [x]}}":     `unknown field "addres"`,
		"repositories: {a: {path: a, addresses: ['']}}": "is not the address of a repository",
		"repositories: {a: a}\nclusters: {c: [b]}":      `unknown repository "b"`,
		"repositories: {a: a}\nclusters: {c: [a/../b]}": "leads out of the repository",
		"repositories: {a: a}\nclusters: {c: [a/none]}": "has no none",
		"repositories: {a: a}\nmore: {}":                `unknown field "more"`,
		"repositories: {a: a, a: b}":                    "already set",
		"repositories: {a: {path: a, addresses: [https://github.com/X/y]}, b: {path: b, addresses: [git@github.com:x/Y]}}": "have the address",
	} {
		root := folders(t, "a", "b")
		if _, err := read(t, root, "all.yaml", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// A pull request can change a file of a repository.
func TestFileOfARepository(t *testing.T) {
	t.Parallel()
	root := folders(t, "src/fleet/.git", "src/fleet/apps", "src/other/.git", "src/other/apps", "src/private", "home/.git")
	for name, isAllowed := range map[string]bool{
		"apps": true, ".": true, "../other": true, filepath.Join(root, "src/other"): true,
		"../private": false, "../other/apps": false, "../../home": false, "..": false, "/": false,
	} {
		_, err := read(t, root, "src/fleet/all.yaml", "repositories: {a: "+name+"}\n")
		if (err == nil) != isAllowed {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "home"), filepath.Join(root, "src/fleet/link")); err == nil {
		if _, err := read(t, root, "src/fleet/all.yaml", "repositories: {a: link}\n"); err == nil {
			t.Error("a symbolic link is followed out of the repository")
		}
	}
	if _, err := read(t, root, "all.yaml", "repositories: {a: src/private, b: home}\n"); err != nil {
		t.Errorf("a file outside of all repositories: %v", err)
	}
}
