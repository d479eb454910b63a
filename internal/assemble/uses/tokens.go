package uses

import "bytes"

// isTokenByte reports whether a byte can be part of a word that can be a name. Names of accounts have neither capitals nor
// underscores, but these count, so that the name is not found inside a longer word that has them.
func isTokenByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_'
}

// tokens calls visit for every word of the text with its offset. Punctuation at its ends, such as the full stop of a
// sentence, is not part of a word.
func tokens(data []byte, visit func(start int, token []byte)) {
	for pos := 0; pos < len(data); pos++ {
		if !isTokenByte(data[pos]) {
			continue
		}
		start := pos
		for pos < len(data) && isTokenByte(data[pos]) {
			pos++
		}
		token := bytes.TrimRight(data[start:pos], ".-_")
		trimmed := bytes.TrimLeft(token, ".-_")
		if len(trimmed) > 0 {
			visit(start+len(token)-len(trimmed), trimmed)
		}
	}
}

// longestToken returns the word to search for a name: the name of a Kubernetes object is a word; a name with placeholders,
// such as ${ACCOUNT}, contains one. It is "" if there is none.
func longestToken(name string) string {
	longest := ""
	tokens([]byte(name), func(_ int, token []byte) {
		if len(token) > len(longest) {
			longest = string(token)
		}
	})
	return longest
}

// readings calls visit for every possible meaning of a token: itself; its parts between the dots, as in name.namespace or
// kind.name; the default of a variable, as in ${ACCOUNT-installer}; and the text after an escape sequence, as in
// "\ninstaller". The name of a file or host has only one meaning: listing argocd-installer.yaml does not refer to an account.
func readings(data []byte, start int, token []byte, visit func(start int, reading []byte)) {
	visit(start, token)
	if name, value, ok := bytes.Cut(token, []byte("-")); ok && bytes.HasSuffix(data[:start], []byte("${")) {
		value := bytes.TrimLeft(value, ".-_")
		readings(data, start+len(token)-len(value), value, visit)
		token = name
	}
	dotted := bytes.IndexByte(token, '.') >= 0 && !isFileName(token) && !isHost(data[:start], token)
	for rest, offset := token, start; dotted; {
		part, after, more := bytes.Cut(rest, []byte("."))
		visit(offset, part)
		if !more {
			break
		}
		rest, offset = after, offset+len(part)+1
	}
	if start == 0 || data[start-1] != '\\' {
		return
	}
	unescaped := bytes.TrimLeft(token[min(escapeLength(token[0]), len(token)):], ".-_")
	offset := start + len(token) - len(unescaped)
	visit(offset, unescaped)
	if part, _, _ := bytes.Cut(unescaped, []byte(".")); dotted {
		visit(offset, part)
	}
}

// escapeLength returns how many bytes of a token belong to the escape sequence whose backslash precedes it.
func escapeLength(first byte) int {
	switch first {
	case 'x':
		return 3
	case 'u':
		return 5
	case 'U':
		return 9
	}
	return 1
}

var fileEndings = map[string]bool{
	".yaml": true, ".yml": true, ".json": true, ".md": true, ".adoc": true, ".txt": true, ".html": true, ".toml": true,
	".env": true, ".sh": true, ".py": true, ".go": true, ".tf": true, ".tpl": true,
}

func isFileName(token []byte) bool {
	dot := bytes.LastIndexByte(token, '.')
	return dot >= 0 && fileEndings[string(token[dot:])]
}
