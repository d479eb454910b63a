package manifest_test

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/kyaml/kio"
	sigs "sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
)

// Kustomize and kubectl divide a file before they parse its documents. What either of them finds in a document with unusual first bytes is found,
// unless the document is invalid.
func TestFirstBytes(t *testing.T) {
	t.Parallel()
	const body = "kind: Role\nmetadata: {name: b}\n"
	for _, marker := range []string{"", "---\n", "---\r\n", "--- # next\n", "---\n\n", "---\n# text\n"} {
		for _, first := range []string{"", "\ufeff", "\ufeff\ufeff", " \ufeff", "\n\ufeff", "\ufeff\n", "\u2028", "\u0085", "\t", "\u00a0", "\x00", "\ufeff---\n", "\ufeff# x\n"} {
			text := marker + first + "apiVersion: v1\n" + body
			if marker != "" {
				text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n" + text
			}
			t.Run(fmt.Sprintf("%q", marker+first), func(t *testing.T) {
				t.Parallel()
				found := map[string]bool{}
				isInvalid := false
				for _, doc := range manifest.Scan("a.yaml", []byte(text)).Docs {
					if doc.Parse() != nil {
						isInvalid = true
						continue
					}
					found[doc.Root.Get("apiVersion").String()+doc.Root.Get("kind").String()] = true
				}
				for _, other := range []map[string]bool{byKustomize(text), byKubectl(text)} {
					for object := range other {
						if !found[object] && !isInvalid {
							t.Errorf("%s is not found", object)
						}
					}
				}
			})
		}
	}
}

func byKustomize(text string) map[string]bool {
	found := map[string]bool{}
	nodes, err := (&kio.ByteReader{Reader: strings.NewReader(text), OmitReaderAnnotations: true}).Read()
	if err != nil {
		return found
	}
	for _, n := range nodes {
		if n.GetKind() != "" {
			found[n.GetApiVersion()+n.GetKind()] = true
		}
	}
	return found
}

func byKubectl(text string) map[string]bool {
	found := map[string]bool{}
	reader := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		doc, err := reader.Read()
		if err != nil {
			return found
		}
		var object struct{ APIVersion, Kind string }
		if len(bytes.TrimSpace(doc)) > 0 && sigs.Unmarshal(doc, &object) == nil && object.Kind != "" {
			found[object.APIVersion+object.Kind] = true
		}
	}
}
