package charts

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/render"
)

func TestLinked(t *testing.T) {
	t.Parallel()
	system := filestest.Tree{"common/_x.tpl": "x", "app/e.yaml": "x"}.FS()
	system["app/charts/common"] = &fstest.MapFile{Data: []byte("../../common"), Mode: fs.ModeSymlink}
	system["app/f.yaml"] = &fstest.MapFile{Data: []byte("e.yaml"), Mode: fs.ModeSymlink}
	files := render.ReadOnce(render.FromFS(system))
	r := &Rendered{files: files}
	for file, want := range map[string]string{
		"app/e.yaml": "", "app/charts/common/_x.tpl": "app/charts/common", "app/f.yaml": "app/f.yaml", "app/none.yaml": "",
	} {
		if got := r.Linked(file); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}
