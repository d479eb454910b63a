package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// seeds are shapes that have broken YAML editors before.
var seeds = []string{
	"spec:\n  a: 1\n  serviceAccount:\n    name: x # why\n  b: 2\n",
	"spec:\r\n  # who\r\n  serviceAccount: {name: x}\r\n",
	"\ufeffspec: {serviceAccount: {name: x}, b: [1, 2, {c: d}]}",
	"{\n  \"spec\": {\n    \"serviceAccount\": {\n      \"name\": \"x\"\n    },\n    \"b\": null\n  }\n}\n",
	"a: &x {n: 1}\nserviceAccount: *x\nb:\n  <<: *x\n",
	"- - a\n  - b:\n    - c\n- d: |\n    text\n    # text\n\n  e: >-\n    folded\n",
	"a: |+\n  keep\n\n\nb: |2\n    two\nc: ''\n",
	"a: plain\n  goes on\n  here # not here\nb: \"double\n  \\\" on\"\nc: 'single '' on\n  two'\n",
	"--- !tag\na: !!str 1\nb: &anchor\n  c: d\n...\n---\ne: f\n",
	"a:\n- b\n- c\nd:\n  -\n    e: f\n  - # comment\n    g: h\n",
	"a: b:c\nd: http://x#y\ne: [f: g, h]\n",
	"? complex\n: value\n",
	"a:\n  b:\n\n  # between\n\n  c:\n    # inside\n",
	"a: \u2028\nb: \"\u0085\"\n# \u2029\nc: d\n",
	"items: [\n  a, # one\n  b\n]\n",
	"a: {b: 1, c: 2,}\nd: []\ne: {}\n",
	"\"a\": {\"b\":1,\"c\":[],\"d\":{\"e\":\"f\"}}",
	"a: - b\n", "a:\n\tb: c\n", "*a : b\n", "&a a: &b b\n", "a: |\n", "a: >\n\n\n",
}

// FuzzRemove removes every field and item of every document, one at a time. Either the edit is refused, or the parsed
// result equals the input without the field, no byte outside the edit has changed, and the same edit is not possible again.
func FuzzRemove(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for i, doc := range Scan("fuzz.yaml", data).Docs {
			if doc.Parse() != nil || !doc.Exact {
				continue
			}
			for _, path := range allPaths(doc.Root, nil) {
				checkRemoval(t, data, i, path)
			}
		}
	})
}

func allPaths(n *Node, prefix Path) []Path {
	var paths []Path
	for _, field := range n.fields {
		if field.Key.String() == mergeKey {
			continue // more than one field is removed with it
		}
		path := prefix.Join(field.Key.String())
		paths = append(append(paths, path), allPaths(field.Value, path)...)
	}
	for i, item := range n.items {
		path := prefix.Join(fmt.Sprint(i))
		paths = append(append(paths, path), allPaths(item, path)...)
	}
	return paths
}

func checkRemoval(t *testing.T, data []byte, index int, path Path) {
	t.Helper()
	before := parsed(t, data, index)
	edit, err := before.RemoveField(path)
	if err != nil {
		var refused *RefusedError
		if !errors.As(err, &refused) {
			t.Fatalf("%v: %v", path, err)
		}
		return
	}
	after, err := Apply(data, []Edit{edit})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(after, data[:edit.Start]) || !bytes.HasSuffix(after, data[edit.End:]) {
		t.Fatalf("bytes outside the edit changed")
	}
	docs := Scan("fuzz.yaml", after).Docs
	if index >= len(docs) || docs[index].Parse() != nil {
		t.Fatalf("%q: removing %v leaves %q, which does not parse", data, path, after)
	}
	if want := without(before.Root, path); !cmp.Equal(want, docs[index].Root.Decode()) {
		t.Fatalf("%q: removing %v leaves %q: %v", data, path, after, cmp.Diff(want, docs[index].Root.Decode()))
	}
	if len(Diff(before.Root, docs[index].Root)) == 0 {
		t.Fatalf("%q: removing %v is no difference", data, path)
	}
}

// without returns the plain value of a tree without the field or item at a path.
func without(n *Node, path Path) any {
	value := n.Decode()
	if len(path) == 0 {
		return value
	}
	switch parent := value.(type) {
	case map[string]any:
		if len(path) == 1 {
			delete(parent, path[0])
		} else {
			parent[path[0]] = without(n.Get(path[0]), path[1:])
		}
	case []any:
		index, _ := strconv.Atoi(path[0])
		if len(path) == 1 {
			return slices.Delete(parent, index, index+1)
		}
		parent[index] = without(n.items[index], path[1:])
	}
	return value
}

func parsed(t *testing.T, data []byte, index int) *Document {
	t.Helper()
	doc := Scan("fuzz.yaml", data).Docs[index]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	return doc
}

// FuzzAppend adds an entry to a list of a kustomization, or the list if there is none, as fixes do. Either the edit is refused, or the
// parsed result equals the input with the entry, and no byte outside the edit has changed.
func FuzzAppend(f *testing.F) {
	for _, seed := range append(seeds, "resources:\n- a.yaml # why\n\npatches: []\n", "resources: [a.yaml, b.yaml]\n", "resources:\nnamePrefix: a-\n", "namePrefix: a-", "{}", "resources:\n  - |\n    a\n",
		"resources: &a [b]\ncomponents: *a\n", "resources:\r\n  - a\r\n...\n# end", "# only\n", "resources: [\n  a,\n]\n", "- resources\n",
		"a: |+\n  x\n", "a: |+\n  x\n\n", "0: |+\n", "resources:\n- |+\n  x\n", "a: |+\r\n  x\r\n") {
		f.Add([]byte(seed), "new.yaml")
		f.Add([]byte(seed), "a\nb\n")
		f.Add([]byte(seed), "a\n\n")
	}
	f.Fuzz(func(t *testing.T, data []byte, entry string) {
		if !utf8.ValidString(entry) {
			return // a manifest cannot hold it
		}
		for i, doc := range Scan("kustomization.yaml", data).Docs {
			if doc.Parse() == nil && doc.Exact {
				checkAppend(t, data, i, entry)
			}
		}
	})
}

func checkAppend(t *testing.T, data []byte, index int, entry string) {
	t.Helper()
	doc := parsed(t, data, index)
	before, ok := doc.Root.Decode().(map[string]any)
	if !ok {
		return
	}
	var edit Edit
	var err error
	list, _ := before["resources"].([]any)
	if doc.Root.Get("resources") == nil {
		edit, err = doc.AddField(nil, "", "resources", []any{entry})
	} else {
		edit, err = doc.AppendItem(Path{"resources"}, entry)
	}
	if err != nil {
		var refused *RefusedError
		if !errors.As(err, &refused) {
			t.Fatalf("%q: %v", data, err)
		}
		return
	}
	after, err := Apply(data, []Edit{edit})
	if err != nil {
		t.Fatal(err)
	}
	docs := Scan("kustomization.yaml", after).Docs
	if index >= len(docs) || docs[index].Parse() != nil {
		t.Fatalf("%q: adding %q leaves %q, which does not parse", data, entry, after)
	}
	before["resources"] = append(slices.Clone(list), entry)
	if got := docs[index].Root.Decode(); !cmp.Equal(any(before), got) {
		t.Fatalf("%q: adding %q leaves %q: %v", data, entry, after, cmp.Diff(any(before), got))
	}
}
