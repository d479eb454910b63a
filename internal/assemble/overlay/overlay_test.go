package overlay_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/render"
)

// tree is a repository in memory.
type tree = filestest.Tree

// unitsOf builds the units of a repository.
func unitsOf(tb testing.TB, files tree, workers *render.Workers) []*objects.Unit {
	tb.Helper()
	built, err := overlay.Build(tb.Context(), objectstest.Units(tb, files), overlay.Options{
		Files: render.FromFS(files.FS()), Workers: workers,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return built
}

func kustomization(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

const extension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: %s
  labels: {app: %[1]s}
spec:
  namespace: ops
`

func TestUnitsThatTransformNothingStayAsTheyAre(t *testing.T) {
	t.Parallel()
	units := unitsOf(t, tree{
		"a/kustomization.yaml": kustomization("resources: [x.yaml]"), "a/x.yaml": fmt.Sprintf(extension, "x"),
	}, nil)
	if o := units[0].Objects[0]; units[0].Built || o.Applied != nil || o.Source() != o {
		t.Error("the unit was built")
	}
}

// A unit contains what kustomize builds, with and without tracing; and an exact trace leads to the built value.
func TestRandomOverlays(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	seeds := uint64(25)
	if testing.Short() {
		seeds = 8
	}
	for seed := range seeds {
		files := randomTree(rand.New(rand.NewPCG(seed, 1)))
		for _, u := range unitsOf(t, files, workers) {
			if u.Kind != objects.KustomizationUnit || !u.Built {
				t.Fatalf("seed %d: %s was not built: %v", seed, u.Name, u.Problems)
			}
			compareWithKustomize(t, files, u, workers)
			for _, o := range u.Objects {
				checkTraces(t, o, o.Node, nil)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, files)
		}
	}
}

func compareWithKustomize(t *testing.T, files tree, u *objects.Unit, workers *render.Workers) {
	t.Helper()
	want, err := render.Kustomize(t.Context(), render.FromFS(files.FS()), u.Root, render.KustomizeOptions{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]any{}
	for _, o := range want {
		byName[o.Kind()+" "+o.Name()] = o.JSON
	}
	got := map[string]any{}
	for _, o := range u.Objects {
		got[o.Kind+" "+o.Name] = o.JSON()
	}
	if diff := cmp.Diff(byName, got); diff != "" {
		t.Errorf("%s: -kustomize +got:\n%s", u.Name, diff)
	}
}

// checkTraces traces every field.
func checkTraces(t *testing.T, o *objects.Object, n *manifest.Node, path manifest.Path) {
	t.Helper()
	first := o.Applied.Trace(path)[0]
	set := first.Doc.Root.Lookup(first.Path)
	if first.Exact && first.What != objects.Transformer && first.What != objects.Replacement && len(path) > 0 &&
		!reflect.DeepEqual(set.Decode(), n.Decode()) {
		t.Errorf("%s %s is traced to %s, %s", o.Ref(), path, o.Position(path), first.Path)
	}
	if last := path[max(0, len(path)-1):]; n.IsScalar() && !first.Exact && slices.Equal(last, manifest.Path{"account"}) {
		t.Errorf("%s %s has no trace", o.Ref(), path)
	}
	for _, f := range n.Fields() {
		checkTraces(t, o, f.Value, path.Join(f.Key.String()))
	}
	for i, item := range n.Items() {
		checkTraces(t, o, item, path.Join(fmt.Sprint(i)))
	}
}

// randomTree has a base and up to three overlays, in a row or side by side. Every value of `account` is different.
func randomTree(r *rand.Rand) tree {
	files := tree{
		"base/kustomization.yaml": kustomization("resources: [all.yaml]"),
		"base/all.yaml":           fmt.Sprintf(extension, "shop") + "  account: base\n---\n" + fmt.Sprintf(extension, "cart"),
	}
	below := "base"
	for i := range 1 + r.IntN(3) {
		name := fmt.Sprintf("o%d", i)
		lines := []string{"resources: [../" + below + "]", "namePrefix: " + []string{"x-", "yy-", "''"}[r.IntN(3)], "patches:"}
		for p := range 1 + r.IntN(3) {
			value := fmt.Sprintf("%s-%d", name, p)
			lines = append(lines, randomPatch(r, files, name, p, value)...)
		}
		if r.IntN(3) == 0 {
			lines = append(lines, "namespace: ops")
		}
		files[name+"/kustomization.yaml"] = kustomization(lines...)
		if r.IntN(2) == 0 {
			below = name
		}
	}
	return files
}

func randomPatch(r *rand.Rand, files tree, dir string, n int, value string) []string {
	target := "{kind: ClusterExtension}"
	if r.IntN(2) == 0 {
		target = "{kind: Cluster.*, labelSelector: app=shop}"
	}
	strategic := "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: any}\nspec: {account: " + value + "}\n"
	operation := "- {op: add, path: /spec/account, value: " + value + "}\n"
	text := []string{strategic, operation}[r.IntN(2)]
	if r.IntN(2) == 0 {
		file := fmt.Sprintf("p%d.yaml", n)
		files[dir+"/"+file] = text
		return []string{"- path: " + file, "  target: " + target}
	}
	lines := []string{"- target: " + target, "  patch: |-"}
	for line := range strings.Lines(text) {
		lines = append(lines, "    "+strings.TrimRight(line, "\n"))
	}
	return lines
}
