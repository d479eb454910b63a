// Package objectstest provides manifests in memory as objects and deployment units. Only tests import it.
package objectstest

import (
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/test/golden"
)

// Tree is a repository in memory: the content of each file by its path.
type Tree map[string]string

// Names returns the paths of the files, sorted.
func (tr Tree) Names() []string { return slices.Sorted(maps.Keys(tr)) }

// FS returns the files as a file system.
func (tr Tree) FS() fs.FS { return golden.FS(tr) }

// Objects returns the objects of every file.
func (tr Tree) Objects(t testing.TB) []*objects.Object {
	t.Helper()
	var objs []*objects.Object
	for _, name := range tr.Names() {
		for _, doc := range Parse(t, name, tr[name]) {
			objs = append(objs, objects.Objects(doc)...)
		}
	}
	return objs
}

// Kustomizations returns the kustomizations among the files.
func (tr Tree) Kustomizations(t testing.TB) []*objects.Kustomization {
	t.Helper()
	var all []*objects.Kustomization
	for _, name := range tr.Names() {
		if !objects.IsKustomizationFile(name) {
			continue
		}
		for _, doc := range Parse(t, name, tr[name]) {
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
func (tr Tree) Units(t testing.TB) []*objects.Unit {
	t.Helper()
	return objects.Units(tr.Objects(t), tr.Kustomizations(t), tr.Names()...)
}

// Plain returns the files as one unit of plain files.
func (tr Tree) Plain(t testing.TB) *objects.Unit {
	t.Helper()
	units := objects.Units(tr.Objects(t), nil)
	if len(units) != 1 {
		t.Fatalf("%d units, want one", len(units))
	}
	return units[0]
}

// Applied returns the files as one kustomization.
func (tr Tree) Applied(t testing.TB) *objects.Unit {
	t.Helper()
	return &objects.Unit{Name: "k", Kind: objects.KustomizationUnit, Objects: tr.Objects(t)}
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
