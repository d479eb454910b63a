package ignore

import "testing"

// TestList checks that lists of other programs can include files of an excluded folder again.
func TestList(t *testing.T) {
	t.Parallel()
	rules := ParseList([]byte("/*\n!/deploy/\n*.md\n"), "sub")
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
