package plugins_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/plugins"
)

func kustomizationOf(t *testing.T, file, text string) *objects.Kustomization {
	t.Helper()
	doc := manifest.Scan(file, []byte(text)).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	k, err := objects.ReadKustomization(doc)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func reading(files map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

func TestPathsOfPlugins(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: example.com/v1\nkind: Maker\nmetadata: {name: named, labels: {x: named}}\n"
	files := map[string]string{
		"a/gen.yaml":                head + "files: [./listed.yaml, ../b/listed.yaml, ../../outside.yaml, /listed.yaml]\n",
		"a/sub/gen.yaml":            head + "spec: {one: beside.yaml, two: listed.yaml}\n",
		"a/set/kustomization.yaml":  "resources: [one.yaml]\n",
		"a/set/one.yaml":            head + "from: folder\n",
		"a/text.yaml":               head + "run: |\n  exec:\n    path: ./listed.yaml\n",
		"a/self/kustomization.yaml": "resources: [../self]\n",
		"a/policies.yaml": "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: x}\n" +
			"policyDefaults: {placement: {placementPath: listed.yaml}}\npolicies:\n- name: folder\n  manifests:\n  - {path: sub/beside.yaml}\n",
	}
	exists := map[string]bool{
		"a/named": true, "a/listed.yaml": true, "b/listed.yaml": true, "outside.yaml": true, "a/sub/beside.yaml": true,
		"a/folder": true, "listed.yaml": true,
	}
	tests := map[string][]string{
		"gen.yaml":      {"a/listed.yaml", "b/listed.yaml"},
		"sub/gen.yaml":  {"a/listed.yaml", "a/sub/beside.yaml"},
		"set":           {"a/folder"},
		"text.yaml":     {"a/listed.yaml"},
		"policies.yaml": {"a/listed.yaml", "a/sub/beside.yaml"},
		"{apiVersion: example.com/v1, kind: Maker, in: listed.yaml}": {"a/listed.yaml"},
		"self":            nil,
		"missing.yaml":    nil,
		"../../elsewhere": nil,
	}
	for entry, want := range tests {
		t.Run(entry, func(t *testing.T) {
			t.Parallel()
			k := kustomizationOf(t, "a/kustomization.yaml", fmt.Sprintf("generators:\n- %q\n", entry))
			found := plugins.Of(k, reading(files))
			if len(found) != 1 || (found[0].Err != nil) != (want == nil) {
				t.Fatalf("got %+v", found)
			}
			var got []string
			for _, config := range found[0].Configs {
				got = append(got, config.Paths(k.Dir, func(name string) bool { return exists[name] })...)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A configuration that names more than anybody reads counts as naming everything beside it.
func TestPathsOfHostilePlugin(t *testing.T) {
	t.Parallel()
	text := "apiVersion: example.com/v1\nkind: Maker\nfiles: [" + strings.Repeat("x, ", 20_000) + "]\n"
	k := kustomizationOf(t, "a/kustomization.yaml", "generators: [sub/gen.yaml]\n")
	found := plugins.Of(k, reading(map[string]string{"a/sub/gen.yaml": text}))
	got := found[0].Configs[0].Paths(k.Dir, func(string) bool { return false })
	if diff := cmp.Diff([]string{"a/sub", "a"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
