package render_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render"
)

func TestWithEdits(t *testing.T) {
	t.Parallel()
	below := tree(map[string]string{"a/one.yaml": "1", "a/two.yaml": "2", "b/three.yaml": "3"})
	files := render.WithEdits(below, map[string][]byte{"a/one.yaml": []byte("new"), "a/two.yaml": nil, "a/c/d/four.yaml": []byte("4")})
	for name, want := range map[string]string{"a/one.yaml": "new", "b/three.yaml": "3", "a/c/d/four.yaml": "4"} {
		if got, err := files.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := files.ReadFile("a/two.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed file: %v", err)
	}
	for dir, want := range map[string][]string{".": {"a/", "b/"}, "a": {"c/", "one.yaml"}, "a/c": {"d/"}, "a/c/d": {"four.yaml"}, "b": {"three.yaml"}} {
		entries, err := files.ReadDir(dir)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name()+map[bool]string{true: "/"}[e.IsDir()])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", dir, diff)
		}
	}
	if _, err := files.ReadDir("z"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is nowhere: %v", err)
	}
}

// An edit is built before it is written.
func TestEditsAreBuilt(t *testing.T) {
	t.Parallel()
	files := render.WithEdits(tree(base), map[string][]byte{
		"base/kustomization.yaml": []byte("resources: [extension.yaml, new.yaml]\n"),
		"base/new.yaml":           []byte(strings.ReplaceAll(account, "installer", "other")),
		"base/rbac.yaml":          nil,
	})
	got, err := render.Kustomize(t.Context(), files, "base", render.KustomizeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"ServiceAccount ops/other base/new.yaml:1", "ClusterExtension shop base/extension.yaml:2"}
	if diff := cmp.Diff(want, lines(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
