package render

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
)

// TestMarkDocuments checks that a mark is the only change of a document, and that documents are left as they are in which the text does not show
// where it belongs.
func TestMarkDocuments(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		metadata string
		marked   bool
	}{
		"a name":                    {"metadata:\n  name: a\nspec: {}\n", true},
		"at the end":                {"spec: {}\nmetadata:\n    name: a\n", true},
		"comments":                  {"metadata:\n# c\n\n  # d\n  name: a # it's\n", false},
		"annotations":               {"metadata:\n  name: a\n  annotations:\n    # c\n    b.c/d: e\n", true},
		"quoted annotations":        {"metadata:\n  annotations:\n    \"b\": e\n  name: a\n", true},
		"annotations below labels":  {"metadata:\n  labels:\n    annotations: x\n  name: a\n", true},
		"carriage returns":          {"metadata:\r\n  name: a\r\nspec: {}\r\n", true},
		"one line":                  {"metadata: {name: a, labels: {b: c}}\n", true},
		"one line with annotations": {"metadata: {name: a, annotations: {b: c}}\n", false},
		"no annotations":            {"metadata:\n  annotations:\n  name: a\n", false},
		"null":                      {"metadata:\n  annotations: null\n  name: a\n", false},
		"a quoted key":              {"metadata:\n  'annotations': {a: b}\n  name: a\n", false},
		"an anchor":                 {"metadata: &m\n  name: a\n", false},
		"two":                       {"metadata:\n  name: a\nmetadata:\n  name: a\n", false},
		"an open string":            {"metadata:\n  name: \"a\n\n  annotations: b\"\n", false},
		"an open string below":      {"metadata:\n  labels:\n    x: \"a\n  annotations: b\"\n  name: a\n", false},
		"a list":                    {"items:\n- metadata:\n    name: a\nmetadata:\n  name: a\n", false},
		"nothing":                   {"metadata:\n", false},
		"no line end":               {"metadata:", false},
		"JSON":                      {"{\"metadata\": {\"name\": \"a\"}}\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := "apiVersion: v1\nkind: ConfigMap\n"
			if strings.HasPrefix(test.metadata, "{") {
				plain = ""
			}
			text := plain + test.metadata
			before := "# first\napiVersion: v1\nkind: Secret\nmetadata:\n  name: z\n---\n"
			marked, all := markDocuments("a/b c.yaml", []byte(before+text))
			if all != test.marked {
				t.Errorf("marked: %v, want %v\n%s", all, test.marked, marked)
			}
			docs := manifest.Scan("", marked).Docs
			if len(docs) != 2 {
				t.Fatalf("%d documents\n%s", len(docs), marked)
			}
			if !test.marked {
				if !strings.HasSuffix(string(marked), "---\n"+text) {
					t.Errorf("changed:\n%s", marked)
				}
				return
			}
			if diff := cmp.Diff(withMark(t, manifest.Scan("", []byte(text)).Docs[0], "a/b c.yaml"), withMark(t, docs[1], "")); diff != "" {
				t.Errorf("-want +marked:\n%s\n%s", diff, marked)
			}
		})
	}
}

