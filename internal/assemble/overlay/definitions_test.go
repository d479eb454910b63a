package overlay_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/render"
)

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %s.example.com
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service:
          name: web
          namespace: ops
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: |-
          spec: of a thing

          with containers: and serviceAccount
        type: object
`

// randomDefinitions returns a unit of definitions and other objects. Some of the definitions are written in an unusual way, invalid, or
// listed twice, and some kustomizations change or read them.
func randomDefinitions(r *rand.Rand) tree {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	files := tree{"base/extension.yaml": fmt.Sprintf(extension, "web"), "base/service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: ops}\nspec: {ports: [{port: 1}]}\n"}
	list := "resources:\n- extension.yaml\n- service.yaml\n"
	for i := range 1 + r.IntN(3) {
		text := fmt.Sprintf(definition, one("a", "b", "c", "d", "e"))
		lines := strings.SplitAfter(text, "\n")
		switch at := r.IntN(len(lines)); r.IntN(8) {
		case 0:
			lines[at] = one("", "  x: &a 1\n", "  spec: {}\n", "spec: {}\n", " \tx\n", "  - x\n", "# text\n", "status: {a: b}\n", "  y: 'text\n", "  z: [a,\n")
		case 1:
			lines = append(lines, one("status: {conditions: []}\n", "---\n"+fmt.Sprintf(definition, "z"), "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n"))
		}
		files[fmt.Sprintf("base/d%d.yaml", i)] = strings.Join(lines, "")
		list += fmt.Sprintf("- d%d.yaml\n", i)
	}
	const target = "patches:\n- target: "
	files["base/kustomization.yaml"] = list + one("", "", "namespace: shop\n", "commonLabels: {a: b}\n", "crds: [d0.yaml]\n", "configMapGenerator: [{name: text, files: [d0.yaml]}]\n")
	files["kustomization.yaml"] = "resources: [base]\n" + one(
		"namePrefix: x-\n", "namespace: ops\n", "commonAnnotations: {a: b}\nnameSuffix: -y\n",
		target+"{kind: ClusterExtension}\n  patch: |-\n    - {op: add, path: /spec/a, value: b}\n",
		target+"{kind: CustomResourceDefinition}\n  patch: |-\n    - {op: replace, path: /spec/group, value: b}\n",
		target+"{name: .*}\n  patch: |-\n    - {op: replace, path: /spec/group, value: b}\n",
		"replacements:\n- source: {kind: CustomResourceDefinition, fieldPath: spec.group}\n  targets: [{select: {kind: ClusterExtension}, fieldPaths: [spec.namespace]}]\n",
		"patches:\n- patch: |-\n    apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    metadata: {name: a.example.com}\n    spec: {scope: Cluster}\n",
	)
	return files
}

// unitsWithoutDefinitions returns the units of a repository in which the definitions, and what else is in their files, were not parsed.
func unitsWithoutDefinitions(t *testing.T, files tree) []*objects.Unit {
	t.Helper()
	parsed := maps.Clone(files)
	maps.DeleteFunc(parsed, func(name, _ string) bool { return strings.HasPrefix(path.Base(name), "d") })
	return objects.Units(objectstest.Objects(t, parsed), objectstest.Kustomizations(t, parsed), files.Names()...)
}

// TestDefinitionsLeftOut builds units whose definitions no rule needs, and compares everything else with the units in which they are
// wanted: objects, and what cannot be built.
func TestDefinitionsLeftOut(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	seeds := uint64(120)
	if testing.Short() {
		seeds = 20
	}
	built := 0
	for seed := range seeds {
		files := randomDefinitions(rand.New(rand.NewPCG(seed, 3)))
		text := func(wanted func(*manifest.Document) bool) (text []string) {
			units, err := overlay.Build(t.Context(), unitsWithoutDefinitions(t, files), overlay.Options{Files: render.FromFS(files.FS()), Workers: workers, Wanted: wanted})
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range units {
				for _, o := range u.Objects {
					if o.Kind != "CustomResourceDefinition" {
						data, err := json.Marshal(o.JSON())
						text = append(text, fmt.Sprint(o.Ref(), string(data), err))
					}
				}
				text = append(text, fmt.Sprint(u.Name, u.Built, u.NotBuilt, u.Problems))
				if u.Built {
					built++
				}
			}
			return text
		}
		want := text(func(*manifest.Document) bool { return true })
		got := text(func(d *manifest.Document) bool { return d.Kind() != "CustomResourceDefinition" })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-with schemas +without):\n%s\n%s", seed, diff, files.Dump())
		}
	}
	if built < int(seeds)/2 {
		t.Errorf("only %d units could be built", built)
	}
}

// TestDefinitionsAreNotSent counts what the child process receives of definitions of two sizes: the same.
func TestDefinitionsAreNotSent(t *testing.T) {
	t.Parallel()
	sent := func(fields int) (bytes int64) {
		large := fmt.Sprintf(definition, "a")
		for i := range fields {
			large += fmt.Sprintf("        field%d: {type: string}\n", i)
		}
		files := tree{
			"kustomization.yaml": "resources: [d.yaml, x.yaml]\nnamePrefix: a-\n", "d.yaml": large, "x.yaml": fmt.Sprintf(extension, "x"),
		}
		workers := render.NewWorkers(render.Limits{})
		defer workers.Close()
		units, err := overlay.Build(t.Context(), unitsWithoutDefinitions(t, files), overlay.Options{
			Files: render.FromFS(files.FS()), Workers: workers, Wanted: func(d *manifest.Document) bool { return d.Kind() == "ClusterExtension" },
		})
		if err != nil || !units[0].Built {
			t.Fatal(err, units[0].Problems)
		}
		return int64(workers.Counters().Sent) - int64(strings.Count(large, "\n")) // line ends stay
	}
	if few, many := sent(10), sent(2000); many > few+few/10 {
		t.Errorf("%d bytes are sent for 2000 fields, %d for 10", many, few)
	}
}
