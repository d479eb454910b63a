package silence

import (
	"bytes"
	"strconv"
)

// comment is a comment that begins with the word: its bytes, its text from the word on, and whether it has its line to
// itself.
type comment struct {
	start, end int
	text       string
	alone      bool
}

// maxText is how much of a comment is read. Lines can be as long as files, and each of them may hold the word many
// times, so nothing here looks at a whole line.
const maxText = 1000

// commentAround gives the comment whose first word is at the offset: of YAML (#, first on the line or behind white
// space) or of Helm ({{/* … */}}).
func commentAround(data []byte, at int) (comment, bool) {
	text := data[at:min(len(data), at+maxText)]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	text = bytes.TrimSuffix(text, []byte("\r"))
	if len(text) == len(word) || !isLetter(text[len(word)]) {
		return comment{}, false
	}
	before := trimBlanks(data[:at])
	if start := len(bytes.TrimRight(before, "#")); start < len(before) {
		ok := atLineStart(data[:start]) || isBlank(data[start-1])
		return comment{start, at + len(text), string(text), atLineStart(trimBlanks(data[:start]))}, ok
	}
	return helmComment(data, at, before, text)
}

// helmComment is like {{/* text */}}, with or without dashes that trim. It ends on its line.
func helmComment(data []byte, at int, before, text []byte) (comment, bool) {
	open, isComment := bytes.CutSuffix(before, []byte("/*"))
	open, isAction := bytes.CutSuffix(bytes.TrimSuffix(trimBlanks(open), []byte("-")), []byte("{{"))
	inner, after, closed := bytes.Cut(text, []byte("*/"))
	if !isComment || !isAction || !closed {
		return comment{}, false
	}
	after = bytes.TrimPrefix(bytes.TrimLeft(after, " \t"), []byte("-"))
	rest := bytes.TrimPrefix(bytes.TrimLeft(after, " \t"), []byte("}}"))
	return comment{
		start: len(open), end: at + len(text) - len(rest), text: string(bytes.TrimSpace(inner)),
		alone: atLineStart(trimBlanks(data[:len(open)])) && len(trimBlanks(rest)) == 0,
	}, true
}

// block is a block of comment lines: where it ends, and the line below that all of them speak of.
type block struct{ end, line int }

// target is the number of the first line below the comment line which is no comment; 0 when that is empty or not there.
// The comment ends at the offset. Lines of the block that was looked at last are not looked at again.
func (b *block) target(data []byte, end, line int) int {
	if line < b.end {
		return b.line
	}
	for {
		next := bytes.IndexByte(data[end:], '\n')
		if next < 0 {
			*b = block{end: line + 1}
			return 0
		}
		end, line = end+next+1, line+1
		text, _, _ := bytes.Cut(data[end:], []byte("\n"))
		text = bytes.TrimSpace(text)
		if len(text) > 0 && (text[0] == '#' || isHelmComment(text)) {
			continue
		}
		*b = block{end: line}
		if len(text) > 0 {
			b.line = line
		}
		return b.line
	}
}

// isHelmComment tells whether a line is nothing but a comment of Helm.
func isHelmComment(line []byte) bool {
	inner, ok := bytes.CutPrefix(line, []byte("{{"))
	inner = bytes.TrimSpace(bytes.TrimPrefix(inner, []byte("-")))
	return ok && bytes.HasPrefix(inner, []byte("/*")) && bytes.HasSuffix(line, []byte("}}"))
}

func trimBlanks(data []byte) []byte { return bytes.TrimRight(data, " \t") }

// atLineStart tells whether nothing but a line break, or the byte order mark, stands before.
func atLineStart(before []byte) bool {
	return len(before) == 0 || before[len(before)-1] == '\n' || string(before) == "\ufeff"
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// quote makes a user's text safe to print, and short.
func quote(s string) string {
	const most = 60
	return strconv.Quote(s[:min(len(s), most)])
}
