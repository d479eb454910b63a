package deniedtext

import "strings"

// cursor reads words, quoted strings and lists from a position in a text. Its methods do not advance if the expected input
// is missing.
//
// In logs and nested messages, quotes are escaped once or several times. A string ends at a quote that is escaped as often
// as the one with which it begins. Therefore nothing is unescaped first, which would fail for texts that mix levels.
type cursor struct {
	text string
	at   int
	// short is set when the text ended before the expected input.
	short bool
}

// maxQuoted is the maximum length of a name: 253 bytes in Kubernetes, more for paths.
const maxQuoted = 1024

// space skips blanks and line ends, including escaped ones, and reports whether there were any.
func (c *cursor) space() bool {
	start := c.at
	for c.at < len(c.text) {
		if isBlank(c.text[c.at]) {
			c.at++
			continue
		}
		end := c.at + backslashes(c.text[c.at:])
		if end == c.at || end == len(c.text) || !strings.ContainsRune("nrt", rune(c.text[end])) {
			break
		}
		c.at = end + 1
	}
	return c.at > start
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// maxBackslashes is five levels of escaping: each level doubles the backslashes and adds one.
const maxBackslashes = 31

func backslashes(text string) int {
	n := 0
	for n < len(text) && n < maxBackslashes && text[n] == '\\' {
		n++
	}
	return n
}

// literal skips a text.
func (c *cursor) literal(want string) bool {
	rest := c.text[c.at:]
	if !strings.HasPrefix(rest, want) {
		c.short = c.short || strings.HasPrefix(want, rest)
		return false
	}
	c.at += len(want)
	return true
}

// words skips a sentence with any line breaks.
func (c *cursor) words(sentence string) bool {
	start := c.at
	for i, word := range strings.Fields(sentence) {
		if i > 0 && !c.space() || !c.literal(word) {
			c.at = start
			return false
		}
	}
	return true
}

// word reads letters, digits and the special characters of resources.
func (c *cursor) word() string {
	start := c.at
	for c.at < len(c.text) && c.at-start < maxQuoted && isWord(c.text[c.at]) {
		c.at++
	}
	return c.text[start:c.at]
}

func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("-_.*/", b) >= 0
}

// quoted reads a string in double quotes. A line end in it comes from wrapping the text, because names have none.
func (c *cursor) quoted() (string, bool) {
	level := backslashes(c.text[c.at:])
	i := c.at + level
	if i >= len(c.text) || c.text[i] != '"' {
		return "", false
	}
	var value strings.Builder
	for i++; i < len(c.text) && value.Len() <= maxQuoted; {
		n := backslashes(c.text[i:])
		switch next := i + n; {
		case next < len(c.text) && c.text[next] == '"' && n == level:
			c.at = next + 1
			return value.String(), printable(value.String())
		case next < len(c.text) && c.text[next] == '"' && n < level:
			c.short = true // the surrounding message ended
			return "", false
		case n > 0 && next < len(c.text) && c.text[next] == '"':
			value.WriteByte('"')
			i = next + 1
		case n > 0:
			value.WriteString(c.text[i:next])
			i = next
		case c.text[i] == '\n':
			for i < len(c.text) && isBlank(c.text[i]) {
				i++
			}
		default:
			value.WriteByte(c.text[i])
			i++
		}
	}
	c.short = c.short || i == len(c.text)
	return "", false
}

// quotedList reads ["a" "b"], as Go prints strings in quotes.
func (c *cursor) quotedList() ([]string, bool) {
	if !c.literal("[") {
		return nil, false
	}
	var values []string
	for {
		c.space()
		if c.literal("]") {
			return values, true
		}
		value, ok := c.quoted()
		if !ok {
			return nil, false
		}
		values = append(values, value)
	}
}

// plainList reads [a,b], as the pre-authorizer prints words. An empty list contains one empty word.
func (c *cursor) plainList() ([]string, bool) {
	if !c.literal("[") {
		return nil, false
	}
	length := strings.IndexAny(c.text[c.at:], `[]"{}`)
	c.short = c.short || length < 0
	if length < 0 || c.text[c.at+length] != ']' {
		return nil, false
	}
	values := strings.Split(c.text[c.at:c.at+length], ",")
	for i, value := range values {
		values[i] = strings.TrimSpace(value)
		if !printable(values[i]) || strings.ContainsAny(values[i], " \\") {
			return nil, false
		}
	}
	c.at += length + 1
	return values, true
}
