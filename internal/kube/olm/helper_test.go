package olm_test

import (
	"testing"

	"github.com/salint/salint/internal/files/manifest"
)

// object parses one YAML document.
func object(t *testing.T, text string) *manifest.Node {
	t.Helper()
	file := manifest.Scan("object.yaml", []byte(text))
	if len(file.Docs) != 1 {
		t.Fatalf("%d documents, want one", len(file.Docs))
	}
	if err := file.Docs[0].Parse(); err != nil {
		t.Fatal(err)
	}
	return file.Docs[0].Root
}
