package deniedtext

import "strings"

// cursor reads words, quoted strings and lists from a place in a text on. Its methods stay where they are when what they
// want is not there.
//
// A message that went through a log or into another message has its quotes escaped, once or several times. A cursor
// takes them as it finds them: a string ends at the quote that is escaped as often as the one it began with. So nothing
// has to be unescaped first, which text that is a mixture of levels would not survive.
type cursor struct {
	text string
	at   int
	// short is true once the text ended where more was wanted.
	short bool
}

// maxQuoted is how long a name may be; those of Kubernetes have at most 253 bytes, paths can be longer.
const maxQuoted = 1024

// space skips blanks and line ends, escaped ones as well, and tells whether there were any.
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

// words skips a sentence wherever its lines were broken.
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

// word reads letters, digits and the signs that resources are written with.
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

// quoted reads a string in double quotes. A line end within it is the margin of whoever wrapped the text: names have none.
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
			c.short = true // the message around it ended
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

// plainList reads [a,b], as the pre-authorizer joins words. An empty list holds one word, the empty one.
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
