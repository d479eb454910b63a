package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/salint/salint/rego"
)

// TestGeneratedFilesAreCurrent checks that the index and the documentation match the METADATA.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	t.Parallel()
	files, err := derived(rego.Policies)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range files {
		got, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate ./rules", file)
		}
	}
}
