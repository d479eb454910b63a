package reading

import (
	"bytes"

	"github.com/salint/salint/internal/files/manifest"
)

// namesAccountByVariable reports whether a document may name an account by nothing but a placeholder. No search for the name of the
// account finds it, so it matters for pruning, whatever its kind is and whichever rules are enabled.
func namesAccountByVariable(doc *manifest.Document) bool { return beginsWithPlaceholder(doc.Bytes()) }

var accountWord = []byte("serviceAccount")

// beginsWithPlaceholder reports whether the value of a field with the name of an account begins with a placeholder: the text matches
// \bserviceAccount(?:Name)?["']?:\s*["']?(?:\$|\{\{|<). A regular expression takes a second for the definitions of a few large kinds.
func beginsWithPlaceholder(data []byte) bool {
	for from := 0; ; {
		at := bytes.Index(data[from:], accountWord)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(accountWord)
		if (at == 0 || !isWordByte(data[at-1])) && isPlaceholderAfter(data[from:]) {
			return true
		}
	}
}

// isPlaceholderAfter reports whether a placeholder follows the rest of the name of the field.
func isPlaceholderAfter(rest []byte) bool {
	rest = bytes.TrimPrefix(rest, []byte("Name"))
	rest, isField := bytes.CutPrefix(withoutQuote(rest), []byte(":"))
	if !isField {
		return false
	}
	rest = withoutQuote(bytes.TrimLeft(rest, " \t\n\f\r"))
	return bytes.HasPrefix(rest, []byte("$")) || bytes.HasPrefix(rest, []byte("{{")) || bytes.HasPrefix(rest, []byte("<"))
}

func withoutQuote(text []byte) []byte {
	if len(text) > 0 && (text[0] == '"' || text[0] == '\'') {
		return text[1:]
	}
	return text
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
