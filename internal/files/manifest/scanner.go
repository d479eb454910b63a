package manifest

import (
	"bytes"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// scanNode is the scanner's view of a node: its kind and its bytes. The children of a mapping are its keys and values,
// alternately.
type scanNode struct {
	kind     yaml.Kind
	span     Span
	content  int // where the text begins, after anchor and tag
	children []*scanNode
	dash     int // offset of the dash of an item, otherwise -1
	colon    int // of a value: the offset after its colon, otherwise 0
}

// literal returns the text of a scalar that is written literally, if that can be decided without decoding.
func (n *scanNode) literal(data []byte) (string, bool) {
	text := data[n.content:n.span.End]
	if n.kind != yaml.ScalarNode || len(text) == 0 || bytes.ContainsAny(text, "\n\r\u0085\u2028\u2029") {
		return "", false
	}
	switch text[0] {
	case '"':
		return string(text[1 : len(text)-1]), !bytes.ContainsRune(text, '\\')
	case '\'':
		return string(text[1 : len(text)-1]), bytes.Count(text, []byte("'")) == 2
	case '|', '>':
		return "", false
	default:
		return string(text), true
	}
}

// scanner reads the structure of one document from its bytes, by indentation and punctuation. It supports the YAML that
// manifests are written in. For anything else (explicit keys, tabs as indentation) it returns an error, and the document is
// read but not edited.
type scanner struct {
	data  []byte
	pos   int
	end   int
	start int // the document's first line begins here
	depth int
	nodes int
}

// scanTree scans the document in the given span.
func scanTree(data []byte, span Span) (tree *scanNode, err error) {
	s := &scanner{data: data, pos: span.Start, end: span.End, start: span.Start}
	if hasLoneReturn(data[span.Start:span.End]) {
		return nil, s.unknown("a carriage return without a line feed")
	}
	if err := s.skipMarker(); err != nil {
		return nil, err
	}
	tree, err = s.blockNode(-1, false)
	if err != nil {
		return nil, err
	}
	s.skipSpace()
	if s.pos < s.end && !isMarker(s.data[s.pos:s.end], "...") {
		return nil, s.unknown("text behind the document's content")
	}
	return tree, nil
}

// hasLoneReturn finds a carriage return that ends a line in YAML but not in editors, so that "the line" would be ambiguous.
func hasLoneReturn(data []byte) bool {
	return bytes.Count(data, []byte("\r")) != bytes.Count(data, []byte("\r\n"))
}

// skipMarker skips comments, the marker, and text that can precede it.
func (s *scanner) skipMarker() error {
	s.skipSpace()
	if s.peek(0) == '%' {
		return s.unknown("a directive")
	}
	if s.column() == 0 && isMarker(s.data[s.pos:s.end], "---") {
		s.pos += len("---")
	}
	return nil
}

func (s *scanner) unknown(what string) error {
	return fmt.Errorf("%s is not supported by the editor (byte %d)", what, s.pos)
}

// count counts a node. A document with more than maxNodes is not read, so the rest of it need not be scanned.
func (s *scanner) count() error {
	if s.nodes++; s.nodes > maxNodes {
		return errTooManyNodes
	}
	return nil
}

// peek returns the byte n places ahead, or a line feed at the end of the document.
func (s *scanner) peek(n int) byte {
	if s.pos+n < s.end {
		return s.data[s.pos+n]
	}
	return '\n'
}

// spaceAt reports whether white space, or the end, is n places ahead.
func (s *scanner) spaceAt(n int) bool {
	c := s.peek(n)
	return isBlank(c) || isBreak(c)
}

// column counts the bytes since the line began. Only spaces and dashes precede the block collections whose columns matter,
// so bytes are as good as characters.
func (s *scanner) column() int { return s.pos - s.lineStart(s.pos) }

func (s *scanner) lineStart(pos int) int {
	for pos > s.start && !isBreak(s.data[pos-1]) {
		pos--
	}
	return pos
}

// skipSpace moves to the next token: over white space, line breaks and comments. It reports whether a line ended.
func (s *scanner) skipSpace() (crossed bool) {
	for s.pos < s.end {
		switch c := s.data[s.pos]; {
		case isBreak(c):
			crossed = true
			s.pos++
		case isBlank(c):
			s.pos++
		case c == '#' && (s.pos == s.start || s.spaceAt(-1)):
			s.skipLine()
		default:
			return crossed
		}
	}
	return true
}

// skipLine moves to the line break, or the end.
func (s *scanner) skipLine() {
	for s.pos < s.end && !isBreak(s.data[s.pos]) {
		s.pos++
	}
}

func (s *scanner) skipBlanks() {
	for s.pos < s.end && isBlank(s.data[s.pos]) {
		s.pos++
	}
}

func (s *scanner) atDash() bool { return s.peek(0) == '-' && s.spaceAt(1) }

func (s *scanner) atDocumentEnd() bool {
	return s.pos >= s.end || s.column() == 0 && isMarker(s.data[s.pos:s.end], "...")
}

// blockNode reads a node in block context below a parent of the given indentation. Below a key, a sequence can be in the
// key's column (compact).
func (s *scanner) blockNode(parent int, compact bool) (*scanNode, error) {
	if s.depth++; s.depth > maxDepth {
		return nil, s.unknown("deeper nesting")
	}
	defer func() { s.depth-- }()
	if err := s.count(); err != nil {
		return nil, err
	}
	empty := s.pos
	crossed := s.skipSpace()
	if s.belongsAbove(parent, compact) {
		return s.implied(empty), nil
	}
	if crossed {
		if err := s.checkIndent(); err != nil {
			return nil, err
		}
	}
	start := s.pos
	properties, crossed := s.properties()
	if !properties || !crossed {
		return s.blockContent(start, parent)
	}
	return s.belowProperties(start, parent, compact)
}

// belowProperties reads a node whose anchor or tag is alone on a line before it.
func (s *scanner) belowProperties(start, parent int, compact bool) (*scanNode, error) {
	behind := s.lastProperty(start)
	if s.belongsAbove(parent, compact) {
		s.pos = behind
		return &scanNode{kind: yaml.ScalarNode, span: Span{start, behind}, content: behind, dash: -1}, nil
	}
	n, err := s.blockNode(parent, compact)
	if err == nil {
		n.span.Start = start
	}
	return n, err
}

// lastProperty returns the end of the anchors and tags that begin at start.
func (s *scanner) lastProperty(start int) int {
	probe := *s
	probe.pos = start
	end := start
	for probe.peek(0) == '&' || probe.peek(0) == '!' {
		probe.word()
		end = probe.pos
		probe.skipBlanks()
	}
	return end
}

// belongsAbove reports whether the next token does not belong to a parent of this indentation.
func (s *scanner) belongsAbove(parent int, compact bool) bool {
	if s.atDocumentEnd() {
		return true
	}
	column := s.column()
	return column < parent || column == parent && !(compact && s.atDash())
}

func (s *scanner) implied(at int) *scanNode {
	s.pos = at
	return &scanNode{kind: yaml.ScalarNode, span: Span{at, at}, content: at, dash: -1}
}

// checkIndent rejects tabs before the first token of a line.
func (s *scanner) checkIndent() error {
	if bytes.IndexByte(s.data[s.lineStart(s.pos):s.pos], '\t') >= 0 {
		return s.unknown("a tab in the indentation")
	}
	return nil
}

// properties skips anchors and tags, and the space after them. It reports whether there were any, and whether a line ended
// after them.
func (s *scanner) properties() (found, crossed bool) {
	for s.peek(0) == '&' || s.peek(0) == '!' {
		found = true
		s.word()
		if s.skipSpace() {
			return found, true
		}
	}
	return found, false
}

// word skips characters up to white space.
func (s *scanner) word() {
	for s.pos < s.end && !s.spaceAt(0) {
		s.pos++
	}
}

// blockContent reads the node at the scanner's position, whose anchor and tag, if any, began at start on this line.
func (s *scanner) blockContent(start, parent int) (*scanNode, error) {
	switch c := s.peek(0); {
	case s.atDash():
		if s.pos != start {
			return nil, s.unknown("a sequence behind an anchor or tag")
		}
		return s.blockSequence()
	case c == '?' && s.spaceAt(1):
		return nil, s.unknown("an explicit key")
	case c == '|' || c == '>':
		return s.blockScalar(start, parent)
	}
	content := s.pos
	n, err := s.inlineNode(start, parent)
	if err != nil {
		return nil, err
	}
	if s.atColon() && !s.multiline(content, n.span.End) {
		s.pos = start
		return s.blockMapping()
	}
	return n, nil
}

func (s *scanner) multiline(from, to int) bool {
	return bytes.ContainsAny(s.data[from:to], "\n\r")
}

// atColon reports whether the node just read is a key: a colon follows on the same line.
func (s *scanner) atColon() bool {
	probe := *s
	probe.skipBlanks()
	return probe.peek(0) == ':' && probe.spaceAt(1)
}

// inlineNode reads an alias, a flow collection, or a quoted or plain scalar in block context.
func (s *scanner) inlineNode(start, parent int) (*scanNode, error) {
	switch s.peek(0) {
	case '*':
		s.word()
		return &scanNode{kind: yaml.AliasNode, span: Span{start, s.pos}, content: start, dash: -1}, nil
	case '[', '{':
		return s.flowCollection(start)
	case '"', '\'':
		return s.quoted(start)
	default:
		return s.plain(start, parent)
	}
}

// blockMapping reads keys and values in the column of the first key.
func (s *scanner) blockMapping() (*scanNode, error) {
	indent := s.column()
	n := &scanNode{kind: yaml.MappingNode, span: Span{s.pos, s.pos}, content: s.pos, dash: -1}
	for {
		key, value, err := s.blockPair(indent)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, key, value)
		n.span.End = max(value.span.End, value.colon)
		s.pos = n.span.End
		s.skipSpace()
		if s.atDocumentEnd() || s.column() != indent || s.atDash() {
			s.pos = n.span.End
			return n, nil
		}
		if err := s.checkIndent(); err != nil {
			return nil, err
		}
	}
}

