package markdown

import (
	"strings"

	"github.com/salint/salint/internal/base/safetext"
)

// special are the characters that have a meaning in Markdown or on GitHub: emphasis, links, tags, tables, mentions of users
// and issues, formulas.
const special = "\\`*_[]#|~&$"

// Text escapes a text so that Markdown shows it unchanged, also in a table cell.
func Text(text string) string {
	var b strings.Builder
	for _, r := range safetext.Text(text) {
		switch {
		case r == '@':
			b.WriteString("&#64;") // a backslash does not prevent a mention on GitHub
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case strings.ContainsRune(special, r):
			b.WriteRune('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return unlinked(b.String())
}

// InTags escapes a text between HTML tags, where Markdown is not parsed but links and mentions are.
func InTags(text string) string {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "|", "&#124;", "`", "&#96;", "\\", "&#92;", "*", "&#42;",
		"_", "&#95;", "[", "&#91;", "]", "&#93;", "~", "&#126;", "$", "&#36;", "#", "&#35;")
	return unlinked(escape.Replace(safetext.Text(text)))
}

// unlinked keeps addresses from becoming links, because the name of an object is not an address.
func unlinked(text string) string {
	return strings.NewReplacer("://", "&#58;//", "www.", "www&#46;").Replace(text)
}

// Code formats a text as code. Tags and entities also work in a table cell, where a bar ends backticks.
func Code(text string) string {
	if text == "" {
		return ""
	}
	return "<code>" + InTags(text) + "</code>"
}

// Fenced returns a code block in a language, indented so that it can belong to a list item. Its fence is longer than any
// run of backticks in it. The lines must be safe to print.
func Fenced(language string, lines []string, indent string) string {
	fence := "```"
	for strings.Contains(strings.Join(lines, "\n"), fence) {
		fence += "`"
	}
	var b strings.Builder
	b.WriteString(indent + fence + language + "\n")
	for _, line := range lines {
		b.WriteString(indent + line + "\n")
	}
	b.WriteString(indent + fence + "\n")
	return b.String()
}
