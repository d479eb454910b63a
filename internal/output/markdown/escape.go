package markdown

import (
	"strings"

	"github.com/salint/salint/internal/base/safetext"
)

// special are the characters that Markdown, or GitHub in it, makes something of: emphasis, links, tags, tables, mentions of
// users and of issues, formulas.
const special = "\\`*_[]#|~&$"

// Text is a text that Markdown shows as it is, in a cell of a table too.
func Text(text string) string {
	var b strings.Builder
	for _, r := range safetext.Text(text) {
		switch {
		case r == '@':
			b.WriteString("&#64;") // GitHub mentions whoever follows a backslash all the same
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

// InTags is a text between tags of HTML, in which Markdown is not read but links and mentions are.
func InTags(text string) string {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "|", "&#124;", "`", "&#96;", "\\", "&#92;", "*", "&#42;",
		"_", "&#95;", "[", "&#91;", "]", "&#93;", "~", "&#126;", "$", "&#36;", "#", "&#35;")
	return unlinked(escape.Replace(safetext.Text(text)))
}

// unlinked keeps addresses from becoming links: a name of an object is no place to go to.
func unlinked(text string) string {
	return strings.NewReplacer("://", "&#58;//", "www.", "www&#46;").Replace(text)
}

// Code is a text in the type of code. Tags and entities hold in a cell of a table too, where a bar ends backticks.
func Code(text string) string {
	if text == "" {
		return ""
	}
	return "<code>" + InTags(text) + "</code>"
}

// Fenced is a block of lines in a language, indented so that it may belong to an item of a list. Its fence is longer than any
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
