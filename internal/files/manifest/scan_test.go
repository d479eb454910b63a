package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestScan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                                 nil,
		"# only a comment\n":               nil,
		"a: 1\n":                           {"a: 1\n"},
		"---\na: 1\n---\n# no\n---\nb: 2":  {"---\na: 1\n", "---\nb: 2"},
		"a: |\n  ---\n  x\n":               {"a: |\n  ---\n  x\n"},
		"a: 1\n...\nb: 2\n":                {"a: 1\n...\n", "b: 2\n"},
		"--- {a: 1}\n--- {b: 2}\n":         {"--- {a: 1}\n", "--- {b: 2}\n"},
		"----\n":                           {"----\n"},
		"\ufeff---\r\na: 1\r\n---\r\nb: 2": {"---\r\na: 1\r\n", "---\r\nb: 2"},
		"---":                              nil,
	} {
		var got []string
		for _, d := range Scan("test.yaml", []byte(text)).Docs {
			got = append(got, string(d.Bytes()))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"kind: Pod\n":                              "Pod",
		"apiVersion: v1\nkind: \"Pod\" # x\n":      "Pod",
		"'kind' : 'Pod'\r\n":                       "Pod",
		"a:\n  kind: Pod\n":                        "",
		"kinds: Pod\n":                             "",
		"kind: Pod\nkind: Role\n":                  "",
		"kind: {{ .kind }}\n":                      "",
		"kind: &k Pod\n":                           "",
		`{"a": {"kind": "Role"}, "kind" : "Pod"}`:  "Pod",
		`{"a": "kind", "b": [{"kind": "Role"}]}`:   "",
		`{"kind": 1}`:                              "",
		"# kind: Role\nkind: Pod":                  "Pod",
		"metadata:\n  text: |\n    x\nkind: Pod\n": "Pod",
	} {
		if got := Scan("test.yaml", []byte(text)).Docs[0].Kind(); got != want {
			t.Errorf("Kind(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestPosition(t *testing.T) {
	t.Parallel()
	f := Scan("test.yaml", []byte("\ufeffä: b\r\nc: \u2028d\n"))
	for needle, want := range map[string]string{"ä": "1:1", "b": "1:4", "c": "2:1", "d": "2:5"} {
		line, column := f.Position(bytes.Index(f.Data, []byte(needle)))
		if got := fmt.Sprintf("%d:%d", line, column); got != want {
			t.Errorf("position of %q = %s, want %s", needle, got, want)
		}
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	d := parse(t, "spec:\n  sa: # why\n    name: x # who\n  list:\n  - a\n  - b: |\n      text\n\nz: 1\n")
	for path, want := range map[string]string{
		"spec.sa":        "sa: # why\n    name: x",
		"spec.sa.name":   "name: x",
		"spec.sa.other":  "sa: # why\n    name: x",
		"spec.list[0]":   "a",
		"spec.list[1].b": "b: |\n      text",
		"z":              "z: 1",
	} {
		p, err := ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		span := d.Locate(p)
		if got := string(d.File.Data[span.Start:span.End]); got != want {
			t.Errorf("Locate(%s) = %q, want %q", path, got, want)
		}
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	for text, path := range map[string]Path{
		"spec.serviceAccount":                        {"spec", "serviceAccount"},
		"objects[0].metadata.annotations[\"a.b/c\"]": {"objects", "0", "metadata", "annotations", "a.b/c"},
		"a[\"\"][\"q\\\"]\"]":                        {"a", "", "q\"]"},
	} {
		if got := path.String(); got != text {
			t.Errorf("String() = %s, want %s", got, text)
		}
		got, err := ParsePath(text)
		if diff := cmp.Diff(path, got); err != nil || diff != "" {
			t.Errorf("ParsePath(%s): %v\n%s", text, err, diff)
		}
	}
	for _, bad := range []string{"a[", "a[x]", "a[\"x]", "a[\"x\"", "[]"} {
		if p, err := ParsePath(bad); err == nil {
			t.Errorf("ParsePath(%s) = %v, want an error", bad, p)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: 1\n---\na: b: c\n":       "test.yaml:3:1: mapping values",
		"a: [1\n":                    "test.yaml:1:1: did not find",
		"a: 1\nb:\n  c: 1\n  c: 2\n": "test.yaml:4:3: the key is already set on line 3",
		strings.Repeat("[", 5000) + strings.Repeat("]", 5000): "nested deeper than 1000 levels",
		strings.Repeat("[", 20000):                            "exceeded max depth",
		"a: 1\n---\nä: gr\xf6\xdfe\n":                         "test.yaml:3:6: not UTF-8: byte 0xf6",
		"a: \xc3":                                             "test.yaml:1:4: not UTF-8: byte 0xc3",
		"a: *missing\n":                                       "test.yaml:1:4: an alias without an anchor before it",
		strings.Repeat("- ", 5000) + "a":                      "nested deeper than 1000 levels",
	} {
		var err error
		for _, d := range Scan("test.yaml", []byte(text)).Docs {
			err = errors.Join(err, d.Parse())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// rejected returns a document that is rejected for its size, with its tree.
func rejected(t *testing.T, text string) *Document {
	t.Helper()
	d := Scan("test.yaml", []byte(text)).Docs[0]
	var limit *SyntaxError
	if err := d.Parse(); !errors.As(err, &limit) || !limit.Limit {
		t.Fatalf("parse %.40q: %v", text, err)
	}
	return d
}

func TestAliasBomb(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	d := rejected(t, b.String())
	if got := d.Root.Get("a0").Decode(); len(got.([]any)) != 9 {
		t.Errorf("a0 = %v", got)
	}
	d.Root.Decode()
	if Equal(d.Root, rejected(t, b.String()).Root) {
		t.Error("two trees that are too large to compare must not pass for equal")
	}
}

// TestMergeBomb merges a mapping in six to the power of thirty ways.
func TestMergeBomb(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("a0: &a0 {found: yes}\n")
	for i := 1; i <= 30; i++ {
		merges := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 6), ", ")
		fmt.Fprintf(&b, "a%d: &a%d\n  <<: [%s]\n", i, i, merges)
	}
	last := rejected(t, b.String()).Root.Get("a30")
	if got := last.Get("found").String(); got != "yes" {
		t.Errorf("found is %q through all the merges", got)
	}
	if last.Get("missing") != nil {
		t.Error("a key that is nowhere was found")
	}
	if diff := cmp.Diff(map[string]any{"found": true}, last.Decode()); diff != "" {
		t.Error(diff)
	}
}

func TestSelfReference(t *testing.T) {
	t.Parallel()
	f := Scan("test.yaml", []byte("a: &a\n  b: *a\n  <<: *a\n"))
	if err := f.Docs[0].Parse(); err == nil {
		f.Docs[0].Root.Decode()
		Diff(f.Docs[0].Root, f.Docs[0].Root)
		if got := f.Docs[0].Root.Get("a").Get("missing"); got != nil {
			t.Errorf("got %v", got)
		}
	}
}

// FuzzScan compares the documents found by their markers with those of the parser.
func FuzzScan(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if hasLoneReturn(data) || bytes.ContainsAny(data, "\u0085\u2028\u2029") {
			return // these end a line for the parser, but not for editors or grep
		}
		want, ok := parserDocuments(data)
		if !ok {
			return
		}
		var got []any
		for _, d := range Scan("fuzz.yaml", data).Docs {
			if d.Parse() != nil {
				return
			}
			got = append(got, d.Root.Decode())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-parser +scan):\n%s", data, diff)
		}
	})
}

// parserDocuments reads the file as one stream and leaves out empty documents. ok is false if the documents are not
// comparable: those with errors, and those that contain a null.
func parserDocuments(data []byte) (docs []any, ok bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var n yaml.Node
		err := decoder.Decode(&n)
		if errors.Is(err, io.EOF) {
			return docs, true
		}
		if err != nil || len(n.Content) == 0 || tooDeep(&n, maxDepth) {
			return nil, false
		}
		d := &Document{File: &File{Data: nil}}
		b := &builder{doc: d, anchors: map[*yaml.Node]*Node{}, lines: []int{0}}
		root := b.approximate(n.Content[0])
		b.resolve()
		if root.Decode() == nil {
			return nil, false
		}
		docs = append(docs, root.Decode())
	}
}
