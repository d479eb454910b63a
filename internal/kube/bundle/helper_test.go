package bundle_test

import (
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/rendered"
)

// operator is the smallest ClusterServiceVersion, with the given text in its spec.
func operator(spec ...string) string {
	head := `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: shop.v1.2.0
spec:
  displayName: Shop
  version: 1.2.0
`
	if !strings.Contains(strings.Join(spec, ""), "installModes:") {
		head += "  installModes: [{type: AllNamespaces, supported: true}]\n"
	}
	for _, part := range spec {
		head += "  " + strings.ReplaceAll(strings.TrimSpace(part), "\n", "\n  ") + "\n"
	}
	return head
}

const annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: shop\n"

// tree returns a file system with the given files, which set the package unless the test does.
func tree(files filestest.Tree) fstest.MapFS {
	all := filestest.Tree{"metadata/annotations.yaml": annotations}
	maps.Copy(all, files)
	return all.FS()
}

func render(t *testing.T, dir string, o bundle.Options) []rendered.Object {
	t.Helper()
	b, err := bundle.Load(os.DirFS("testdata"), dir)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := b.Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}
