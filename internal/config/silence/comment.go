package silence

import (
	"bytes"
	"strconv"
	"strings"
)

// comment is a comment that begins with the marker: its bytes, its text from the marker on, and whether it is alone on its
// line.
type comment struct {
	start, end int
	text       string
	alone      bool
}

// maxText is how much of a comment is read. A line can be as long as the file and contain the marker many times, so no
// function here scans a whole line.
const maxText = 1000

// isDirective reports whether the text of a comment begins with the marker and a letter.
func isDirective(text string) bool {
	rest, found := strings.CutPrefix(text, string(marker))
	return found && rest != "" && isLetter(rest[0])
}

// commentAround returns the comment whose first word is at the offset: a YAML comment (#, at the start of the line or after
// white space) or a Helm comment ({{/* … */}}).
func commentAround(data []byte, at int) (comment, bool) {
	text := data[at:min(len(data), at+maxText)]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	text = bytes.TrimSuffix(text, []byte("\r"))
	before := trimBlanks(data[:at])
	if start := len(bytes.TrimRight(before, "#")); start < len(before) {
		ok := atLineStart(data[:start]) || isBlank(data[start-1])
		return comment{start, at + len(text), string(text), atLineStart(trimBlanks(data[:start]))}, ok
	}
	return helmComment(data, at, before, text)
}

// helmComment parses {{/* text */}}, with or without dashes that trim. The comment must end on the same line.
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

// block is a block of comment lines: the line after its end, and the line below that all of them apply to.
type block struct{ end, line int }

// target returns the number of the first line below the comment that is not a comment, or 0 if that line is empty or does
// not exist. The comment ends at the offset. Lines of the previous block are not scanned again.
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

// isHelmComment returns whether a line consists of one Helm comment.
func isHelmComment(line []byte) bool {
	inner, ok := bytes.CutPrefix(line, []byte("{{"))
	inner = bytes.TrimSpace(bytes.TrimPrefix(inner, []byte("-")))
	return ok && bytes.HasPrefix(inner, []byte("/*")) && bytes.HasSuffix(line, []byte("}}"))
}

func trimBlanks(data []byte) []byte { return bytes.TrimRight(data, " \t") }

// atLineStart returns whether the text before a place ends with a line break, or is empty or only the byte order mark.
func atLineStart(before []byte) bool {
	return len(before) == 0 || before[len(before)-1] == '\n' || string(before) == "\ufeff"
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// quote makes a text of the user safe to print, and short.
func quote(s string) string {
	const maxQuoted = 60
	return strconv.Quote(s[:min(len(s), maxQuoted)])
}
