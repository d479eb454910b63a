package pathset

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSet(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]string{
		"sorted":   {"a/b/Chart.yaml", "a/b/c/x.yaml", "a/b/c/y.yaml", "a/x.yaml", "d/MyChart.yaml", "z.yaml"},
		"unsorted": {"z.yaml", "a/x.yaml", "a/b/c/y.yaml", "d/MyChart.yaml", "a/b/c/x.yaml", "a/b/Chart.yaml"},
	} {
		s := Of(files)
		for p, want := range map[string]struct{ file, folder bool }{
			"a/b/c/x.yaml": {file: true}, "z.yaml": {file: true}, "a": {folder: true}, "a/b": {folder: true}, "a/b/c": {folder: true}, "d": {folder: true}, ".": {folder: true},
			"": {}, "a/": {}, "a/b/c/z.yaml": {}, "b": {}, "x.yaml": {}, "/": {},
		} {
			if s.HasFile(p) != want.file || s.HasFolder(p) != want.folder || s.Has(p) != (want.file || want.folder) {
				t.Errorf("%s: %q: file %v, folder %v", name, p, s.HasFile(p), s.HasFolder(p))
			}
		}
		if diff := cmp.Diff([]string{".", "a", "a/b", "a/b/c", "d"}, slices.Sorted(s.Folders())); diff != "" {
			t.Errorf("%s: folders (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]string{"a/b"}, slices.Collect(s.FoldersWith("Chart.yaml"))); diff != "" {
			t.Errorf("%s: folders with a file (-want +got):\n%s", name, diff)
		}
	}
}

func TestEmptySets(t *testing.T) {
	t.Parallel()
	var none *Set
	if none.Has(".") || none.HasFile("a") || len(none.Files()) > 0 || len(slices.Collect(none.Folders())) > 0 || len(slices.Collect(none.FoldersWith("a"))) > 0 {
		t.Error("a nil set has something")
	}
	if s := Of(nil); !s.Has(".") || s.HasFile(".") || len(s.Files()) > 0 {
		t.Error("a repository without files has not only itself")
	}
}