// withMark decodes a document, and adds a mark to its fields.
func withMark(t *testing.T, doc *manifest.Document, mark string) any {
	t.Helper()
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	fields, _ := doc.Root.Decode().(map[string]any)
	if mark == "" {
		return fields
	}
	metadata, _ := fields["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[originMark] = mark
	metadata["annotations"] = annotations
	return fields
}

// TestMarksAndAnnotations checks that objects, origins, and errors are the same with marks as with kustomize's own annotations.
func TestMarksAndAnnotations(t *testing.T) {
	t.Parallel()
	workers := NewWorkers(Limits{})
	defer workers.Close()
	object := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\ndata: {a: b}\n"
	base := map[string]string{
		"base/kustomization.yaml": "resources: [a.yaml, flow.yaml]\nconfigMapGenerator:\n- {name: g, literals: [x=y]}\n",
		"base/a.yaml":             fmt.Sprintf(object, "a"), "base/flow.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: f}\n",
	}
	for name, changes := range map[string]map[string]string{
		"an overlay": {"kustomization.yaml": "resources: [base]\nnamePrefix: x-\npatches:\n- target: {kind: ConfigMap}\n  patch: '[{op: add, path: /metadata/annotations/x, value: y}]'\n"},
		"replaced annotations": {"kustomization.yaml": "resources: [base]\npatches:\n- target: {kind: ConfigMap, name: a}\n  patch: '[{op: replace, path: /metadata/annotations, value: {x: y}}]'\n" +
			"- target: {name: f}\n  patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: f, annotations: {$patch: replace, x: y}}}'\n"},
		"removed annotations":   {"kustomization.yaml": "resources: [base]\npatches:\n- target: {kind: ConfigMap, name: a}\n  patch: '[{op: remove, path: /metadata/annotations}]'\n"},
		"a merged generator":    {"kustomization.yaml": "resources: [base]\nconfigMapGenerator:\n- {name: g, behavior: merge, literals: [z=z], options: {labels: {l: m}, disableNameSuffixHash: true}}\n"},
		"a replaced generator":  {"kustomization.yaml": "resources: [base]\nconfigMapGenerator:\n- {name: g, behavior: replace, literals: [z=z]}\n"},
		"a merged file":         {"kustomization.yaml": "resources: [base]\nconfigMapGenerator:\n- {name: a, behavior: merge, literals: [z=z]}\n"},
		"options of generators": {"kustomization.yaml": "resources: [base]\ngeneratorOptions: {annotations: {q: r}}\nsecretGenerator:\n- {name: s, literals: [z=z], options: {annotations: {o: p}}}\n"},
		"a list":                {"base/flow.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: l}}\n"},
		"a resource as content": {"base/kustomization.yaml": "resources: [a.yaml]\nconfigMapGenerator:\n- {name: g, files: [k=a.yaml]}\n"},
		"a resource as a patch": {"kustomization.yaml": "resources: [base, base/a.yaml]\npatches:\n- path: base/a.yaml\n", "base/kustomization.yaml": "resources: [flow.yaml]\n"},
		"an annotated file":     {"base/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    config.kubernetes.io/origin: 'path: z'\n  name: a\n"},
		"own metadata":          {"kustomization.yaml": "resources: [base]\nbuildMetadata: [originAnnotations]\n"},
		"own transformations":   {"kustomization.yaml": "resources: [base]\nnamePrefix: x-\nbuildMetadata: [transformerAnnotations]\n"},
		"a broken file":         {"base/a.yaml": fmt.Sprintf(object, "a") + "x: [\n"},
		"an object twice":       {"base/flow.yaml": fmt.Sprintf(object, "a")},
		"a component":           {"kustomization.yaml": "resources: [base]\ncomponents: [c]\n", "c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [z.yaml]\nlabels: [{pairs: {a: b}}]\n", "c/z.yaml": fmt.Sprintf(object, "z")},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{"kustomization.yaml": {Data: []byte("resources: [base]\n")}}
			for _, tree := range []map[string]string{base, changes} {
				for name, text := range tree {
					files[name] = &fstest.MapFile{Data: []byte(text)}
				}
			}
			var results [2]string
			for i, annotated := range []bool{false, true} {
				b := &kustomizeBuild{files: FromFS(files), dir: ".", limit: 1 << 20, ctx: t.Context(), workers: workers, annotated: annotated, inflated: map[string][]byte{}}
				result, err := b.run()
				if err != nil {
					results[i] = err.Error()
					continue
				}
				built, err := b.objects(result.Objects)
				results[i] = fmt.Sprintf("%v %v", built, err)
			}
			if results[0] != results[1] {
				t.Errorf("marks:\n%s\nannotations:\n%s", results[0], results[1])
			}
		})
	}
}
