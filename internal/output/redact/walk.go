package redact

import (
	"bytes"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// structure are the characters between the keys and values of a mapping: they tell nothing, and a frame without them
// could not be read.
const structure = " \t\r\n,:{}[]-"

// lastApplied holds the whole object as kubectl applied it, data included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// shownFields are the fields of a Secret whose values may be shown. Whatever else there is is hidden, for a misspelt
// stringData holds a secret as well.
var shownFields = map[string]bool{"apiVersion": true, "kind": true, "type": true, "immutable": true, "metadata": true}

// shownKeys are fields whose name may be shown, but not the value.
var shownKeys = map[string]bool{"data": true, "stringData": true}

// referenceFields are those of a reference to a Secret, as Flux and others have them: they say which one, and hold nothing
// of it.
var referenceFields = map[string]bool{
	"apiVersion": true, "apiGroup": true, "group": true, "kind": true, "name": true, "namespace": true,
	"optional": true, "valuesKey": true, "targetPath": true,
}

// isReference tells whether a mapping with the kind Secret names one and is none: it has a name of its own, no metadata, and
// nothing that could be data.
func isReference(n *manifest.Node) bool {
	for _, field := range n.Fields {
		if !referenceFields[field.Key.String()] || field.Value.Fields != nil || field.Value.Items != nil {
			return false
		}
	}
	return n.Get("name").String() != ""
}

// walker collects what is hidden in a document, in the order of the file.
type walker struct {
	data   []byte
	hidden []manifest.Span
	// unsure is set when part of a Secret stands outside of it, behind an alias.
	unsure bool
}

// walk looks for Secrets below a node. What belongs to the node, comments behind it included, ends at the limit.
func (w *walker) walk(n *manifest.Node, limit int) {
	switch {
	case n.Fields == nil && n.Items == nil:
		if isEmbedded(n) {
			w.hide(n.Span)
		}
	case n.Get("kind").String() == "Secret" && !isReference(n):
		w.unsure = w.unsure || hasAlias(n)
		w.secret(n, limit)
	default:
		w.children(n, limit)
	}
}

func (w *walker) children(n *manifest.Node, limit int) {
	for i, field := range n.Fields {
		end := limit
		if i+1 < len(n.Fields) {
			end = n.Fields[i+1].Key.Span.Start
		}
		if field.Key.String() == "secretGenerator" {
			w.hide(manifest.Span{Start: field.Value.Span.Start, End: end})
			continue
		}
		w.walk(field.Value, end)
	}
	for i, item := range n.Items {
		end := limit
		if i+1 < len(n.Items) {
			end = n.Items[i+1].Span.Start
		}
		w.walk(item, end)
	}
}

// secret hides all of a Secret but what is known to be harmless.
func (w *walker) secret(n *manifest.Node, limit int) {
	shown := n.Span.Start
	for _, field := range n.Fields {
		name := field.Key.String()
		w.gap(shown, field.Key.Span.Start)
		if !shownFields[name] && !shownKeys[name] {
			w.hide(field.Key.Span)
		}
		w.gap(field.Key.Span.End, field.Value.Span.Start)
		switch {
		case !shownFields[name]:
			w.hide(field.Value.Span)
		case name == "metadata":
			w.metadata(field.Value)
		}
		shown = field.Value.Span.End
	}
	w.gap(shown, limit)
}

// metadata hides the annotations that hold the data once more.
func (w *walker) metadata(n *manifest.Node) {
	for _, field := range n.Fields {
		if field.Key.String() == lastApplied || isEmbedded(field.Value) {
			w.hide(field.Value.Span)
			continue
		}
		w.metadata(field.Value)
	}
}

// isEmbedded tells whether a text holds a Secret of its own, as a manifest in a ConfigMap does.
func isEmbedded(n *manifest.Node) bool {
	return strings.Contains(n.YAML.Value, "Secret") && dataField.MatchString(n.YAML.Value)
}

// gap hides the comments between two places of a Secret.
func (w *walker) gap(start, end int) {
	if start >= end {
		return
	}
	text := w.data[start:end]
	start += len(text) - len(bytes.TrimLeft(text, structure))
	end -= len(text) - len(bytes.TrimRight(text, structure))
	w.hide(manifest.Span{Start: start, End: end})
}

func (w *walker) hide(span manifest.Span) {
	if span.Start < span.End {
		w.hidden = append(w.hidden, span)
	}
}
