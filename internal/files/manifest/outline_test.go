package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/salint/salint/internal/files/outline"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// parsedOutline lists the scalars of a parsed document.
func parsedOutline(n *Node, path []string, lines *[]string) {
	switch {
	case n.IsMapping():
		for _, field := range n.fields {
			parsedOutline(field.Value, append(path, field.Key.String()), lines)
		}
	case n.IsSequence():
		for i, item := range n.items {
			parsedOutline(item, append(path, fmt.Sprint(i)), lines)
		}
	case n.style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		*lines = append(*lines, strings.Join(path, "|")+"=…")
	case n.value != "" || n.style != 0:
		*lines = append(*lines, strings.Join(path, "|")+"="+n.value)
	}
}

// FuzzOutline compares the outline with the parsed document.
func FuzzOutline(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Add([]byte("a:\n- b: 1\n  c:\n  - d\n  - [e, {f: 'g'}]\nh: |\n  i\n\nj: \"k\" # l\n"))
	f.Add([]byte("a: [x, \"y\", 'z', {b: c/d, e: [1.5, -2]}]\nf: {}\ng:\n  h: >-\n    i\n   j: k\n"))
	f.Add([]byte("---\n# a\nb:\n  - - c\n    - d: e\n      f:\n      - g\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, doc := range Scan("fuzz.yaml", data).Docs {
			var got []string
			if !outline.Read(doc.Bytes(), func(path [][]byte, value outline.Scalar) {
				text := string(value.Text)
				if value.Block {
					text = "…"
				}
				got = append(got, fmt.Sprintf("%s=%s", bytes.Join(path, []byte("|")), text))
			}) {
				continue
			}
			if err := doc.Parse(); err != nil {
				t.Fatalf("read as plain, and %v", err)
			}
			var want []string
			parsedOutline(doc.Root, nil, &want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-parsed +shown):\n%s", diff)
			}
		}
	})
}
