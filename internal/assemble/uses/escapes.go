package uses

import (
	"bytes"
	"sort"
	"strconv"
	"unicode/utf8"
)

// unescaped is a text in which the escape sequences of JSON and YAML that can be part of a name are replaced, and lines
// that end in a backslash are joined.
type unescaped struct {
	text []byte
	// at are the offsets in text after the sequences, and shift the distances to the original offsets there.
	at, shift []int
}

// unescape replaces the escape sequences of a text. ok is false if there are none.
func unescape(data []byte) (u unescaped, ok bool) {
	rest, done := data, 0
	for {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 {
			break
		}
		char, length := escape(rest[at:])
		if length == 0 {
			at++ // an escape that cannot be part of a name
			u.text, rest, done = append(u.text, rest[:at]...), rest[at:], done+at
			continue
		}
		u.text = append(append(u.text, rest[:at]...), char...)
		rest, done = rest[at+length:], done+at+length
		u.at, u.shift = append(u.at, len(u.text)), append(u.shift, done-len(u.text))
	}
	u.text = append(u.text, rest...)
	return u, len(u.at) > 0
}

// place returns the offset in the original of an offset in the text.
func (u unescaped) place(at int) int {
	if i := sort.SearchInts(u.at, at+1); i > 0 {
		return at + u.shift[i-1]
	}
	return at
}

// original returns the offset in the original of a part of the text; touched reports whether an escape sequence in it was
// replaced.
func (u unescaped) original(start, length int) (at int, touched bool) {
	i := sort.SearchInts(u.at, start+1)
	return u.place(start), i < len(u.at) && u.at[i] <= start+length
}

// escape reads an escape sequence: its value and its length; 0 if it is not one that matters.
func escape(data []byte) (char []byte, length int) {
	if len(data) < 2 {
		return nil, 0
	}
	digits := escapeLength(data[1]) - 1
	if digits == 0 {
		trimmed := bytes.TrimPrefix(data[1:], []byte("\r"))
		if len(trimmed) == 0 || trimmed[0] != '\n' {
			return nil, 0
		}
		return nil, len(data) - len(bytes.TrimLeft(trimmed, "\n \t"))
	}
	if len(data) < 2+digits {
		return nil, 0
	}
	code, err := strconv.ParseUint(string(data[2:2+digits]), 16, 32)
	if err != nil || code >= utf8.RuneSelf {
		return nil, 0
	}
	return []byte{byte(code)}, 2 + digits
}
