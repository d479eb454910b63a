package repo

import "testing"

func TestIgnored(t *testing.T) {
	t.Parallel()
	root := repository(t, map[string]string{
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
	plain := open(t, tree(t, map[string]string{".gitignore": "*\n"}), ".")
	if _, is := plain.Ignored("a.yaml"); is {
		t.Error("without git nothing is ignored")
	}
}

// TestRules checks that rules of other programs can include files of an excluded folder again.
func TestRules(t *testing.T) {
	t.Parallel()
	rules := ParseRules([]byte("/*\n!/deploy/\n*.md\n"), "sub")
	for file, want := range map[string]struct {
		line    int
		ignored bool
	}{
		"sub/a.yaml": {1, true}, "sub/deploy/x/a.yaml": {2, false}, "sub/deploy/a.md": {3, true}, "a.md": {}, "subway/a.md": {},
	} {
		if line, ignored := rules.Decide(file); line != want.line || ignored != want.ignored {
			t.Errorf("%s: line %d, %t, want %+v", file, line, ignored, want)
		}
	}
}
