package manifest

import "sigs.k8s.io/kustomize/kyaml/yaml"

// flowCollection reads a sequence in brackets or a mapping in braces, as in JSON.
func (s *scanner) flowCollection(start int) (*scanNode, error) {
	if s.depth++; s.depth > maxDepth {
		return nil, s.unknown("deeper nesting")
	}
	defer func() { s.depth-- }()
	n := &scanNode{kind: yaml.SequenceNode, content: s.pos, dash: -1}
	closing := byte(']')
	if s.data[s.pos] == '{' {
		n.kind, closing = yaml.MappingNode, '}'
	}
	s.pos++
	for {
		s.skipSpace()
		switch {
		case s.pos >= s.end:
			return nil, s.unknown("a bracket that is not closed")
		case s.data[s.pos] == closing:
			s.pos++
			n.span = Span{start, s.pos}
			return n, nil
		case s.data[s.pos] == ',':
			s.pos++
			continue
		}
		if err := s.flowEntry(n); err != nil {
			return nil, err
		}
	}
}

func (s *scanner) flowEntry(n *scanNode) error {
	if err := s.count(); err != nil {
		return err
	}
	first, err := s.flowNode()
	if err != nil {
		return err
	}
	value, err := s.flowValue(first)
	if err != nil {
		return err
	}
	switch {
	case n.kind == yaml.MappingNode && value == nil:
		implied := s.implied(first.span.End)
		n.children = append(n.children, first, implied)
	case n.kind == yaml.MappingNode:
		n.children = append(n.children, first, value)
	case value == nil:
		n.children = append(n.children, first)
	default:
		return s.unknown("a key inside brackets")
	}
	return nil
}

// flowValue reads the value after a key, or returns nil if no colon follows.
func (s *scanner) flowValue(key *scanNode) (*scanNode, error) {
	back := s.pos
	s.skipSpace()
	adjacent := s.pos == back && key.endsWithQuote(s.data)
	if s.peek(0) != ':' || !(adjacent || s.spaceAt(1) || isFlowIndicator(s.peek(1))) {
		s.pos = back
		return nil, nil
	}
	s.pos++
	colon := s.pos
	s.skipSpace()
	if c := s.peek(0); c == ',' || c == '}' || c == ']' {
		value := s.implied(colon)
		value.colon = colon
		return value, nil
	}
	value, err := s.flowNode()
	if err == nil {
		value.colon = colon
	}
	return value, err
}

// endsWithQuote reports whether a colon can follow a key directly, as in JSON.
func (n *scanNode) endsWithQuote(data []byte) bool {
	c := data[n.span.End-1]
	return c == '"' || c == '\'' || c == ']' || c == '}'
}

func (s *scanner) flowNode() (*scanNode, error) {
	start := s.pos
	s.properties()
	content := s.pos
	switch c := s.peek(0); {
	case c == '?' && s.spaceAt(1):
		return nil, s.unknown("an explicit key")
	case c == '*':
		return s.flowAlias(start), nil
	case c == '[' || c == '{':
		return s.flowCollection(start)
	case c == '"' || c == '\'':
		return s.quoted(start)
	case content != start && (isFlowIndicator(c) || c == ':'):
		return nil, s.unknown("an anchor or tag without a value")
	}
	end := s.flowPlain()
	if end == content {
		return nil, s.unknown("a character that no plain scalar begins with")
	}
	return &scanNode{kind: yaml.ScalarNode, span: Span{start, end}, content: content, dash: -1}, nil
}

func (s *scanner) flowAlias(start int) *scanNode {
	for s.pos < s.end && !s.spaceAt(0) && !isFlowIndicator(s.data[s.pos]) {
		s.pos++
	}
	return &scanNode{kind: yaml.AliasNode, span: Span{start, s.pos}, content: start, dash: -1}
}

// flowPlain reads an unquoted scalar inside brackets, which can span several lines.
func (s *scanner) flowPlain() (end int) {
	end = s.plainLine(true)
	for s.nextFlowLine() {
		line := s.pos
		next := s.plainLine(true)
		if next == line {
			break
		}
		end = next
	}
	s.pos = end
	return end
}

// nextFlowLine moves to the next line with text, if only white space is left on this one.
func (s *scanner) nextFlowLine() bool {
	s.skipBlanks()
	if s.pos >= s.end || !isBreak(s.data[s.pos]) {
		return false
	}
	for s.pos < s.end && (isBlank(s.data[s.pos]) || isBreak(s.data[s.pos])) {
		s.pos++
	}
	return s.pos < s.end
}
