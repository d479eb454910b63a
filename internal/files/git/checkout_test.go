package git

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest/disk"
)

// committed returns a repository with one commit.
func committed(t *testing.T, files map[string]string) string {
	t.Helper()
	root := disk.Tree(t, files)
	disk.Git(t, root, "init", "-q")
	disk.Git(t, root, "add", "-A")
	disk.Git(t, root, "commit", "-qm", "first")
	return root
}

func TestCheckout(t *testing.T) {
	files := map[string]string{"a/x.yaml": "a: 1\n", "a/y.yaml": "a: 2\n", "b/c/z.yaml": "a: 3\n", "top.yaml": "a: 4\n"}
	for name, test := range map[string]struct {
		git     []string
		remove  string
		leftOut []string
	}{
		"complete":                          {nil, "", nil},
		"a deleted file":                    {nil, "a/x.yaml", nil},
		"a sparse checkout":                 {[]string{"sparse-checkout set a"}, "", []string{"b/c/z.yaml"}},
		"patterns":                          {[]string{"sparse-checkout set --no-cone /a/x.yaml"}, "", []string{"a/y.yaml", "b/c/z.yaml", "top.yaml"}},
		"a sparse index":                    {[]string{"sparse-checkout set --sparse-index a"}, "", []string{"b/c/z.yaml"}},
		"a split index":                     {[]string{"sparse-checkout set a", "update-index --split-index"}, "", []string{"b/c/z.yaml"}},
		"a sparse checkout, a deleted file": {[]string{"sparse-checkout set a"}, "a/x.yaml", []string{"b/c/z.yaml"}},
		"a bit of a file that is there":     {[]string{"update-index --skip-worktree a/x.yaml"}, "", nil},
		"a bit of a file that is not":       {[]string{"update-index --skip-worktree a/x.yaml"}, "a/x.yaml", []string{"a/x.yaml"}},
		"a later version of the index":      {[]string{"update-index --index-version 4"}, "a/x.yaml", nil},
	} {
		t.Run(name, func(t *testing.T) {
			root := committed(t, files)
			for _, line := range test.git {
				disk.Git(t, root, strings.Fields(line)...)
			}
			if test.remove != "" {
				if err := os.Remove(filepath.Join(root, filepath.FromSlash(test.remove))); err != nil {
					t.Fatal(err)
				}
			}
			c, err := New(root, true, os.DirFS(root)).Checkout(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			if c != nil {
				got = slices.Sorted(maps.Keys(c.LeftOut.Files))
			}
			if diff := cmp.Diff(test.leftOut, got); diff != "" {
				t.Errorf("left out (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckoutOfLinks(t *testing.T) {
	root := committed(t, map[string]string{"base/x.yaml": "a: 1\n"})
	disk.Link(t, "base", root, "app")
	disk.Git(t, root, "add", "-A")
	disk.Git(t, root, "commit", "-qm", "a link")
	r := New(root, true, os.DirFS(root))
	if c, err := r.Checkout(t.Context()); c != nil || err != nil {
		t.Errorf("a checkout with links: got %v, %v", c, err)
	}
	disk.Git(t, root, "config", "core.symlinks", "false")
	c, err := r.Checkout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(c.TextLinks) != 1 || c.TextLinks["app"] == nil {
		t.Errorf("a checkout without links: got %v", c.TextLinks)
	}
}

func TestCheckoutOfNamesThatDifferInCase(t *testing.T) {
	root := committed(t, map[string]string{"a/x.yaml": "a: 1\n", "a/X.yaml": "a: 2\n", "A/y.yaml": "a: 3\n", "b/z.yaml": "a: 4\n"})
	disk.Git(t, root, "config", "core.ignoreCase", "true")
	c, err := New(root, true, os.DirFS(root)).Checkout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a/x.yaml": "a/X.yaml", "a/X.yaml": "a/x.yaml", "a": "A", "A": "a"}
	if diff := cmp.Diff(want, c.Folded); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
