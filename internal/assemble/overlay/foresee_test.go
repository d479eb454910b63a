package overlay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/test/long"
)

// What the texts of patches show agrees with builds without them.
func TestForeseenEffectsAreThoseOfBuilds(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	foreseen, differing := 0, 0
	for seed := range long.Runs(25, 1000) {
		files := patchedTree(rand.New(rand.NewPCG(uint64(seed), 7)))
		units := objectstest.Units(t, files)
		b := &builder{Options: Options{Files: render.FromFS(files.FS()), Workers: workers}, ctx: t.Context(), files: newSnapshot(render.FromFS(files.FS()), units, nil)}
		for _, u := range units {
			if u.Kind != objects.KustomizationUnit || len(u.Transforms) == 0 {
				continue
			}
			output, err := b.kustomize(u, b.files, render.ForTrial)
			if err != nil {
				continue
			}
			built, tracer := b.traced(u, output)
			tracer.readPatches()
			for _, o := range built.Objects {
				if sourceOf(o) == nil {
					continue // nothing sets fields but its generator
				}
				for _, path := range fieldsOf(o.Node, nil) {
					for i := range tracer.patches {
						p := &tracer.patches[i]
						if _, effect := p.writes(o, path); effect == "" {
							continue
						}
						differs, known := tracer.foresee(p, o, path)
						if !known {
							continue
						}
						foreseen++
						if differs {
							differing++
						}
						if tried := tracer.tried(p, o, path); tried != differs && tracer.trial(p) != nil {
							t.Fatalf("seed %d: without %s[%d] of %s, %s of %s differs: foreseen %v, tried %v\n%v", seed, p.field, p.index, p.Path, path, o.Ref(), differs, tried, files)
						}
					}
				}
			}
		}
	}
	t.Logf("%d foreseen, %d of them differ", foreseen, differing)
	if foreseen < 60 || differing < 20 || differing == foreseen {
		t.Errorf("%d foreseen, %d of them differ: the trees have too few cases", foreseen, differing)
	}
}

// fieldsOf returns the paths of all fields and items.
func fieldsOf(n *manifest.Node, path manifest.Path) []manifest.Path {
	all := []manifest.Path{path}
	for _, f := range n.Fields() {
		all = append(all, fieldsOf(f.Value, path.Join(f.Key.String()))...)
	}
	for i, item := range n.Items() {
		all = append(all, fieldsOf(item, path.Join(itoa(i)))...)
	}
	return all
}

// patchedTree has a base, a component, and overlays with patches and replacements of few fields and values, so that they override and
// repeat each other.
func patchedTree(r *rand.Rand) filestest.Tree {
	object := func(kind, name string) string {
		return fmt.Sprintf("apiVersion: %s\nmetadata: {name: %s, labels: {app: %[2]s}}\nspec:\n  namespace: ops\n%s", kind, name, maybe(r, "  account: v1\n", "  nested: {account: v2}\n", "  list: [{name: a}, {name: b}]\n"))
	}
	files := filestest.Tree{
		"base/all.yaml":        object("example.com/v1\nkind: Widget", "shop") + "---\n" + object("example.com/v1\nkind: Widget", "cart") + "---\n" + object("apps/v1\nkind: Deployment", "shop"),
		"c/kustomization.yaml": "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n" + entries(r),
	}
	files["base/kustomization.yaml"] = "resources: [all.yaml]\n" + entries(r)
	below := "base"
	for i := range 1 + r.IntN(2) {
		name := fmt.Sprintf("o%d", i)
		files[name+"/kustomization.yaml"] = "resources: [../" + below + "]\n" + maybe(r, "components: [../c]\n", "namePrefix: x-\n", "namespace: other\n",
			"configMapGenerator: [{name: shop, literals: [a=b]}]\n", "labels: [{pairs: {team: red}}]\n") + entries(r)
		below = name
	}
	return files
}

// maybe returns some of the texts.
func maybe(r *rand.Rand, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(string) bool { return r.IntN(3) > 0 }), "")
}

// entries returns patches and replacements of a kustomization.
func entries(r *rand.Rand) string {
	targets := []string{"{kind: Widget}", "{kind: Widget, labelSelector: app=shop}", "{kind: Widget, labelSelector: team=red}", "{name: .*shop}", "{kind: Deployment}"}
	text := "patches:\n"
	for range 1 + r.IntN(3) {
		text += "- target: " + targets[r.IntN(len(targets))] + "\n  patch: |-\n" + onePatch(r)
	}
	if r.IntN(3) == 0 {
		text += "replacements:\n- source: {kind: Widget, name: cart, fieldPath: spec.namespace}\n  targets:\n" +
			"  - select: {kind: " + []string{"Widget", "Deployment"}[r.IntN(2)] + "}\n    fieldPaths: [" + []string{"spec.account", "spec.nested.account"}[r.IntN(2)] + "]\n    options: {create: true}\n"
	}
	return text
}

func onePatch(r *rand.Rand) string {
	value := []string{"v1", "v2", "v3"}[r.IntN(3)]
	merges := []string{
		"spec: {account: " + value + "}", "spec: {nested: {account: " + value + "}}", "spec: {nested: null}", "spec: {account: null}",
		"spec: {list: [{name: a, account: " + value + "}]}", "spec: {account: " + value + ", nested: {$patch: delete}}",
		"metadata: {name: any, labels: {team: red}}\n    spec: {account: " + value + "}", "spec: {nested: {other: x}}",
	}
	operations := []string{
		"{op: add, path: /spec/account, value: " + value + "}", "{op: add, path: /spec/nested, value: {account: " + value + "}}",
		"{op: add, path: /spec/list, value: [{name: " + value + "}]}", "{op: copy, from: /spec/namespace, path: /spec/account}",
		"{op: test, path: /spec/namespace, value: ops}", "{op: add, path: /spec/list, value: []}",
	}
	if r.IntN(2) == 0 {
		return "    - " + operations[r.IntN(len(operations))] + "\n"
	}
	return "    apiVersion: example.com/v1\n    kind: Widget\n    " + strings.Replace("metadata: {name: any}\n    "+merges[r.IntN(len(merges))], "metadata: {name: any}\n    metadata:", "metadata:", 1) + "\n"
}
