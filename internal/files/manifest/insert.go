package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
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
	case n.kind != yaml.ScalarNode:
		return Edit{}, d.refuse(n.span.Start, "%s is not a scalar", p)
	case n.anchored || n.style&yaml.TaggedStyle != 0:
		return Edit{}, d.refuse(n.span.Start, "%s has an anchor or a tag", p)
	case n.span.Start == n.span.End:
		return Edit{n.span, " " + plainText(value)}, nil
	}
	if edit, ok := d.setLiteral(n, value); ok {
		return edit, nil
	}
	switch n.style &^ yaml.FlowStyle {
	case yaml.DoubleQuotedStyle:
		return Edit{n.span, jsonText(value)}, nil
	case yaml.SingleQuotedStyle:
		if !strings.ContainsAny(value, "\n\r") {
			return Edit{n.span, "'" + strings.ReplaceAll(value, "'", "''") + "'"}, nil
		}
	}
	return Edit{n.span, plainText(value)}, nil
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
	if n.kind != yaml.MappingNode {
		return nil, 0, d.refuse(n.span.Start, "%s is not a mapping", describe(parent))
	}
	if n.ownIndex(key) >= 0 {
		return nil, 0, d.refuse(n.span.Start, "%s already exists", parent.Join(key))
	}
	index = len(n.fields) - 1
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
	case n.IsNull() && n.span.Start == n.span.End && n.colon > 0:
		return Edit{n.span, d.File.newline() + d.linesAt(n.span.End, list, "")}, nil
	case n.kind != yaml.SequenceNode:
		return Edit{}, d.refuse(n.span.Start, "%s is not a sequence", p)
	case n.inFlow():
		return d.insertFlow(n, len(n.items)-1, list), nil
	default:
		return d.insertBlock(n, len(n.items)-1, list), nil
	}
}

// insertBlock adds lines after the entry at index, in the column of the first entry.
func (d *Document) insertBlock(n *Node, index int, value any) Edit {
	entries := n.entries()
	first := entries[0].start
	column := first - d.lineStartOf(first)
	end := d.ownedEnd(entries[index])
	text := d.linesAt(end, value, strings.Repeat(" ", column))
	if end > 0 && d.File.Data[end-1] == '\n' { // the line breaks at the end of a block scalar with the indicator + are part of its value
		return Edit{Span{end, end}, text + d.File.newline()}
	}
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
	if len(n.fields)+len(n.items) == 0 {
		inside := n.span.End - 1
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
	node, err := encode(value)
	if err != nil {
		return jsonText(value)
	}
	setFlow(node)
	return strings.TrimSpace(blockText(node))
}

// setFlow puts a node on one line, without its comments.
func setFlow(n *yaml.Node) {
	n.Style |= yaml.FlowStyle
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
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
func blockText(value any) string { return blockTextWith(value, "\n\n") }

// blockTextWith puts strings with an end in quotes, and those that are only a line break: the end of a literal block depends on what
// follows it.
func blockTextWith(value any, end string) string {
	node, isNode := value.(*yaml.Node)
	if !isNode {
		var err error
		if node, err = encode(value); err != nil {
			return flowInBlock(value)
		}
	}
	quoteEnds(node, end)
	text, err := yaml.Marshal(node)
	if err != nil {
		return jsonText(value)
	}
	return string(text)
}

// standIn begins the strings that stand for other values while a value is encoded.
const standIn = "stands-for-"

// encode returns a value as a node. The encoder reads what it writes: it loses the comments of nodes in the value, and misreads some
// strings that begin with a line break. Strings stand for both meanwhile.
func encode(value any) (*yaml.Node, error) {
	var replaced []*yaml.Node
	stand := func(n *yaml.Node) string {
		replaced = append(replaced, n)
		return standIn + strconv.Itoa(len(replaced)-1)
	}
	plain := mapLeaves(value, func(leaf any) any {
		switch v := leaf.(type) {
		case *yaml.Node:
			return stand(v)
		case yaml.Marshaler:
			if made, err := v.MarshalYAML(); err == nil {
				if n, isNode := made.(*yaml.Node); isNode {
					return stand(n)
				}
			}
		case string:
			if strings.HasPrefix(v, "\n") || strings.HasPrefix(v, standIn) {
				return stand(&yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: v, Style: yaml.DoubleQuotedStyle})
			}
		}
		return leaf
	})
	node := &yaml.Node{}
	if err := node.Encode(plain); err != nil {
		return nil, err
	}
	restore(node, replaced)
	return node, nil
}

// mapLeaves returns a value in which all but mappings and sequences are changed.
func mapLeaves(value any, change func(any) any) any {
	switch v := value.(type) {
	case map[string]any:
		changed := make(map[string]any, len(v))
		for key, item := range v {
			changed[key] = mapLeaves(item, change)
		}
		return changed
	case []any:
		changed := make([]any, len(v))
		for i, item := range v {
			changed[i] = mapLeaves(item, change)
		}
		return changed
	}
	return change(value)
}

// restore puts back the values for which strings stand. No other string begins like them.
func restore(n *yaml.Node, replaced []*yaml.Node) {
	if number, stands := strings.CutPrefix(n.Value, standIn); stands {
		if index, err := strconv.Atoi(number); err == nil && index < len(replaced) {
			*n = *yaml.CopyYNode(replaced[index])
			return
		}
	}
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 { // not a key
			restore(child, replaced)
		}
	}
}

// flowInBlock writes the outer level of a value as lines, and what is inside as JSON.
func flowInBlock(value any) string {
	var b strings.Builder
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			b.WriteString(jsonText(key) + ": " + spacedJSON(v[key]) + "\n")
		}
	case []any:
		for _, item := range v {
			b.WriteString("- " + spacedJSON(item) + "\n")
		}
	default:
		return jsonText(v)
	}
	return b.String()
}

func quoteEnds(n *yaml.Node, end string) {
	if n.Kind == yaml.ScalarNode && n.Tag == yaml.NodeTagString && (strings.HasSuffix(n.Value, end) || n.Value == "\n") {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		quoteEnds(child, end)
	}
}

// linesAt returns the lines of a value that are inserted at an offset, with the indentation. At the end of a file without a final line
// break, a literal block would lose its own.
func (d *Document) linesAt(at int, value any, indent string) string {
	if at == len(d.File.Data) {
		return d.indented(blockTextWith(value, "\n"), indent)
	}
	return d.indented(blockText(value), indent)
}

// plainText writes a string on one line, quoted only where YAML needs it.
func plainText(s string) string {
	if text := strings.TrimRight(blockText(s), "\n"); !strings.Contains(text, "\n") {
		return text
	}
	return jsonText(s)
}

// jsonText writes a value as JSON that is YAML, too.
func jsonText(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return `""`
	}
	return escapedForYAML(strings.TrimRight(b.String(), "\n"))
}

// escapedForYAML escapes what JSON allows in a string, and YAML does not or takes for a line break.
func escapedForYAML(text string) string {
	var b strings.Builder
	for _, r := range text {
		if 0x7f <= r && r < 0xa0 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
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
