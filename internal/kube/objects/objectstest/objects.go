// Package objectstest reads manifests in memory as objects and deployment units. Only tests import it.
package objectstest

import (
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
)

// Objects returns the objects of every file.
func Objects(t testing.TB, files filestest.Tree) []*objects.Object {
	t.Helper()
	var objs []*objects.Object
	for _, name := range files.Names() {
		objs = append(objs, In(t, name, files[name])...)
	}
	return objs
}

// Kustomizations returns the kustomizations among the files.
func Kustomizations(t testing.TB, files filestest.Tree) []*objects.Kustomization {
	t.Helper()
	var all []*objects.Kustomization
	for _, name := range files.Names() {
		if !objects.IsKustomizationFile(name) {
			continue
		}
		for _, doc := range Parse(t, name, files[name]) {
			k, err := objects.ReadKustomization(doc)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, k)
		}
	}
	return all
}

// Units returns the deployment units of the files.
func Units(t testing.TB, files filestest.Tree) []*objects.Unit {
	t.Helper()
	return assembly.Units(Objects(t, files), Kustomizations(t, files), files.Names()...)
}

// Plain returns the files as one unit of plain files.
func Plain(t testing.TB, files filestest.Tree) *objects.Unit {
	t.Helper()
	units := assembly.Units(Objects(t, files), nil)
	if len(units) != 1 {
		t.Fatalf("%d units, want one", len(units))
	}
	return units[0]
}

// Applied returns the files as one kustomization.
func Applied(t testing.TB, files filestest.Tree) *objects.Unit {
	t.Helper()
	return &objects.Unit{Name: "k", Kind: objects.KustomizationUnit, Objects: Objects(t, files)}
}

// In returns the objects of a file.
func In(t testing.TB, name, text string) []*objects.Object {
	t.Helper()
	var objs []*objects.Object
	for _, doc := range Parse(t, name, text) {
		objs = append(objs, objects.Objects(doc)...)
	}
	return objs
}

// Parse returns the documents of a file, parsed.
func Parse(t testing.TB, name, text string) []*manifest.Document {
	t.Helper()
	docs := manifest.Scan(name, []byte(text)).Docs
	for _, doc := range docs {
		if err := doc.Parse(); err != nil {
			t.Fatal(err)
		}
	}
	return docs
}
