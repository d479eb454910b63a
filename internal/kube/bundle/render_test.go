package bundle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/test/golden"
)

// The bundles are ours. What is expected was compared with what operator-controller renders of them.
func TestRender(t *testing.T) {
	tests := []struct {
		dir, name string
		options   bundle.Options
	}{
		{"shop", "all", bundle.Options{Namespace: "shop-system"}},
		{"shop", "own", bundle.Options{Namespace: "shop-system", WatchNamespaces: []string{"shop-system"}}},
		{"shop", "single", bundle.Options{Namespace: "shop-system", WatchNamespaces: []string{"market"}, ServiceCA: true}},
		{"forge", "all", bundle.Options{Namespace: "forge"}},
		{"forge", "service-ca", bundle.Options{Namespace: "forge", ServiceCA: true}},
	}
	for _, test := range tests {
		t.Run(test.dir+"/"+test.name, func(t *testing.T) {
			got := write(t, render(t, test.dir, test.options))
			golden.File(t, filepath.Join("testdata", test.dir, test.name+".want.yaml"), got)
		})
	}
}

// write formats objects as documents, each below its origin.
func write(t *testing.T, objects []rendered.Object) string {
	t.Helper()
	var b strings.Builder
	for _, o := range objects {
		text, err := yaml.Marshal(o.JSON)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "--- # %s:%d\n%s", o.Origin.File, o.Origin.Line, text)
	}
	return b.String()
}

// TestRoleNames compares with names computed by another program: SHA-224 over the JSON of the permission entry and a
// newline, in base 36.
func TestRoleNames(t *testing.T) {
	tests := map[string]struct {
		options bundle.Options
		want    []string
	}{
		"all namespaces": {bundle.Options{Namespace: "shop-system"}, []string{
			"ClusterRole shop.v1.2.0-cashier-yvewtjymxmydt44neqllhdvk0u70cr1h9gmtmlui0nr",
			"ClusterRole shop.v1.2.0-a-rath-1sq4x6t1ih7wzbbpf8pz0l9ikokkpowpz8jaaincpuxz",
			"ClusterRole shop.v1.2.0-cashier-1hnzqbg07m11j8r4osr1nhuojzt51kk3vk2otyhlsnqt",
			"ClusterRole shop.v1.2.0-default-c6a762bfcqd7t0ajen9fu47j8u85msn3hf661smcynm",
		}},
		"one namespace": {bundle.Options{Namespace: "shop-system", WatchNamespaces: []string{"market"}}, []string{
			"Role shop.v1.2.0-cashier-2hq3isw18j3mjjl06oru0tfmq8241vyug0drb9egqdnq",
			"Role shop.v1.2.0-default-2xijhe3kxetsg5v8vo28270q3qske3ks3dyrospoht3p",
			"ClusterRole shop.v1.2.0-cashier-yvewtjymxmydt44neqllhdvk0u70cr1h9gmtmlui0nr",
			"ClusterRole shop.v1.2.0-a-rath-1sq4x6t1ih7wzbbpf8pz0l9ikokkpowpz8jaaincpuxz",
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, o := range render(t, "shop", test.options) {
				if o.Kind() == "Role" || o.Kind() == "ClusterRole" && o.Name() != "shop-viewer" {
					got = append(got, o.Kind()+" "+o.Name())
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestRenderTwice checks that rendering twice yields the same objects in the same order, and does not change the bundle.
func TestRenderTwice(t *testing.T) {
	b, err := bundle.Load(os.DirFS("testdata"), "shop")
	if err != nil {
		t.Fatal(err)
	}
	var runs []string
	for range 2 {
		objects, err := b.Render(bundle.Options{Namespace: "shop-system"})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, write(t, objects))
		for _, o := range objects {
			clear(o.JSON)
		}
	}
	if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
		t.Errorf("the second time differs:\n%s", diff)
	}
}

// TestPackage checks that the user can set the package of a bundle that does not set it, and cannot replace it otherwise.
func TestPackage(t *testing.T) {
	files := tree(map[string]string{"manifests/csv.yaml": operator()})
	delete(files, "metadata/annotations.yaml")
	b, err := bundle.Load(files, ".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Render(bundle.Options{Namespace: "shop"}); err == nil || !strings.Contains(err.Error(), "package name is empty") {
		t.Errorf("without a package: %v", err)
	}
	if _, err := b.Render(bundle.Options{Namespace: "shop", Package: "shop"}); err != nil {
		t.Errorf("with a package given: %v", err)
	}
}
