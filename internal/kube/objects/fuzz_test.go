package objects_test

import (
	"testing"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
)

// FuzzRead reads arbitrary bytes as objects and as a kustomization. Nothing panics, and every result is within
// the file.
func FuzzRead(f *testing.F) {
	f.Add("kind: Pod\nmetadata: {name: &n a}\nspec: {serviceAccountName: *n}\n")
	f.Add("kind: List\nitems: &i [{kind: List, items: *i}]\n")
	f.Add("resources: [a, {b: c}, *x]\npatches: [null, {path: [a]}]\nlabels: 7\n<<: {namePrefix: a}\n")
	f.Add("kind: RoleBinding\nsubjects: [null, a, {kind: ServiceAccount, name: [a]}]\n")
	f.Add("{kind: ClusterExtension, apiVersion: olm.operatorframework.io/v1, spec: {serviceAccount: {name: \"\\na\"}}}")
	f.Fuzz(func(t *testing.T, text string) {
		var objs []*objects.Object
		var kustomizations []*objects.Kustomization
		for _, doc := range manifest.Scan("k/kustomization.yaml", []byte(text)).Docs {
			if doc.Parse() != nil {
				continue
			}
			objs = append(objs, objects.Objects(doc)...)
			if k, err := objects.ReadKustomization(doc); err == nil {
				kustomizations = append(kustomizations, k)
			}
		}
		for _, u := range assembly.Units(objs, kustomizations, "k/kustomization.yaml") {
			for _, o := range u.Objects {
				if u.Object(o.Ref()) != o {
					t.Errorf("the reference %s is not that of one object", o.Ref())
				}
			}
		}
		for _, o := range objs {
			o.JSON()
			for _, ref := range objects.AccountReferences(o) {
				if ref.Path != nil && o.Node.Lookup(ref.Path) == nil {
					t.Errorf("%s: the reference to %v leads nowhere: %s", o.Ref(), ref.Account, ref.Path)
				}
			}
		}
	})
}
