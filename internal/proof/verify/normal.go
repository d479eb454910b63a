package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// sortFields sorts the fields of all mappings by key, because their order has no meaning in built objects.
func sortFields(n *yaml.Node) {
	for _, child := range n.Content {
		sortFields(child)
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	pairs := slices.Collect(slices.Chunk(n.Content, 2))
	slices.SortStableFunc(pairs, func(a, b []*yaml.Node) int { return cmp.Compare(a[0].Value, b[0].Value) })
	n.Content = slices.Concat(pairs...)
}

// normalTree returns a node with changes applied, without aliases and with sorted fields.
func normalTree(n *manifest.Node, declared []engine.Change) (*tree, error) {
	t, err := expected(n, declared)
	if err == nil {
		sortFields(t.root)
		t.added = nil
	}
	return t, err
}

// textOf is equal for equal objects. For an object that cannot be read completely it is unique.
func textOf(o *objects.Object) string {
	t, err := normalTree(o.Node, nil)
	if err != nil {
		return fmt.Sprintf("%p", o)
	}
	return t.text()
}

func (t *tree) text() string {
	var b strings.Builder
	write(&b, t.root)
	return b.String()
}

func write(b *strings.Builder, n *yaml.Node) {
	fmt.Fprintf(b, "%d %s %q %d\n", n.Kind, n.Tag, n.Value, len(n.Content))
	for _, child := range n.Content {
		write(b, child)
	}
}

// tree returns the expected tree of the object.
func (w *expectedObject) tree() (*tree, error) {
	if w.object != nil {
		return normalTree(w.object.Node, w.declared)
	}
	node, err := nodeOf(w.added.JSON)
	if err != nil {
		return nil, err
	}
	return normalTree(node, nil)
}

func (w *expectedObject) text() (string, error) {
	t, err := w.tree()
	if err != nil {
		return "", err
	}
	return t.text(), nil
}

// difference returns where an object differs from the expected one.
func (w *expectedObject) difference(o *objects.Object) error {
	want, err := w.tree()
	if err != nil {
		return err
	}
	got, err := normalTree(o.Node, nil)
	if err != nil {
		return err
	}
	want.left = maxNodes
	return want.same(want.root, got.root, nil)
}

// isAdded reports whether an object is the one that is declared to be added.
func (w *expectedObject) isAdded(o *objects.Object) bool {
	as := *w
	if w.added.Affixed {
		var ok bool
		if as.added.JSON, ok = affixed(w.added.JSON, o); !ok {
			return false
		}
	}
	return as.difference(o) == nil
}

// affixed returns a declared object with the name, labels and annotations of a built one, if that has all of the declared
// ones.
func affixed(declared map[string]any, o *objects.Object) (map[string]any, bool) {
	metadata, _ := declared["metadata"].(map[string]any)
	built, _ := o.JSON()["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if !strings.Contains(o.Name, name) {
		return nil, false
	}
	metadata = maps.Clone(metadata)
	metadata["name"] = o.Name
	for _, field := range []string{"labels", "annotations"} {
		own, _ := metadata[field].(map[string]any)
		all, _ := built[field].(map[string]any)
		for key, value := range own {
			if all[key] != value {
				return nil, false
			}
		}
		if all != nil {
			metadata[field] = all
		}
	}
	declared = maps.Clone(declared)
	declared["metadata"] = metadata
	return declared, true
}

// nodeOf returns an object as a document contains it: JSON is YAML.
func nodeOf(object map[string]any) (*manifest.Node, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	docs := manifest.Scan("", data).Docs
	if len(docs) != 1 {
		return nil, fmt.Errorf("the declaration is not an object")
	}
	err = docs[0].Parse()
	return docs[0].Root, err
}

// identityOfJSON returns the identity of an object that is declared to be added.
func identityOfJSON(object map[string]any) engine.ObjectName {
	text := func(fields map[string]any, key string) string { s, _ := fields[key].(string); return s }
	metadata, _ := object["metadata"].(map[string]any)
	group, _ := objects.SplitAPIVersion(text(object, "apiVersion"))
	return engine.ObjectName{Group: group, Kind: text(object, "kind"), Namespace: text(metadata, "namespace"), Name: text(metadata, "name")}
}
