package manifest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// SetScalar replaces a scalar with a string, keeping its quotes or its literal block if the string allows it. An implied
// null gets its value after the colon or dash. The error is a *RefusedError.
func (d *Document) SetScalar(p Path, value string) (Edit, error) {
	n, err := d.editable(p)
	switch {
	case err != nil:
		return Edit{}, err
	case n.YAML.Kind != yaml.ScalarNode:
		return Edit{}, d.refuse(n.Span.Start, "%s is not a scalar", p)
	case n.YAML.Anchor != "" || n.YAML.Style&yaml.TaggedStyle != 0:
		return Edit{}, d.refuse(n.Span.Start, "%s has an anchor or a tag", p)
	case n.Span.Start == n.Span.End:
		return Edit{n.Span, " " + plainText(value)}, nil
	}
	if edit, ok := d.setLiteral(n, value); ok {
		return edit, nil
	}
	switch n.YAML.Style &^ yaml.FlowStyle {
	case yaml.DoubleQuotedStyle:
		return Edit{n.Span, jsonText(value)}, nil
	case yaml.SingleQuotedStyle:
		if !strings.ContainsAny(value, "\n\r") {
			return Edit{n.Span, "'" + strings.ReplaceAll(value, "'", "''") + "'"}, nil
		}
	}
	return Edit{n.Span, plainText(value)}, nil
}

// AddField adds a key to the mapping at parent: after the key `after` and the comments that belong to it, or at the end if
// after is "". The value is a string, a map[string]any, or a []any; it is written in the style of its surroundings. The
// error is a *RefusedError.
func (d *Document) AddField(parent Path, after, key string, value any) (Edit, error) {
	n, index, err := d.placeOfField(parent, after, key)
	if err != nil {
		return Edit{}, err
	}
	if n.inFlow() {
		return d.insertFlow(n, index, map[string]any{key: value}), nil
	}
	return d.insertBlock(n, index, map[string]any{key: value}), nil
}

// placeOfField returns the mapping at parent, and the index of the field after which AddField adds a key.
func (d *Document) placeOfField(parent Path, after, key string) (n *Node, index int, err error) {
	if n, err = d.editable(parent); err != nil {
		return nil, 0, err
	}
	if n.YAML.Kind != yaml.MappingNode {
		return nil, 0, d.refuse(n.Span.Start, "%s is not a mapping", describe(parent))
	}
	if n.ownIndex(key) >= 0 {
		return nil, 0, d.refuse(n.Span.Start, "%s already exists", parent.Join(key))
	}
	index = len(n.Fields) - 1
	if after != "" {
		if index = n.ownIndex(after); index < 0 {
			return nil, 0, d.refuseMissing(n, parent.Join(after))
		}
	}
	return n, index, nil
}

// AppendItem adds an item to the end of the sequence at p, written in the style of its surroundings. An empty value
// (`resources:`) becomes a sequence. The error is a *RefusedError.
func (d *Document) AppendItem(p Path, item any) (Edit, error) {
	n, err := d.editable(p)
	if err != nil {
		return Edit{}, err
	}
	list := []any{item}
	switch {
	case n.IsNull() && n.Span.Start == n.Span.End && n.colon > 0:
		return Edit{n.Span, d.File.newline() + d.indented(blockText(list), "")}, nil
	case n.YAML.Kind != yaml.SequenceNode:
		return Edit{}, d.refuse(n.Span.Start, "%s is not a sequence", p)
	case n.inFlow():
		return d.insertFlow(n, len(n.Items)-1, list), nil
	default:
		return d.insertBlock(n, len(n.Items)-1, list), nil
	}
}

// insertBlock adds lines after the entry at index, in the column of the first entry.
func (d *Document) insertBlock(n *Node, index int, value any) Edit {
	entries := n.entries()
	first := entries[0].start
	column := first - d.lineStartOf(first)
	text := d.indented(blockText(value), strings.Repeat(" ", column))
	end := d.ownedEnd(entries[index])
	return Edit{Span{end, end}, d.File.newline() + text}
}

// indented adds the indentation to each line, with the line breaks of the file and without a final one.
func (d *Document) indented(text, indent string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = indent + line
	}
	return strings.Join(lines, d.File.newline())
}

// insertFlow adds an entry after the one at index, between brackets. If the entries are on separate lines, the new one gets
// a line too.
func (d *Document) insertFlow(n *Node, index int, value any) Edit {
	text := d.flowText(n, value)
	text = text[1 : len(text)-1]
	if len(n.Fields)+len(n.Items) == 0 {
		inside := n.Span.End - 1
		return Edit{Span{inside, inside}, text}
	}
	entries := n.entries()
	separator := ", "
	if start := entries[index].start; d.startsLine(start) {
		lineStart := d.lineStartOf(start)
		separator = "," + d.File.newline() + string(d.File.Data[lineStart:start])
	}
	at := entries[index].end
	return Edit{Span{at, at}, separator + text}
}

// flowText writes a value in braces or brackets: as JSON if the surroundings are JSON, otherwise as YAML.
func (d *Document) flowText(n *Node, value any) string {
	if isJSON(d.Bytes()) {
		return spacedJSON(value)
	}
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		return jsonText(value)
	}
	setFlow(&node)
	return strings.TrimSpace(blockText(&node))
}

func setFlow(n *yaml.Node) {
	n.Style |= yaml.FlowStyle
	for _, child := range n.Content {
		setFlow(child)
	}
}

func isJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && data[0] == '{'
}

// spacedJSON writes JSON on one line with a space after colons and commas.
func spacedJSON(value any) string {
	switch v := value.(type) {
	case map[string]any:
		var fields []string
		for _, key := range sortedKeys(v) {
			fields = append(fields, jsonText(key)+": "+spacedJSON(v[key]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, spacedJSON(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	default:
		return jsonText(v)
	}
}

// blockText writes a value as YAML lines, indented by two, with sequences in the column of their key.
func blockText(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return jsonText(value) // strings, maps and slices always marshal
	}
	return string(text)
}

// plainText writes a string on one line, quoted only where YAML needs it.
func plainText(s string) string {
	if text := strings.TrimRight(blockText(s), "\n"); !strings.Contains(text, "\n") {
		return text
	}
	return jsonText(s)
}

func jsonText(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return `""`
	}
	return strings.TrimRight(b.String(), "\n")
}

// AppendDocument adds a document to the end of the file. The text is YAML without a marker.
func (f *File) AppendDocument(text string) Edit {
	var b strings.Builder
	if len(f.Data) > 0 && !bytes.HasSuffix(f.Data, []byte("\n")) {
		b.WriteString(f.newline())
	}
	b.WriteString("---" + f.newline())
	b.WriteString(strings.ReplaceAll(strings.TrimRight(text, "\n")+"\n", "\n", f.newline()))
	return Edit{Span{len(f.Data), len(f.Data)}, b.String()}
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
