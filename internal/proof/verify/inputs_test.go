package verify

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

func TestClaimed(t *testing.T) {
	t.Parallel()
	claim := func(field, file string) objects.NonObjectInput {
		return objects.NonObjectInput{File: file, Field: field, Position: objects.Position{File: "kustomization.yaml", Line: 4, Column: 3}}
	}
	units := []*objects.Unit{{}, {NonObjectInputs: []objects.NonObjectInput{claim("crds", "crd.yaml"), claim("transformers", "t")}}}
	changes := []engine.FileChange{{Path: "t.yaml"}, {Path: "crd.yaml"}, {Path: "t/a.yaml"}}
	var got []string
	for _, f := range changedInputs(units, changes) {
		got = append(got, f.reason)
	}
	want := []string{
		"crds at kustomization.yaml:4:3 reads crd.yaml, which would change",
		"transformers at kustomization.yaml:4:3 reads t/a.yaml, which would change",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
