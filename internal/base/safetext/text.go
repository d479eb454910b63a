package safetext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text makes a text safe to print: characters that a terminal would execute, hide or draw in another place are escaped, as
// <U+202E> or, where the bytes are not UTF-8, as <0x9F>. That covers control characters, line ends, overrides of the
// writing direction (CVE-2021-42574), invisible characters, and white space other than the space. The runner of GitHub
// workflows executes ##[command] anywhere in a line, so its bracket is escaped too.
func Text(text string) string {
	text = strings.ReplaceAll(text, RunnerCommand, "##"+Bracket)
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		b.WriteString(visibleRune(r, text[i:i+size]))
		i += size
	}
	return b.String()
}

const (
	// RunnerCommand is the beginning of a command to the runner, and Bracket is the escaped form of its bracket.
	RunnerCommand = "##["
	Bracket       = "<U+005B>"
)

// visibleRune returns one character of a text, escaped if it is not printable; raw are its bytes.
func visibleRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf("<0x%02X>", raw[0])
	case strconv.IsPrint(r):
		return raw
	default:
		return fmt.Sprintf("<U+%04X>", r)
	}
}

func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
