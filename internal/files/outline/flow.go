package outline

import "bytes"

// flow reads a quoted text or a flow collection that ends on its line, and returns the offset after it.
func (o *outline) flow(text []byte, at int) (end int, ok bool) {
	if at >= len(text) {
		return at, false
	}
	switch text[at] {
	case '"', '\'':
		return o.quoted(text, at)
	case '[':
		return o.flowSequence(text, at)
	case '{':
		return o.flowMapping(text, at)
	}
	end = at
	for end < len(text) && isFlowByte(text, end) {
		end++
	}
	if end == at || !isPlainStart(text[at:end]) || text[at] == '$' || text[at] == '(' {
		return at, false
	}
	o.visit(o.path, Scalar{Text: text[at:end]})
	return end, true
}

// isFlowByte reports whether a byte can be part of a plain scalar in a flow collection here.
func isFlowByte(text []byte, at int) bool {
	c := text[at]
	switch c {
	case '_', '.', '/', '-', '@':
		return true
	case ':':
		return at+1 < len(text) && isLetterOrDigit(text[at+1])
	}
	return isLetterOrDigit(c)
}

func isLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func (o *outline) quoted(text []byte, at int) (end int, ok bool) {
	quote := text[at]
	length := bytes.IndexByte(text[at+1:], quote)
	if length < 0 {
		return at, false
	}
	value := text[at+1 : at+1+length]
	end = at + length + 2
	if quote == '"' && bytes.IndexByte(value, '\\') >= 0 || end < len(text) && text[end] == quote {
		return at, false
	}
	o.visit(o.path, Scalar{Text: value, Quoted: true})
	return end, true
}

func (o *outline) flowSequence(text []byte, at int) (end int, ok bool) {
	depth := len(o.path)
	defer func() { o.path = o.path[:depth] }()
	if at = skipSpaces(text, at+1); at < len(text) && text[at] == ']' {
		return at + 1, true
	}
	for i := 0; depth < maxOutline; i++ {
		o.path = append(o.path[:depth], itemName(i))
		if at, ok = o.flow(text, at); !ok {
			return at, false
		}
		at = skipSpaces(text, at)
		switch {
		case at < len(text) && text[at] == ']':
			return at + 1, true
		case at >= len(text) || text[at] != ',':
			return at, false
		}
		at = skipSpaces(text, at+1)
	}
	return at, false
}

func (o *outline) flowMapping(text []byte, at int) (end int, ok bool) {
	depth := len(o.path)
	defer func() { o.path = o.path[:depth] }()
	if at = skipSpaces(text, at+1); at < len(text) && text[at] == '}' {
		return at + 1, true
	}
	keys := level{}
	for depth < maxOutline {
		key, value, isKey := cutKey(text[at:])
		if !isKey || !keys.add(key) {
			return at, false
		}
		o.path = append(o.path[:depth], key)
		if at, ok = o.flow(text, len(text)-len(value)); !ok {
			return at, false
		}
		at = skipSpaces(text, at)
		switch {
		case at < len(text) && text[at] == '}':
			return at + 1, true
		case at >= len(text) || text[at] != ',':
			return at, false
		}
		at = skipSpaces(text, at+1)
	}
	return at, false
}

func skipSpaces(text []byte, at int) int {
	for at < len(text) && text[at] == ' ' {
		at++
	}
	return at
}
