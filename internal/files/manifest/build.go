package manifest

import (
	"fmt"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// builder builds the nodes of a document from the parser's tree and the scanner's tree.
type builder struct {
	doc     *Document
	anchors map[*yaml.Node]*Node // those with an anchor
	aliases []alias
	free    []Node // all nodes of a document are allocated at once
	lines   []int  // offsets, from the document's start, of the lines as the parser counts them
	last    place  // the previous node: minified JSON is one line, and counting it from its start for every node is too slow
}

// alias is an alias with its target.
type alias struct {
	node   *Node
	target *yaml.Node
}

// place is a position as the parser counts it, and its byte offset.
type place struct{ line, column, offset int }

// join walks both trees at once. The error names the place where they differ.
func (b *builder) join(parsed *yaml.Node, scanned *scanNode) (*Node, error) {
	if err := b.compare(parsed, scanned); err != nil {
		return nil, err
	}
	n := b.add(parsed, scanned.span)
	n.dash, n.colon = int32(scanned.dash), int32(scanned.colon)
	if parsed.Kind == yaml.MappingNode {
		n.fields = make([]Field, 0, len(parsed.Content)/2)
		for i := 0; i < len(parsed.Content); i += 2 {
			key, err := b.join(parsed.Content[i], scanned.children[i])
			if err != nil {
				return nil, err
			}
			value, err := b.join(parsed.Content[i+1], scanned.children[i+1])
			if err != nil {
				return nil, err
			}
			n.fields = append(n.fields, Field{key, value})
		}
		return n, nil
	}
	if len(parsed.Content) > 0 {
		n.items = make([]*Node, 0, len(parsed.Content))
	}
	for i, child := range parsed.Content {
		item, err := b.join(child, scanned.children[i])
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	return n, nil
}

// add returns the node for a node of the parser. Most documents have no anchors.
func (b *builder) add(parsed *yaml.Node, span Span) *Node {
	if len(b.free) == 0 {
		b.free = make([]Node, nodesIn(parsed))
	}
	n := &b.free[0]
	b.free = b.free[1:]
	n.read(parsed, span)
	switch {
	case parsed.Anchor != "":
		b.anchors[parsed] = n
	case parsed.Kind == yaml.AliasNode && parsed.Alias != nil:
		b.aliases = append(b.aliases, alias{n, parsed.Alias})
	}
	return n
}

// nodesIn counts a node and those inside of it.
func nodesIn(n *yaml.Node) int {
	count := 1
	for _, child := range n.Content {
		count += nodesIn(child)
	}
	return count
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
			n.fields = append(n.fields, field)
			n.span.End = max(n.span.End, field.Key.span.End, field.Value.span.End)
		}
		return n
	}
	for _, child := range parsed.Content {
		item := b.approximate(child)
		n.items = append(n.items, item)
		n.span.End = max(n.span.End, item.span.End)
	}
	return n
}

// resolve points aliases to their nodes and counts them.
func (b *builder) resolve() map[*Node]int {
	uses := map[*Node]int{}
	for _, a := range b.aliases {
		a.node.target = b.anchors[a.target]
		uses[a.node.target]++
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
