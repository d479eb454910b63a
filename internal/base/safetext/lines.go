package safetext

import (
	"bytes"
	"cmp"
	"io"
	"strings"
	"unicode/utf8"
)

// Lines is a writer that makes the beginning of every line harmless to the runner of a workflow, which executes lines that begin
// with two colons, also behind white space.
type Lines struct {
	to io.Writer
	// begun is set if a line has had something other than white space; colon is set if it has had one colon and nothing else, which
	// is not written yet.
	begun, colon bool
	err          error // the first of a write
}

// NewLines returns a writer that writes to another one.
func NewLines(to io.Writer) *Lines { return &Lines{to: to} }

// Unwrap returns the writer to which lines are written.
func (l *Lines) Unwrap() io.Writer { return l.to }

// Err returns the first error of a write. What prints help ignores errors.
func (l *Lines) Err() error { return l.err }

// Write writes a text, in which the first of two colons at the beginning of a line is escaped.
func (l *Lines) Write(text []byte) (int, error) {
	var out bytes.Buffer
	for _, c := range text {
		l.add(&out, c)
	}
	if l.colon { // text that ends in the beginning of a line is rare, and nothing may be held back
		out.WriteString(escapedColon)
		l.colon, l.begun = false, true
	}
	if _, err := l.to.Write(out.Bytes()); err != nil {
		l.err = cmp.Or(l.err, err)
		return 0, err
	}
	return len(text), nil
}

func (l *Lines) add(out *bytes.Buffer, c byte) {
	if l.colon {
		l.colon, l.begun = false, true
		if c == ':' {
			out.WriteString(escapedColon)
		} else {
			out.WriteByte(':')
		}
	}
	switch {
	case c == '\n' || c == '\r':
		l.begun = false
	case l.begun || c == ' ' || c == '\t' || c == '\v' || c == '\f':
	case c == ':':
		l.colon = true
		return
	default:
		l.begun = true
	}
	out.WriteByte(c)
}

// IsCommand returns whether the runner of a workflow would execute something in a line, whose carriage returns can end lines, too.
func IsCommand(line string) bool {
	if strings.Contains(line, RunnerCommand) {
		return true
	}
	for part := range strings.SplitSeq(line, "\r") {
		if strings.HasPrefix(strings.TrimSpace(part), lineCommand) {
			return true
		}
	}
	return false
}

const escapedColon = "<U+003A>"

// MaxMessage is the number of bytes of a message that are shown. A name can be as long as a file.
const MaxMessage = 2000

// Limit cuts a message at a limit, between two characters.
func Limit(text string) string {
	if len(text) <= MaxMessage {
		return text
	}
	end := MaxMessage
	for end > MaxMessage-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimSpace(text[:end]) + "…"
}
