package lint

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/files/repo"
)

// TestTextsOfAllFiles checks that files beyond maxTexts are read again: they decide, for example, whether something applies a folder.
func TestTextsOfAllFiles(t *testing.T) {
	t.Parallel()
	c := &contents{Collection: &loader.Collection{Names: []string{"b.yaml"}}, texts: texts{files: map[string][]byte{}}}
	for _, file := range []repo.File{{Path: "a.sh", Data: []byte("a")}, {Path: "b.yaml", Data: make([]byte, maxTexts)}, {Path: "c.sh"}, {Path: "gone.sh"}} {
		c.texts.add(file)
	}
	s := &snapshot{contents: c, tree: loadertest.Repository{Tree: tree{"b.yaml": "b", "c.sh": "c"}}}
	got := map[string]string{}
	for file, data := range s.textsOf(func(file string) bool { return file != "a.sh" }) {
		got[file] = string(data)
	}
	want := map[string]string{"b.yaml": "b", "c.sh": "c"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if all := maps.Collect(s.textsOf(func(string) bool { return true })); string(all["a.sh"]) != "a" || len(all) != 3 {
		t.Errorf("all texts: %q", all)
	}
	c.texts.shrink()
	if all := maps.Collect(s.textsOf(func(string) bool { return true })); len(all) != 2 || len(c.texts.files) != 0 {
		t.Errorf("texts that are not kept: %q, and %d kept", all, len(c.texts.files))
	}
}
