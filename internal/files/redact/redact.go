package redact

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/files/accounttoken"
	"github.com/salint/salint/internal/files/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// words are the words of which a file must contain one to have hidden bytes: most files are skipped without parsing. A kind can
// be written with escapes or in base64, and a patch names only the field. A token of an account can be anywhere.
var words = [][]byte{
	[]byte("ecret"), []byte("stringData"), []byte("/data"), []byte(`\`), []byte("!!binary"),
}

// Spans returns the bytes of a file that must not be shown, sorted and without overlaps: in a Secret everything but its
// type and metadata, including comments, because the old value is often left beside the new one; the generators of Secrets
// in a kustomization, and patches of Secrets; Secrets embedded in a text; tokens of accounts in any text. If the structure is uncertain,
// the whole document is hidden.
func Spans(path string, data []byte) []manifest.Span {
	if !mentionsSecrets(data) {
		return nil
	}
	var hidden []manifest.Span
	docs := manifest.Scan(path, data).Docs
	for i, doc := range docs {
		spans := documentSpans(doc)
		if i > 0 && len(spans) > 0 && isSecret(doc) {
			hidden = append(hidden, trailingComments(docs[i-1], hidden)...)
		}
		hidden = append(hidden, spans...)
	}
	return withTokens(hidden, data)
}

// withTokens adds the tokens of accounts in the bytes of a file: in comments, in keys, and in what cannot be parsed.
func withTokens(hidden []manifest.Span, data []byte) []manifest.Span {
	if !accounttoken.MayHold(data) {
		return hidden
	}
	for _, token := range accounttoken.Find(string(data)) {
		hidden = append(hidden, manifest.Span{Start: token.Start, End: token.End})
	}
	slices.SortFunc(hidden, func(a, b manifest.Span) int { return a.Start - b.Start })
	var joined []manifest.Span
	for _, span := range hidden {
		if last := len(joined) - 1; last >= 0 && span.Start < joined[last].End {
			joined[last].End = max(joined[last].End, span.End)
			continue
		}
		joined = append(joined, span)
	}
	return joined
}

func isSecret(doc *manifest.Document) bool { return doc.Parse() != nil || isSecretKind(doc.Root) }

// trailingComments returns the comments at the end of a document, behind what is hidden of it: they can be about the next one.
func trailingComments(doc *manifest.Document, hidden []manifest.Span) []manifest.Span {
	start := doc.Span.End
	for start > doc.Span.Start {
		line := bytes.LastIndexByte(doc.File.Data[doc.Span.Start:start-1], '\n') + 1 + doc.Span.Start
		text := bytes.TrimSpace(doc.File.Data[line:start])
		if len(text) > 0 && text[0] != '#' {
			break
		}
		start = line
	}
	if len(hidden) > 0 {
		start = max(start, hidden[len(hidden)-1].End)
	}
	text := doc.File.Data[start:doc.Span.End]
	start += len(text) - len(bytes.TrimLeft(text, structure))
	end := start + len(bytes.TrimSpace(text))
	if start >= end {
		return nil
	}
	return []manifest.Span{{Start: start, End: end}}
}

func documentSpans(doc *manifest.Document) []manifest.Span {
	if doc.Parse() != nil {
		return unparsableSpans(doc)
	}
	if !mentionsSecrets(doc.Bytes()) {
		return nil
	}
	w := walker{data: doc.File.Data}
	if isSecretKind(doc.Root) && !isReference(doc.Root) {
		w.gap(doc.Span.Start, doc.Root.Span().Start) // the comments above
	}
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
	return accounttoken.MayHold(data)
}

// hasAlias returns whether part of a value is an alias of another place in the document.
func hasAlias(n *manifest.Node) bool {
	if n.Kind() == yaml.AliasNode {
		return true
	}
	for _, field := range n.Fields() {
		if hasAlias(field.Key) || hasAlias(field.Value) {
			return true
		}
	}
	for _, item := range n.Items() {
		if hasAlias(item) {
			return true
		}
	}
	return false
}
