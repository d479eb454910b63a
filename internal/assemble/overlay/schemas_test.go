package overlay

import (
	"reflect"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/refusal"
)

const definition = `# a definition
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shops.example.com
spec:
  group: example.com
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: A shop
          with a description of two lines
        properties:
          open: {type: boolean}

        type: object
    served: true
  - name: v2
    schema:
      openAPIV3Schema: {type: object}
`

const account = "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: shop, namespace: shop}\n"

func TestFilesWithoutSchemas(t *testing.T) {
	t.Parallel()
	const resources = "resources: [crd.yaml]\nnamePrefix: a-\n"
	for name, test := range map[string]struct {
		kustomization, definition string
		whole                     bool
	}{
		"a prefix":              {kustomization: resources},
		"a patch of the object": {kustomization: resources + "patches: [{patch: '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: shops.example.com, labels: {a: b}}}'}]\n"},
		"a patch of the schema": {kustomization: resources + "patches: [{target: {kind: CustomResourceDefinition}, patch: '[{op: remove, path: /spec/versions/0/schema/openAPIV3Schema/properties}]'}]\n", whole: true},
		"a patch in a file":     {kustomization: resources + "patches: [{path: patch.yaml}]\n", whole: true},
		"a replacement":         {kustomization: resources + "replacements: [{source: {kind: CustomResourceDefinition, fieldPath: spec.versions.0}, targets: [{select: {kind: ServiceAccount}, fieldPaths: [metadata.labels]}]}]\n", whole: true},
		"a generator":           {kustomization: resources + "configMapGenerator: [{name: a, files: [crd.yaml]}]\n", whole: true},
		"a key that is there twice": {
			kustomization: resources, definition: strings.Replace(definition, "        type: object\n", "        type: object\n        type: object\n", 1), whole: true,
		},
		"invalid YAML":        {kustomization: resources, definition: strings.Replace(definition, "{type: boolean}", "{type: boolean", 1), whole: true},
		"an anchor":           {kustomization: resources, definition: strings.Replace(definition, "{type: boolean}", "&open {type: boolean}", 1) + "    more: *open\n", whole: true},
		"a text of that form": {kustomization: resources, definition: strings.Replace(definition, "A shop\n", "'\n          openAPIV3Schema:\n           x'\n", 1), whole: true},
		"another kind":        {kustomization: resources, definition: strings.Replace(definition, "kind: Custom", "kind: Usual", 1), whole: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.definition == "" {
				test.definition = definition
			}
			text := test.definition + account
			tree := filestest.Tree{"crd.yaml": text, "patch.yaml": "spec: {versions: [{name: v1, schema: {openAPIV3Schema: {type: string}}}]}\n", "kustomization.yaml": test.kustomization}
			files := render.FromFS(tree.FS())
			units := objectstest.Units(t, filestest.Tree{"kustomization.yaml": test.kustomization})
			b := &builder{Options: Options{Files: files, Refusals: refusal.New(files, nil)}, ctx: t.Context(), files: newSnapshot(files, units, nil)}
			data, err := b.filesOf(units[0]).ReadFile("crd.yaml")
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(text, definition[strings.Index(definition, "        description"):strings.Index(definition, "    served")], "       type: object\n", 1)
			if test.whole {
				want = text
			}
			if string(data) != want {
				t.Errorf("got:\n%s\nwant:\n%s", data, want)
			}
		})
	}
}

// A build without schemas makes the same objects of the others.
func TestBuildsWithoutSchemas(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	tree := filestest.Tree{
		"crd.yaml": definition + account,
		"kustomization.yaml": "resources: [crd.yaml]\nnamePrefix: a-\nnamespace: other\ncommonLabels: {team: a}\nvars:\n- name: NAME\n  objref: {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, name: shops.example.com}\n" +
			"patches: [{target: {kind: ServiceAccount}, patch: '[{\"op\": \"add\", \"path\": \"/metadata/annotations\", \"value\": {\"of\": \"$(NAME)\"}}]'}]\n",
	}
	files := render.FromFS(tree.FS())
	units := objectstest.Units(t, filestest.Tree{"kustomization.yaml": tree["kustomization.yaml"]})
	b := &builder{Options: Options{Files: files, Workers: workers, Refusals: refusal.New(files, nil)}, ctx: t.Context(), files: newSnapshot(files, units, nil)}
	build := func(from render.Files) (account map[string]any, definition int) {
		built, err := render.Kustomize(t.Context(), from, ".", render.KustomizeOptions{Workers: workers, NoLines: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range built {
			if o.Kind() == "ServiceAccount" {
				account = o.JSON
				continue
			}
			spec, _ := o.JSON["spec"].(map[string]any)
			versions, _ := spec["versions"].([]any)
			schema, _ := versions[0].(map[string]any)["schema"].(map[string]any)
			fields, _ := schema["openAPIV3Schema"].(map[string]any)
			definition = len(fields)
		}
		return account, definition
	}
	whole, before := build(files)
	short, after := build(b.filesOf(units[0]))
	if !reflect.DeepEqual(whole, short) || whole == nil {
		t.Errorf("the account is %v, and without schemas %v", whole, short)
	}
	if before != 3 || after != 1 {
		t.Errorf("the schema has %d fields, and without schemas %d", before, after)
	}
}
