package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEach(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"a/kustomization.yaml", "b/c/kustomization.yaml", "d/other.yaml"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := each(root, []string{"rmdir"}); err == nil || !strings.Contains(err.Error(), filepath.Join(root, "a")) {
		t.Errorf("a failing program gave %v, want an error that names the folder", err)
	}
	if err := each(root, []string{"touch", filepath.Join(root, "done")}); err != nil {
		t.Error(err)
	}
}
