package outline

import (
	"bytes"
	"cmp"
)

// Header returns the top-level kind and apiVersion of a document that are visible without parsing: keys in the first column, or in
// the outermost braces of JSON. Each is "" if there is none, or more than one.
func Header(data []byte) (kind, apiVersion string) {
	k := visibleField{key: "kind", isPart: isLetterOrDigit}
	v := visibleField{key: "apiVersion", isPart: func(c byte) bool { return isLetterOrDigit(c) || c == '/' || c == '.' || c == '-' }}
	readVisible(data, &k, &v)
	return k.only(), v.only()
}

// visibleField is the value of a key in the first column, or in the outermost braces of JSON.
type visibleField struct {
	key    string
	isPart func(byte) bool // whether a value can have a character
	value  string
	twice  bool
}

// add adds a value, if it is one.
func (f *visibleField) add(value string) {
	f.twice = f.twice || f.value != "" && value != ""
	f.value = cmp.Or(f.value, value)
}

// only returns the value, or "" if there are more.
func (f *visibleField) only() string {
	if f.twice {
		return ""
	}
	return f.value
}

// readVisible reads the fields in one pass.
func readVisible(data []byte, fields ...*visibleField) {
	if top := bytes.TrimLeft(data, " \t\r\n"); len(top) > 0 && top[0] == '{' {
		for _, f := range fields {
			f.value = jsonField(top, f.key, f.isPart)
		}
		return
	}
	for len(data) > 0 {
		for _, f := range fields {
			if c := data[0]; c == f.key[0] || c == '"' || c == '\'' {
				f.add(valueInLine(data, f.key, f.isPart))
			}
		}
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			return
		}
		data = data[end+1:]
	}
}

// valueInLine reads the value of a key from a line such as `kind: Pod  # comment`.
func valueInLine(line []byte, key string, isPart func(byte) bool) string {
	line, _, _ = bytes.Cut(line, []byte("\n"))
	quote := byte(0)
	if len(line) > 0 && (line[0] == '"' || line[0] == '\'') {
		quote, line = line[0], line[1:]
	}
	rest, ok := bytes.CutPrefix(line, []byte(key))
	if !ok || quote != 0 && (len(rest) == 0 || rest[0] != quote) {
		return ""
	}
	if quote != 0 {
		rest = rest[1:]
	}
	rest = bytes.TrimLeft(rest, " \t")
	if len(rest) < 2 || rest[0] != ':' || rest[1] != ' ' && rest[1] != '\t' {
		return ""
	}
	return simpleScalar(rest[1:], isPart)
}

// simpleScalar reads a name, plain or in quotes, up to a comment or the end of the line.
func simpleScalar(text []byte, isPart func(byte) bool) string {
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
		if !isPart(c) {
			return ""
		}
	}
	return string(text)
}

// jsonField finds a key among those of the outermost object.
func jsonField(data []byte, key string, isPart func(byte) bool) string {
	value, depth := "", 0
	for pos := 0; pos < len(data); pos++ {
		switch data[pos] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := jsonStringEnd(data, pos)
			if depth == 1 && string(data[pos+1:max(pos+1, end-1)]) == key && data[end-1] == '"' {
				if found := jsonValue(data[end:], isPart); found != "" && value == "" {
					value = found
				} else {
					return ""
				}
			}
			pos = end - 1
		}
	}
	return value
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
func jsonValue(data []byte, isPart func(byte) bool) string {
	data = bytes.TrimLeft(data, " \t\r\n")
	if len(data) == 0 || data[0] != ':' {
		return ""
	}
	data = bytes.TrimLeft(data[1:], " \t\r\n")
	if len(data) == 0 || data[0] != '"' {
		return ""
	}
	return simpleScalar(data[:jsonStringEnd(data, 0)], isPart)
}
