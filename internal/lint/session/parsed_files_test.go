package session

import (
	"context"
	"testing"
	"time"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/reading"
)

// TestRoundsParseOnce checks that a round takes over the documents that the round before has parsed, and those that its proof has parsed
// with their changes, but not a document whose bytes are others.
func TestRoundsParseOnce(t *testing.T) {
	t.Parallel()
	const file, rbac = "cache/extension.yaml", "cache/rbac.yaml"
	s, err := NewSession(context.Background(), Options{
		PolicyCache: policies, Tree: loadertest.Repository{Tree: tree{file: extension, rbac: account}},
		Config: settings.Default(), Target: "synthetic", Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Fixes: fixing.Fixes{Apply: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	first, err := s.round(t.Context(), s.options.Tree)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]*manifest.Node{file: s.snapshot.Collection.Files[file].Docs[0].Root, rbac: s.snapshot.Collection.Files[rbac].Docs[0].Root}
	proven := s.parsed.Files()
	results := &roundResults{tree: reading.NewEditedTree(s.options.Tree)}
	for _, w := range first.Writes {
		results.tree.Write(w, w.Before == nil)
	}
	if _, err := s.round(t.Context(), results.tree); err != nil {
		t.Fatal(err)
	}
	root := func(path string) *manifest.Node { return s.snapshot.Collection.Files[path].Docs[0].Root }
	if root(rbac) != before[rbac] {
		t.Error("a file that did not change was parsed again")
	}
	if root(file) == before[file] {
		t.Error("the content before the fix was taken over")
	}
	for _, w := range first.Writes {
		if proven[w.Path] == nil || root(w.Path) != proven[w.Path].Docs[0].Root {
			t.Errorf("%s was parsed by the proof of its change, and again", w.Path)
		}
	}
	if len(s.parsed.Files()) > 0 {
		t.Error("the files of earlier rounds are kept")
	}
}
