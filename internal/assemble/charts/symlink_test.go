package charts

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/salint/salint/internal/render"
)

func TestLinked(t *testing.T) {
	t.Parallel()
	files := render.ReadOnce(render.FromFS(fstest.MapFS{
		"common/_x.tpl":     {Data: []byte("x")},
		"app/charts/common": {Data: []byte("../../common"), Mode: fs.ModeSymlink},
		"app/e.yaml":        {Data: []byte("x")},
		"app/f.yaml":        {Data: []byte("e.yaml"), Mode: fs.ModeSymlink},
	}))
	r := &Rendered{files: files}
	for file, want := range map[string]string{
		"app/e.yaml": "", "app/charts/common/_x.tpl": "app/charts/common", "app/f.yaml": "app/f.yaml", "app/none.yaml": "",
	} {
		if got := r.Linked(file); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}
