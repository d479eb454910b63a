package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
)

func TestOpenFindsTheRoot(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{"a/b/x.yaml": "", "a/y.yaml": "", "linked/.git": "gitdir: /elsewhere\n", "linked/x.yaml": ""})
	plain := disk.Tree(t, map[string]string{"a/b/x.yaml": "", "a/c/y.yaml": "", ".git/": ""})
	tests := map[string]struct {
		cwd   string
		paths []string
		root  string
		git   bool
	}{
		"no path":                           {root, nil, root, true},
		"a folder below":                    {filepath.Join(root, "a"), nil, root, true},
		"a file by absolute path":           {plain, []string{filepath.Join(root, "a/y.yaml")}, root, true},
		"two files":                         {root, []string{"a/y.yaml", "a/b/x.yaml"}, root, true},
		"a linked work tree":                {root, []string{"linked/x.yaml"}, filepath.Join(root, "linked"), true},
		"no git":                            {plain, []string{"a/b"}, filepath.Join(plain, "a/b"), false},
		"no git, one file":                  {plain, []string{"a/b/x.yaml"}, filepath.Join(plain, "a/b"), false},
		"no git, a common folder":           {plain, []string{"a/b/x.yaml", "a/c"}, filepath.Join(plain, "a"), false},
		"no git, nested folders":            {plain, []string{"a/b/x.yaml", "a"}, filepath.Join(plain, "a"), false},
		"an empty .git is not a repository": {plain, []string{"."}, plain, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t, test.cwd, test.paths...)
			if r.Root != test.root || (r.GitRoot != "") != test.git || r.WorkDir != test.cwd {
				t.Errorf("root %s, git %q, working directory %s", r.Root, r.GitRoot, r.WorkDir)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{"x.yaml": ""})
	other := disk.Repository(t, map[string]string{"x.yaml": ""})
	plain := disk.Tree(t, map[string]string{"x.yaml": ""})
	disk.Link(t, filepath.Join(plain, "x.yaml"), root, "away.yaml")
	tests := map[string]struct {
		paths []string
		want  string
	}{
		"a path that does not exist":      {[]string{"x.yaml", "missing.yaml"}, "missing.yaml: no such file or folder"},
		"two repositories":                {[]string{"x.yaml", other}, "is outside the repository " + root},
		"a repository and a plain folder": {[]string{filepath.Join(plain, "x.yaml"), "."}, "is outside the repository " + root},
		"a symlink that leads outside":    {[]string{".", "away.yaml"}, "away.yaml is outside the repository"},
		"git's own files":                 {[]string{".git/HEAD"}, ".git/HEAD is in .git"},
		"git's own folder":                {[]string{".git"}, ".git is in .git"},
		"a device":                        {[]string{os.DevNull}, "neither a file nor a folder"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Open(root, test.paths)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestSelected(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{"a/b/x.yaml": "", "c/y.yaml": "", "c/z.yaml": ""})
	disk.Link(t, "y.yaml", root, "c/link.yaml")
	some := open(t, root, "a", "c/link.yaml")
	for p, want := range map[string]bool{
		"a": true, "a/b/x.yaml": true, "a/b/new.yaml": true, "ab/x.yaml": false,
		"c/y.yaml": true, "c/z.yaml": false, "c": false, ".": false,
	} {
		if got := some.Selected(p); got != want {
			t.Errorf("Selected(%s) = %v", p, got)
		}
	}
	if !open(t, root).Selected("c/z.yaml") {
		t.Error("without paths everything is selected")
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{"a/x.yaml": "kind: Pod\n", "large.yaml": strings.Repeat("#", 100)})
	outside := disk.Tree(t, map[string]string{"secret.yaml": "secret"})
	disk.Link(t, "a/x.yaml", root, "relative.yaml")
	disk.Link(t, filepath.Join(root, "a/x.yaml"), root, "absolute.yaml")
	disk.Link(t, filepath.Join(outside, "secret.yaml"), root, "away.yaml")
	r := open(t, root)
	walk(t, r, WalkOptions{MaxFileSize: 50})
	for p, want := range map[string]string{
		"a/x.yaml": "kind: Pod\n", "relative.yaml": "kind: Pod\n", "absolute.yaml": "kind: Pod\n",
	} {
		if data, err := r.Read(p); err != nil || string(data) != want {
			t.Errorf("Read(%s) = %q, %v", p, data, err)
		}
	}
	for p, want := range map[string]string{
		"away.yaml": "away.yaml: ", "../" + filepath.Base(outside) + "/secret.yaml": "secret.yaml: ",
		"missing.yaml": "missing.yaml: ", "a": "a: not a regular file",
		"large.yaml": "large.yaml: 100 B, over the limit of 50 B",
	} {
		if data, err := r.Read(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%s) = %q, %v", p, data, err)
		}
	}
}