func (s *scanner) blockPair(indent int) (key, value *scanNode, err error) {
	start := s.pos
	if _, crossed := s.properties(); crossed || s.peek(0) == '?' && s.spaceAt(1) {
		return nil, nil, s.unknown("an explicit key, or an anchor above a key")
	}
	if key, err = s.inlineNode(start, indent); err != nil {
		return nil, nil, err
	}
	if err := s.count(); err != nil {
		return nil, nil, err
	}
	if !s.atColon() || s.multiline(start, key.span.End) {
		return nil, nil, s.unknown("a line without a key")
	}
	s.skipBlanks()
	s.pos++
	colon := s.pos
	if value, err = s.blockNode(indent, true); err != nil {
		return nil, nil, err
	}
	value.colon = colon
	return key, value, nil
}

// blockSequence reads the items whose dashes are in the column of the first dash.
func (s *scanner) blockSequence() (*scanNode, error) {
	indent := s.column()
	n := &scanNode{kind: yaml.SequenceNode, span: Span{s.pos, s.pos}, content: s.pos, dash: -1}
	for {
		dash := s.pos
		s.pos++
		item, err := s.blockNode(indent, false)
		if err != nil {
			return nil, err
		}
		item.dash = dash
		n.children = append(n.children, item)
		n.span.End = max(item.span.End, dash+1)
		s.pos = n.span.End
		s.skipSpace()
		if s.atDocumentEnd() || s.column() != indent || !s.atDash() {
			s.pos = n.span.End
			return n, nil
		}
	}
}
