package manifest

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// quoted reads a scalar in double or single quotes.
func (s *scanner) quoted(start int) (*scanNode, error) {
	content, quote := s.pos, s.data[s.pos]
	for s.pos++; s.pos < s.end; s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '\\' && quote == '"':
			s.pos++
		case c == quote && quote == '\'' && s.peek(1) == '\'':
			s.pos++
		case c == quote:
			s.pos++
			return &scanNode{kind: yaml.ScalarNode, span: Span{start, s.pos}, content: content, dash: -1}, nil
		}
	}
	return nil, s.unknown("a quote that is not closed")
}

// plain reads an unquoted scalar in block context: to the end of the line, a comment, or a colon, and further lines if they
// are indented deeper than the parent.
func (s *scanner) plain(start, parent int) (*scanNode, error) {
	content := s.pos
	end := s.plainLine(false)
	if end == content {
		return nil, s.unknown("a character that no plain scalar begins with")
	}
	for !s.atColon() && s.continuesPlain(parent) {
		end = s.plainLine(false)
	}
	s.pos = end
	return &scanNode{kind: yaml.ScalarNode, span: Span{start, end}, content: content, dash: -1}, nil
}

// plainLine reads the part of a plain scalar on this line and returns where it ends, without trailing white space.
func (s *scanner) plainLine(flow bool) (end int) {
	end = s.pos
	for s.pos < s.end && !isBreak(s.data[s.pos]) {
		c := s.data[s.pos]
		if c == ':' && (s.spaceAt(1) || flow && isFlowIndicator(s.peek(1))) {
			break
		}
		if c == '#' && s.spaceAt(-1) || flow && isFlowIndicator(c) {
			break
		}
		s.pos++
		if !isBlank(c) {
			end = s.pos
		}
	}
	s.pos = end
	return end
}

func isFlowIndicator(c byte) bool { return bytes.IndexByte([]byte(",[]{}"), c) >= 0 }

// continuesPlain moves to the next line of a plain scalar, if there is one.
func (s *scanner) continuesPlain(parent int) bool {
	back := s.pos
	s.skipBlanks()
	if s.pos >= s.end || !isBreak(s.data[s.pos]) {
		s.pos = back
		return false
	}
	for s.pos < s.end && (isBlank(s.data[s.pos]) || isBreak(s.data[s.pos])) {
		s.pos++
	}
	if s.atDocumentEnd() || s.column() <= parent || s.data[s.pos] == '#' {
		s.pos = back
		return false
	}
	return true
}

// blockScalar reads a literal or folded scalar: its header line, then every line that is indented as deep as its first.
func (s *scanner) blockScalar(start, parent int) (*scanNode, error) {
	content := s.pos
	indent, keep := 0, false
	for s.pos++; !s.spaceAt(0); s.pos++ {
		switch c := s.data[s.pos]; {
		case c >= '1' && c <= '9':
			indent = max(parent, 0) + int(c-'0')
		case c == '+':
			keep = true
		}
	}
	headerEnd := s.pos
	s.skipLine()
	end := s.blockLines(indent, max(parent+1, 1), keep)
	s.pos = max(end, headerEnd)
	return &scanNode{kind: yaml.ScalarNode, span: Span{start, s.pos}, content: content, dash: -1}, nil
}

// blockLines skips the lines of a block scalar and returns the end of its text: after the last line that is not empty, or
// with keep after the empty lines that follow it. An indent of 0 stands for the indentation of the first line with text,
// which must be at least `least`.
func (s *scanner) blockLines(indent, least int, keep bool) (end int) {
	for s.pos < s.end {
		s.lineBreak()
		lineStart := s.pos
		for s.pos < s.end && s.data[s.pos] == ' ' && (indent == 0 || s.pos-lineStart < indent) {
			s.pos++
		}
		if s.pos >= s.end || isBreak(s.data[s.pos]) {
			if keep {
				end = s.pos
			}
			continue
		}
		column := s.pos - lineStart
		if indent == 0 && column >= least {
			indent = column
		}
		if indent == 0 || column < indent {
			return end
		}
		s.skipLine()
		end = s.pos
	}
	return end
}

// lineBreak skips one line break.
func (s *scanner) lineBreak() {
	if s.peek(0) == '\r' && s.peek(1) == '\n' && s.pos+1 < s.end {
		s.pos++
	}
	s.pos++
}
