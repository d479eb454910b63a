package manifest

import (
	"fmt"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// builder builds the nodes of a document from the parser's tree and the scanner's tree.
type builder struct {
	doc     *Document
	anchors map[*yaml.Node]*Node
	lines   []int // offsets, from the document's start, of the lines as the parser counts them
	last    place // the previous node: minified JSON is one line, and counting it from its start for every node is too slow
}

// place is a position as the parser counts it, and its byte offset.
type place struct{ line, column, offset int }

// join walks both trees at once. The error names the place where they differ.
func (b *builder) join(parsed *yaml.Node, scanned *scanNode) (*Node, error) {
	if err := b.compare(parsed, scanned); err != nil {
		return nil, err
	}
	n := b.add(parsed, scanned.span)
	n.dash, n.colon = scanned.dash, scanned.colon
	if parsed.Kind == yaml.MappingNode {
		for i := 0; i < len(parsed.Content); i += 2 {
			key, err := b.join(parsed.Content[i], scanned.children[i])
			if err != nil {
				return nil, err
			}
			value, err := b.join(parsed.Content[i+1], scanned.children[i+1])
			if err != nil {
				return nil, err
			}
			n.Fields = append(n.Fields, Field{key, value})
		}
		return n, nil
	}
	for i, child := range parsed.Content {
		item, err := b.join(child, scanned.children[i])
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	return n, nil
}

func (b *builder) add(parsed *yaml.Node, span Span) *Node {
	n := &Node{YAML: parsed, Span: span, dash: -1}
	b.anchors[parsed] = n
	return n
}

// compare checks one node: its kind, number of children, first byte, and the text if it can be compared without decoding.
func (b *builder) compare(parsed *yaml.Node, scanned *scanNode) error {
	if parsed.Kind != scanned.kind || len(parsed.Content) != len(scanned.children) {
		return b.mismatch(scanned, "another structure")
	}
	if scanned.span.Start == scanned.span.End {
		return b.compareEmpty(parsed, scanned)
	}
	if b.doc.Span.Start+b.offset(parsed) != scanned.span.Start {
		return b.mismatch(scanned, "another place")
	}
	if text, literal := scanned.literal(b.doc.File.Data); literal && text != parsed.Value {
		return b.mismatch(scanned, "another value")
	}
	return nil
}

func (b *builder) compareEmpty(parsed *yaml.Node, scanned *scanNode) error {
	if parsed.Kind == yaml.ScalarNode && parsed.Value == "" {
		return nil
	}
	return b.mismatch(scanned, "a value")
}

func (b *builder) mismatch(scanned *scanNode, what string) error {
	line, _ := b.doc.File.Position(scanned.span.Start)
	return fmt.Errorf("the YAML parser reads %s at line %d than the bytes show", what, line)
}

// offset returns where the parser saw a node begin, in bytes from the document's start. The parser counts columns in code
// points.
func (b *builder) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(b.lines) {
		return -1
	}
	at := place{n.Line, 1, b.lines[n.Line-1]}
	if b.last.line == n.Line && b.last.column <= n.Column {
		at = b.last
	}
	for data := b.doc.Bytes(); at.column < n.Column && at.offset < len(data); at.column++ {
		_, size := utf8.DecodeRune(data[at.offset:])
		at.offset += size
	}
	b.last = at
	return at.offset
}

// approximate builds nodes from the parser's tree alone. A node then ends with its last child, or with its value if the
// value is in the text literally.
func (b *builder) approximate(parsed *yaml.Node) *Node {
	start := max(b.offset(parsed), 0) + b.doc.Span.Start
	n := b.add(parsed, Span{start, min(start+len(parsed.Value), b.doc.Span.End)})
	if parsed.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(parsed.Content); i += 2 {
			field := Field{b.approximate(parsed.Content[i]), b.approximate(parsed.Content[i+1])}
			n.Fields = append(n.Fields, field)
			n.Span.End = max(n.Span.End, field.Key.Span.End, field.Value.Span.End)
		}
		return n
	}
	for _, child := range parsed.Content {
		item := b.approximate(child)
		n.Items = append(n.Items, item)
		n.Span.End = max(n.Span.End, item.Span.End)
	}
	return n
}

// resolve points aliases to their nodes and counts them.
func (b *builder) resolve() map[*Node]int {
	uses := map[*Node]int{}
	for parsed, n := range b.anchors {
		if parsed.Kind == yaml.AliasNode && parsed.Alias != nil {
			n.target = b.anchors[parsed.Alias]
			uses[n.target]++
		}
	}
	return uses
}

// parserLines returns the offsets of the lines as the parser counts them. For the parser, a lone carriage return, U+0085,
// U+2028, and U+2029 also end a line.
func parserLines(data []byte) []int {
	lines := []int{0}
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\r' && i+1 < len(data) && data[i+1] == '\n':
			continue
		case isBreak(c):
			lines = append(lines, i+1)
		case c == 0xc2 && i+1 < len(data) && data[i+1] == 0x85:
			lines = append(lines, i+2)
		case c == 0xe2 && i+2 < len(data) && data[i+1] == 0x80 && (data[i+2] == 0xa8 || data[i+2] == 0xa9):
			lines = append(lines, i+3)
		}
	}
	return lines
}
