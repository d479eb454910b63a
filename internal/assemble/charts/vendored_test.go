package charts

import (
	"testing"

	"github.com/salint/salint/internal/files/filestest"
)

func TestSourceOf(t *testing.T) {
	t.Parallel()
	files := filestest.Tree{
		"charts/fleet/Chart.yaml": "dependencies:\n- {name: lib, repository: file://../lib}\n- {name: far, repository: 'https://example.com'}\n" +
			"- {name: up, repository: file://../../../up}\n- {name: abs, repository: file:///charts/lib}\n",
		"charts/lib/templates/_e.tpl": "x", "charts/fleet/charts/lib/templates/_e.tpl": "x",
		"fleet/Chart.yaml": "{", "top/Chart.yaml": "dependencies: [{name: lib, repository: 'file://../charts/lib/'}]",
	}
	for file, want := range map[string]string{
		"charts/fleet/charts/lib/templates/_e.tpl":   "charts/lib/templates/_e.tpl",
		"top/charts/lib/templates/_e.tpl":            "charts/lib/templates/_e.tpl",
		"charts/fleet/charts/lib/templates/_new.tpl": "",
		"charts/fleet/charts/far/templates/_e.tpl":   "",
		"charts/fleet/charts/up/templates/_e.tpl":    "",
		"charts/fleet/charts/abs/templates/_e.tpl":   "",
		"charts/lib/templates/_e.tpl":                "",
		"fleet/charts/lib/templates/_e.tpl":          "",
		"other/charts/lib/templates/_e.tpl":          "",
	} {
		if got := SourceOf(file, files.Read); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}
