package repo

import (
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
)

func TestIgnored(t *testing.T) {
	t.Parallel()
	root := disk.Repository(t, map[string]string{
		".gitignore": "# made\n*-made.yaml\n/out/\n", "a/.gitignore": "!keep-made.yaml\nlocal.yaml\n", "a/b/c.yaml": "",
		"out/.gitignore": "!*\n", ".git/info/exclude": "mine.yaml\n",
	})
	r := open(t, root, ".")
	for file, want := range map[string]string{
		"x-made.yaml": ".gitignore:2", "a/b/x-made.yaml": ".gitignore:2", "a/keep-made.yaml": "", "a/b/local.yaml": "a/.gitignore:2",
		"out/x.yaml": ".gitignore:3", "deep/mine.yaml": ".git/info/exclude:1", "a/x.yaml": "", "new/folder/x.yaml": "",
	} {
		if place, is := r.Ignored(file); place != want || is != (want != "") {
			t.Errorf("%s: %t at %q, want %q", file, is, place, want)
		}
	}
	plain := open(t, disk.Tree(t, map[string]string{".gitignore": "*\n"}), ".")
	if _, is := plain.Ignored("a.yaml"); is {
		t.Error("without git nothing is ignored")
	}
}
