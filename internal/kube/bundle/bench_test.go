package bundle_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/salint/salint/internal/kube/bundle"
)

// large returns a bundle whose ClusterServiceVersion has the given number of permission entries, and about as many bytes
// for descriptions and examples as published ones.
func large(entries int) fstest.MapFS {
	var b strings.Builder
	b.WriteString("install:\n  strategy: deployment\n  spec:\n    deployments: []\n    clusterPermissions:\n")
	for i := range entries {
		fmt.Fprintf(&b, "      - serviceAccountName: account-%d\n        rules:\n", i%50)
		for j := range 5 {
			fmt.Fprintf(&b, "          - apiGroups: [group%d.example.com]\n            resources: [things%d, things%d/status]\n            verbs: [get, list, watch, update]\n", j, i, i)
		}
	}
	b.WriteString("description: |\n" + strings.Repeat("  The operator does this and that, and here is more about it.\n", 18*entries))
	return tree(map[string]string{"manifests/csv.yaml": operator(b.String())})
}

func BenchmarkBundle(b *testing.B) {
	for _, entries := range []int{100, 1000, 3000} {
		files := large(entries)
		size := len(files["manifests/csv.yaml"].Data)
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				loaded, err := bundle.Load(files, ".")
				if err != nil {
					b.Fatal(err)
				}
				objects, err := loaded.Render(bundle.Options{Namespace: "shop"})
				if err != nil || len(objects) != 2*entries+50 {
					b.Fatal(len(objects), err)
				}
			}
		})
	}
}
