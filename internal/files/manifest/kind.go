package manifest

import "bytes"

// Kind returns the document's top-level kind if it is visible without parsing: a key `kind` in the first column, or in the
// outermost braces of JSON. It is "" if there is none, or more than one.
func (d *Document) Kind() string {
	if !d.kindKnown {
		d.kind, d.kindKnown = visibleKind(d.Bytes()), true
	}
	return d.kind
}

func visibleKind(data []byte) string {
	if top := bytes.TrimLeft(data, " \t\r\n"); len(top) > 0 && top[0] == '{' {
		return jsonKind(top)
	}
	kind := ""
	for pos := 0; pos < len(data); {
		line := data[pos:]
		if found := kindOfLine(line); found != "" {
			if kind != "" {
				return ""
			}
			kind = found
		}
		next := nextKindLine(line)
		if next < 0 {
			break
		}
		pos += next
	}
	return kind
}

// nextKindLine returns the offset of the next line that begins with a key `kind`, with or without quotes, or -1.
func nextKindLine(data []byte) int {
	for from := 0; ; {
		at := bytes.Index(data[from:], []byte("kind"))
		if at < 0 {
			return -1
		}
		at += from
		from = at + len("kind")
		if at > 1 && (data[at-1] == '"' || data[at-1] == '\'') {
			at--
		}
		if at > 0 && data[at-1] == '\n' {
			return at
		}
	}
}

// kindOfLine reads the kind from a line such as `kind: Pod  # comment`.
func kindOfLine(line []byte) string {
	line = line[:lineEnd(line, 0)]
	for _, key := range [][]byte{[]byte("kind"), []byte(`"kind"`), []byte("'kind'")} {
		rest, ok := bytes.CutPrefix(line, key)
		if !ok {
			continue
		}
		rest = bytes.TrimLeft(rest, " \t")
		if len(rest) < 2 || rest[0] != ':' || !isBlank(rest[1]) {
			return ""
		}
		return simpleScalar(rest[1:])
	}
	return ""
}

// simpleScalar reads a name, plain or in quotes, up to a comment or the end of the line.
func simpleScalar(text []byte) string {
	text = bytes.Trim(text, " \t\r\n")
	if len(text) > 0 && (text[0] == '"' || text[0] == '\'') {
		closing := bytes.IndexByte(text[1:], text[0])
		if closing < 0 {
			return ""
		}
		text = text[1 : 1+closing]
	} else if i := bytes.IndexAny(text, " \t"); i >= 0 {
		text = text[:i]
	}
	for _, c := range text {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') {
			return ""
		}
	}
	return string(text)
}

// jsonKind finds "kind" among the keys of the outermost object.
func jsonKind(data []byte) string {
	kind, depth := "", 0
	for pos := 0; pos < len(data); pos++ {
		switch data[pos] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := jsonStringEnd(data, pos)
			if depth == 1 && string(data[pos:end]) == `"kind"` {
				if found := jsonValue(data[end:]); found != "" && kind == "" {
					kind = found
				} else {
					return ""
				}
			}
			pos = end - 1
		}
	}
	return kind
}

// jsonStringEnd returns the offset after the string that begins at pos.
func jsonStringEnd(data []byte, pos int) int {
	for pos++; pos < len(data); pos++ {
		switch data[pos] {
		case '\\':
			pos++
		case '"':
			return pos + 1
		}
	}
	return len(data)
}

// jsonValue reads `: "Kind"`.
func jsonValue(data []byte) string {
	data = bytes.TrimLeft(data, " \t\r\n")
	if len(data) == 0 || data[0] != ':' {
		return ""
	}
	data = bytes.TrimLeft(data[1:], " \t\r\n")
	if len(data) == 0 || data[0] != '"' {
		return ""
	}
	return simpleScalar(data[:jsonStringEnd(data, 0)])
}
