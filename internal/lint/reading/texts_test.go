package reading

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/repo"
)

// TestTextsOfAllFiles checks that files beyond maxTexts are read again: they decide, for example, whether something applies a folder.
func TestTextsOfAllFiles(t *testing.T) {
	t.Parallel()
	s := &Snapshot{
		Collection: &loader.Collection{Names: []string{"b.yaml"}}, texts: texts{files: map[string][]byte{}},
		Tree: loadertest.Repository{Tree: filestest.Tree{"b.yaml": "b", "c.sh": "c"}},
	}
	for _, file := range []repo.File{{Path: "a.sh", Data: []byte("a")}, {Path: "b.yaml", Data: make([]byte, maxTexts)}, {Path: "c.sh"}, {Path: "gone.sh"}} {
		s.texts.add(file)
	}
	got := map[string]string{}
	for file, data := range s.Texts(func(file string) bool { return file != "a.sh" }) {
		got[file] = string(data)
	}
	want := map[string]string{"b.yaml": "b", "c.sh": "c"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if all := maps.Collect(s.Texts(func(string) bool { return true })); string(all["a.sh"]) != "a" || len(all) != 3 {
		t.Errorf("all texts: %q", all)
	}
	s.texts.shrink()
	if all := maps.Collect(s.Texts(func(string) bool { return true })); len(all) != 2 || len(s.texts.files) != 0 {
		t.Errorf("texts that are not kept: %q, and %d kept", all, len(s.texts.files))
	}
}
