package redact

import (
	"bytes"
	"regexp"

	"github.com/salint/salint/internal/files/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// words are the words of which a file must contain one to have hidden bytes: most files are skipped without parsing.
var words = [][]byte{[]byte("Secret"), []byte("stringData"), []byte("secretGenerator")}

// dataField finds a field that can hold secret data in a text that cannot be parsed.
var dataField = regexp.MustCompile(`(?m)(?:^|[\s{,"'])(?:data|stringData)["']?\s*:`)

// Spans returns the bytes of a file that must not be shown, sorted and without overlaps: in a Secret everything but its
// type and metadata, including comments, because the old value is often left beside the new one; the generators of Secrets
// in a kustomization; Secrets embedded in a text. If the structure is uncertain, the whole document is hidden.
func Spans(path string, data []byte) []manifest.Span {
	if !mentionsSecrets(data) {
		return nil
	}
	var hidden []manifest.Span
	for _, doc := range manifest.Scan(path, data).Docs {
		hidden = append(hidden, documentSpans(doc)...)
	}
	return hidden
}

func documentSpans(doc *manifest.Document) []manifest.Span {
	mentions := mentionsSecrets(doc.Bytes())
	if doc.Parse() != nil {
		if mentions || dataField.Match(doc.Bytes()) {
			return []manifest.Span{doc.Span}
		}
		return nil
	}
	if !mentions {
		return nil
	}
	w := walker{data: doc.File.Data}
	w.walk(doc.Root, doc.Span.End)
	if len(w.hidden) > 0 && (w.unsure || !doc.Exact) {
		return []manifest.Span{doc.Span}
	}
	return w.hidden
}

func mentionsSecrets(data []byte) bool {
	for _, word := range words {
		if bytes.Contains(data, word) {
			return true
		}
	}
	return false
}

// hasAlias returns whether part of a value is an alias of another place in the document.
func hasAlias(n *manifest.Node) bool {
	if n.YAML.Kind == yaml.AliasNode {
		return true
	}
	for _, field := range n.Fields {
		if hasAlias(field.Key) || hasAlias(field.Value) {
			return true
		}
	}
	for _, item := range n.Items {
		if hasAlias(item) {
			return true
		}
	}
	return false
}
