package redact

import (
	"encoding/json"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// Mask stands for a value that is not shown.
const Mask = "***"

// Value returns an object, as it is decoded from JSON, with [Mask] instead of the values that [Spans] hides. The keys of the data of a
// Secret stay. The object is not changed.
func Value(object map[string]any) map[string]any {
	data, err := json.Marshal(object)
	if err != nil || !mentionsSecrets(data) {
		return object
	}
	doc := manifest.Scan("", data).Docs[0]
	if doc.Parse() != nil {
		return map[string]any{"kind": object["kind"], Mask: Mask}
	}
	hidden := hiddenSpans(documentSpans(doc))
	if len(hidden) == 0 {
		return object
	}
	masked, _ := hidden.mask(object, doc.Root).(map[string]any)
	return masked
}

// hiddenSpans are the bytes that are not shown.
type hiddenSpans []manifest.Span

func (h hiddenSpans) cover(n *manifest.Node) bool {
	at := n.Span()
	return slices.ContainsFunc(h, func(s manifest.Span) bool { return s.Start <= at.Start && at.End <= s.End })
}

// mask returns the value of a node without what is hidden.
func (h hiddenSpans) mask(value any, n *manifest.Node) any {
	fields, isMapping := value.(map[string]any)
	switch {
	case isMapping:
		return h.mapping(fields, n)
	case h.cover(n):
		return Mask
	}
	items, isList := value.([]any)
	if !isList {
		return value
	}
	masked := make([]any, len(items))
	for i, item := range items {
		masked[i] = h.mask(item, n.Items()[i])
	}
	return masked
}

// mapping keeps the keys of a hidden mapping, which name the values of a Secret, unless a key itself is hidden.
func (h hiddenSpans) mapping(fields map[string]any, n *manifest.Node) map[string]any {
	masked, whole := map[string]any{}, h.cover(n)
	for _, field := range n.Fields() {
		name := field.Key.String()
		switch {
		case whole:
			masked[name] = Mask
		case h.cover(field.Key):
			masked[Mask] = Mask
		default:
			masked[name] = h.mask(fields[name], field.Value)
		}
	}
	return masked
}
