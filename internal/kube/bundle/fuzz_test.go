package bundle_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/bundle"
)

// FuzzLoad checks that any files yield a result or an error with its position.
func FuzzLoad(f *testing.F) {
	for _, name := range []string{"shop/manifests/operator.yaml", "shop/manifests/others.yaml", "forge/manifests/forge.clusterserviceversion.yaml"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), annotations)
	}
	f.Add(operator(owned, deployments), "properties: [{type: olm.constraint, value: {}}]")
	f.Add(catalog("shop.v1.2.0", objectProperty(jsonOperator)), "")
	f.Add(laughs(), "")
	f.Add(jsonOperator+"\n---\nkind: List\nitems: [", "")
	f.Fuzz(func(t *testing.T, manifest, metadata string) {
		for _, files := range []filestest.Tree{
			{"manifests/a.yaml": manifest, "metadata/annotations.yaml": metadata, "metadata/properties.yaml": metadata,
				"manifests/crd.yaml": definition},
			{"catalog.yaml": manifest},
		} {
			check(t, files.FS())
		}
	})
}

func check(t *testing.T, files fstest.MapFS) {
	b, err := bundle.Load(files, ".")
	if err != nil {
		if !strings.Contains(err.Error(), ":") {
			t.Errorf("no place: %v", err)
		}
		return
	}
	for _, watch := range [][]string{nil, {"shop"}, {"market"}} {
		objects, err := b.Render(bundle.Options{Namespace: "shop", WatchNamespaces: watch, Package: "shop"})
		var refused *bundle.UnsupportedError
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("an error that is no refusal: %v", err)
		}
		for _, o := range objects {
			if o.Kind() == "" || o.Origin.File == "" || o.Origin.Line < 1 {
				t.Errorf("no kind or no place: %v", o)
			}
		}
	}
}
