package render_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/render"
)

func TestFolderErrors(t *testing.T) {
	t.Parallel()
	files := tree(map[string]string{"a/x.yaml": "kind: A\n  b: c\n", "b/x.yaml": "kind: A\nkind: B\n"})
	for dir, want := range map[string]string{
		"a":    "a/x.yaml:2",
		"b":    `b/x.yaml:2:1: not valid YAML: the key is already set on line 1`,
		"../a": "outside the repository",
		"c":    "c: ",
	} {
		if _, err := render.Folder(t.Context(), files, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", dir, err, want)
		}
	}
}
