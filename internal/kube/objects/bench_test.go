package objects_test

import (
	"fmt"
	"testing"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// BenchmarkUnits assembles 16,000 objects in 10,000 files, a tenth of which kustomizations list, and looks each of them up.
func BenchmarkUnits(b *testing.B) {
	tr := tree{}
	for i := range 10_000 {
		text := account("ns", fmt.Sprint("account-", i))
		if i%5 < 3 {
			text += "---\n" + binding(fmt.Sprint("binding-", i), "ns", fmt.Sprint("account-", i))
		}
		tr[fmt.Sprintf("apps/%d/%d.yaml", i%100, i)] = text
	}
	for i := range 100 {
		text := "resources:\n"
		for k := range 10 {
			text += fmt.Sprintf("- %d.yaml\n", i+100*k)
		}
		tr[fmt.Sprintf("apps/%d/kustomization.yaml", i)] = text
	}
	objs, kustomizations, files := objectstest.Objects(b, tr), objectstest.Kustomizations(b, tr), tr.Names()
	for b.Loop() {
		found := 0
		for _, u := range assembly.Units(objs, kustomizations, files...) {
			for _, o := range u.Objects {
				found += len(u.Find(objects.Query{Group: &o.Group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}))
			}
		}
		if found != 16_000 {
			b.Fatalf("%d objects found", found)
		}
	}
}
